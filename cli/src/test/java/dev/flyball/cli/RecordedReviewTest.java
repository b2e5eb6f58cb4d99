package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Answers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripted answers that the documentation's review is recorded with. */
class RecordedReviewTest {
  private static final Path HOUSE = Path.of("..").toAbsolutePath().normalize();

  @Test
  void the_scripted_answers_still_answer_for_this_repository(@TempDir Path folder)
      throws Exception {
    try (var desk = new CommandDesk(folder.resolve("here"))) {
      for (var path :
          List.of(
              "bench/src/main/java/dev/flyball/bench/Wire.java",
              "cli/src/main/java/dev/flyball/cli/screen/WorkLine.java",
              "cli/src/main/java/dev/flyball/cli/RunReview.java")) {
        desk.put(path, Files.readString(HOUSE.resolve(path)));
      }
      var answers = HOUSE.resolve("examples/review-answers.jsonl").toString();
      desk.provider(CommandDesk.quick().answers(Answers.parse(answers)));
      var screen =
          desk.flyball(
              "review",
              ".",
              "--yes",
              "--no-history",
              "--format",
              "json",
              "--base-url",
              desk.simulator().uri().toString(),
              "--model",
              "claude-sonnet-5",
              "--fast-model",
              "claude-haiku-4-5");
      var review = CommandDesk.JSON.readTree(screen.out());
      assertThat(review.path("coverage").path("unanswered")).as(screen.err()).isEmpty();
      assertThat(review.path("findings").findValuesAsText("title"))
          .contains(
              "Wire.delete goes wrong in some cases",
              "WorkLine.at has tests that would not notice",
              "RunReview is more complicated than needed");
    }
  }
}
