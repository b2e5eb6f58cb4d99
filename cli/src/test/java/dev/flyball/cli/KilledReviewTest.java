package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reviews as processes of their own that are killed or interrupted at any moment. {@code
 * -Dkills=20} does it more often, {@code -Dkills.seed=N} at other moments.
 */
@Timeout(600)
class KilledReviewTest {
  private static final int FILES = 160;
  private static final int LATEST = 900;

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(folder.resolve("here"));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
    desk.git("init", "-q");
    desk.put("README.md", "words\n");
    desk.put(".gitignore", ".flyball/\nscreen.txt\n");
    desk.commit("first");
    for (int i = 0; i < FILES; i++) {
      desk.put("src/p%02d/f%03d.txt".formatted(i / 8, i), "a line of %d\n".formatted(i).repeat(12));
    }
    desk.commit("second");
    var answers = folder.resolve("answers.jsonl");
    var clean =
        "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\",\"findings\":[],"
            + "\"needsMoreContext\":[]}";
    Files.writeString(
        answers,
        CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", clean) + "\n");
    desk.provider(
        CommandDesk.quick()
            .answers(Answers.parse(answers.toString()))
            .latency(Latency.parse("250ms~0.5")));
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private Process start() throws IOException {
    return desk.process(
            "review",
            "--diff",
            "HEAD",
            "--mode",
            "incremental",
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5",
            "--budget-tokens",
            "10000000",
            "--concurrency",
            "2",
            "--no-history",
            "--format",
            "json=review.json")
        .start();
  }

  private Set<String> finished() throws IOException {
    var keys = new HashSet<String>();
    var runs = desk.state().resolve("reviews");
    if (Files.isDirectory(runs)) {
      try (var files = Files.walk(runs)) {
        for (var file : files.filter(it -> it.endsWith("units.jsonl")).toList()) {
          var text = Files.readString(file);
          var whole = text.substring(0, text.lastIndexOf('\n') + 1);
          for (var line : whole.lines().toList()) {
            var key = CommandDesk.JSON.readTree(line).path("unit").asText();
            assertThat(keys.add(key)).as(line).isTrue();
          }
        }
      }
    }
    return keys;
  }

  /**
   * Each stop is in the middle: after the first question of its run, and before the last answer.
   */
  @Test
  void stopped_at_any_moment_it_loses_no_answer_and_asks_none_again() throws Exception {
    int kills = Integer.getInteger("kills", 6);
    long seed = Long.getLong("kills.seed", 1);
    var random = new SplittableRandom(seed);
    var finished = finished();
    int stops = 0;
    while (stops < kills) {
      int before = desk.asked().size();
      long requests = desk.simulator().stats().requests();
      var process = start();
      while (desk.simulator().stats().requests() == requests
          && !process.waitFor(20, MILLISECONDS)) {}
      if (process.waitFor(random.nextInt(LATEST), MILLISECONDS)) {
        // There was nothing left to stop: it begins again with nothing answered.
        assertApproved(process);
        forget();
        finished = Set.of();
        continue;
      }
      boolean gently = random.nextBoolean();
      if (gently) {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        assertThat(process.waitFor(60, SECONDS)).isTrue();
      }
      process.destroyForcibly().waitFor();
      stops++;
      var now = finished();
      var asked = desk.asked();
      var askedNow = asked.subList(before, asked.size());
      assertThat(now).as("seed %d, stop %d: answers are kept", seed, stops).containsAll(finished);
      assertThat(askedNow)
          .as("seed %d, stop %d: what is answered is not asked again", seed, stops)
          .isNotEmpty()
          .doesNotHaveDuplicates()
          .doesNotContainAnyElementsOf(finished.isEmpty() ? List.of("nobody") : finished);
      if (gently) {
        assertThat(now)
            .as("seed %d, stop %d: what was asked ends", seed, stops)
            .containsAll(askedNow);
      }
      System.out.printf(
          "stop %d%s: %d answers kept%n", stops, gently ? " (Ctrl+C)" : "", now.size());
      finished = now;
    }
    var last = start();
    assertThat(last.waitFor(120, SECONDS)).isTrue();
    assertApproved(last);
  }

  @Test
  void what_it_had_learned_when_it_was_killed_is_there_for_the_next() throws Exception {
    var process = start();
    var file = desk.state().resolve("learned.json");
    while (!Files.exists(file)) {
      assertThat(process.waitFor(20, MILLISECONDS)).isFalse();
    }
    process.destroyForcibly().waitFor();

    assertThat(desk.flyball("lanes").out())
        .contains("127.0.0.1:" + desk.simulator().uri().getPort(), "answers (");
  }

  private void assertApproved(Process ended) throws IOException {
    assertThat(ended.exitValue()).as(Files.readString(desk.file("screen.txt"))).isZero();
    var review = CommandDesk.JSON.readTree(desk.file("review.json").toFile());
    assertThat(review.path("verdict").asText()).isEqualTo("approved");
    assertThat(review.path("coverage").path("reviewed").asInt()).isEqualTo(FILES);
  }

  private void forget() throws IOException {
    try (var files = Files.walk(desk.state().resolve("reviews"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
