package dev.flyball.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LaneId;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.run.ReviewProgress;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.SchedulerSnapshot;
import dev.flyball.scheduler.VirtualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What somebody sees who watches a review. */
class ReviewScreenTest {
  private static final LaneId LANE = LaneId.of("anthropic", "sonnet");

  private final VirtualTime time = new VirtualTime();
  private final List<Unit> units =
      List.of(
          unit("security", 1, "a/One.java"),
          unit("security", 2, "a/Two\u001b[2J.java"),
          unit("tests", 1, "a/Three.java"));
  private final ReviewProgress progress = new ReviewProgress(units, tried -> {}, time);

  private static Unit unit(String lens, int number, String file) {
    var asked = Lenses.ours().of(Lens.SubjectKind.CHANGE, List.of(lens));
    return new Unit(
        lens + " " + number,
        asked,
        asked.getFirst().tier(),
        "rules",
        "",
        List.of(excerpt(file)),
        List.of(),
        "",
        "question",
        new Unit.UnitSize(100, 10, 10, 100),
        1);
  }

  private static Excerpt excerpt(String file) {
    var shown = Excerpt.reference(file, "text");
    return new Excerpt(file, 1, 1, shown.size(), List.of(), shown.print(), Optional.empty(), false);
  }

  private String picture(SchedulerSnapshot snapshot) {
    var screen =
        new ReviewScreen(
            "main...HEAD",
            progress,
            OptionalLong.of(100_000),
            tier -> List.of(LANE),
            new Terminal(new PrintWriter(new StringWriter()), false, 100));
    return String.join("\n", screen.picture(snapshot, Optional.of("a notice")));
  }

  @Test
  void lenses_what_is_in_flight_findings_and_the_budget_are_seen() throws Exception {
    progress.state(units.get(0), UnitState.RUNNING, "");
    progress.state(units.get(0), UnitState.DONE, "");
    progress.state(units.get(1), UnitState.RUNNING, "");
    progress.state(units.get(2), UnitState.ERROR, "the model refused");
    progress.found(
        units.get(0),
        List.of(
            new Claim(
                "security",
                new Place.Lines("a/One.java", 7, 1, 7, 2, DiffSide.RIGHT),
                Severity.CRITICAL,
                Category.SECURITY,
                List.of("security"),
                "A hole\u001b[31m in the wall",
                "It is there.",
                Optional.empty(),
                Optional.empty(),
                List.of("model"),
                0.9)));
    time.in(3, () -> {});
    while (time.step(10)) {}
    try (var flyball = Flyball.builder().time(time).build()) {
      var seen = picture(flyball.snapshot());
      assertThat(seen)
          .contains("main...HEAD", "2 of 3 units")
          .containsPattern("security .* 1 of 2")
          .containsPattern("tests .* 1 of 1  1 without an answer")
          .containsPattern("security 2  3 s  a/Two")
          .contains("so far: 1 critical, 0 major, 0 minor")
          .containsPattern("critical A hole.*  a/One.java:7")
          .contains("0 of 100,000", "a notice")
          .doesNotContain("\u001b");
    }
  }
}
