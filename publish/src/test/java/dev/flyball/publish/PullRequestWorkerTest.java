package dev.flyball.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.run.ReviewListener;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull request that is worked from beginning to end by a program that is no command. */
final class PullRequestWorkerTest {
  private static final String ANSWER =
      "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\",\"findings\":[],"
          + "\"needsMoreContext\":[]}";

  @TempDir Path folder;

  @Test
  void one_that_is_open_is_reviewed_and_posted_and_then_left_alone() throws Exception {
    var line = new ObjectMapper().createObjectNode();
    line.put("pattern", "(?s).*").put("answer", ANSWER);
    var answers = Files.writeString(folder.resolve("answers.jsonl"), line + "\n");
    try (var scene = new Scene(HostKind.GITHUB, folder);
        var simulator =
            Simulator.start(
                Settings.of("unlimited")
                    .latency(Latency.NONE)
                    .answers(Answers.parse(answers.toString())),
                0);
        var door = scene.door()) {
      scene.put("README.md", "words\n");
      var target = scene.commit("first");
      scene.put("notes.txt", "one\ntwo\n");
      int number = scene.forge.open(Scene.REPOSITORY, target, scene.commit("second"));
      int draft = scene.forge.open(Scene.REPOSITORY, target, scene.git.say("rev-parse", "HEAD"));
      scene.forge.draft(Scene.REPOSITORY, draft);
      var environment = new HashMap<>(scene.environment);
      environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
      try (var run =
          RunSetup.of(environment, ConfigFiles.NONE)
              .provider(ProviderChoice.of("anthropic").at(simulator.uri().toString()))
              .open()) {
        var worker =
            new PullRequestWorker(
                door, run, ReviewSettings.usual(), RuleChoices.NONE, Gate.CRITICAL, folder);
        var ended = worker.work(scene.name(number), false, ReviewListener.NOBODY);
        assertThat(ended).isInstanceOf(PullRequestWorker.Reviewed.class);
        assertThat(scene.summaries(number)).hasSize(1);
        assertThat(scene.summaries(number).getFirst()).contains("approved");
        assertThat(worker.work(scene.name(number), false, ReviewListener.NOBODY))
            .isInstanceOf(PullRequestWorker.LeftAlone.class);
        assertThat(worker.work(scene.name(draft), false, ReviewListener.NOBODY))
            .isInstanceOf(PullRequestWorker.LeftAlone.class);
      }
    }
  }
}
