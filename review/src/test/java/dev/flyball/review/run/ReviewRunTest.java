package dev.flyball.review.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.review.select.Subject;
import dev.flyball.run.ExitCode;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A review as a program runs it that is no command: through the front doors alone. */
final class ReviewRunTest {
  @TempDir Path folder;

  @Test
  void a_program_plans_a_review_and_forecasts_it_only_if_it_asks() throws Exception {
    Files.writeString(
        folder.resolve("Main.java"), "class Main {\n  int one() {\n    return 1;\n  }\n}\n");
    var state = Map.of("XDG_STATE_HOME", folder.resolveSibling("state").toString());
    try (var run =
            RunSetup.of(state, ConfigFiles.NONE)
                .provider(ProviderChoice.simulated())
                .sendsNothing()
                .open();
        var subject = Subject.folder(folder)) {
      var setup = ReviewSetup.of(run, subject, ReviewSettings.usual());
      var plan = setup.plan(SubjectReading.Progress.NONE);
      assertThat(plan.units()).isNotEmpty();
      assertThat(setup.forecast(plan, Optional.empty()).estimation().calls())
          .as("the units, and the second look at what they find")
          .isGreaterThanOrEqualTo(plan.units().size());
    }
  }

  @Test
  void a_program_runs_a_review_and_words_without_meaning_approve_nothing() throws Exception {
    Files.writeString(
        folder.resolve("Main.java"), "class Main {\n  int one() {\n    return 1;\n  }\n}\n");
    var state = Map.of("XDG_STATE_HOME", folder.resolveSibling("state").toString());
    try (var simulator = Simulator.start(Settings.of("unlimited").answers(Answers.lorem()), 0);
        var run =
            RunSetup.of(state, ConfigFiles.NONE)
                .provider(ProviderChoice.of("anthropic").at(simulator.uri().toString()))
                .open();
        var subject = Subject.folder(folder)) {
      var looked = StaticReview.on(subject, 1, CheckListener.NONE);
      var setup = ReviewSetup.of(run, subject, ReviewSettings.usual());
      var plan = setup.plan(SubjectReading.Progress.NONE);
      var ended = new ReviewRun(setup, plan).run(looked, Baseline.EMPTY, ReviewListener.NOBODY);
      assertThat(ended.review().verdict()).isEqualTo(Verdict.INCOMPLETE);
      assertThat(ended.exit(Gate.CRITICAL, false)).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(ended.answers().asked()).isEqualTo(plan.units().size());
      assertThat(simulator.stats().admitted()).isGreaterThanOrEqualTo(plan.units().size());
    }
  }
}
