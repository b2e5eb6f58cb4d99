package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.report.MarkdownReport;
import dev.flyball.review.report.TerminalReport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContradictionTest {
  private static Claim claim(String lens, int line, String title, String advice) {
    return new Claim(
        lens,
        new Place.Lines("src/A.java", line, 1, line, 2, DiffSide.RIGHT),
        Severity.MAJOR,
        Category.of(lens),
        List.of(lens),
        title,
        title + ".",
        advice.isEmpty() ? Optional.empty() : Optional.of(advice),
        Optional.empty(),
        List.of("model"),
        0.9);
  }

  private static Finding finding(String id, Claim claim) {
    return new Finding(id, claim, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Order.total is used nowhere             |                    | Order.total has no test          |                 | true
          Order.total is more complicated than needed |                | Order.total is not documented    |                 | true
          Missing null check of customer          | Add a check.       | Needless null check of customer  | Remove it.      | true
          SQL is built by hand                    | Bind the value.    | Query of user input              | Bind it.        | false
          Order.total is used nowhere             |                    | Invoice.total has no tests       |                 | false
          Order.total has no test                 | Add one.           | Order.total is not documented    | Add a comment.  | false
          """)
  void what_one_wants_gone_another_wants_more_of(
      String one, String advice, String other, String otherAdvice, boolean contradict) {
    var first = claim("architecture", 5, one, advice == null ? "" : advice);
    var second = claim("tests", 6, other, otherAdvice == null ? "" : otherAdvice);
    assertThat(Contradiction.between(first, second)).isEqualTo(contradict);
    assertThat(Contradiction.between(second, first)).isEqualTo(contradict);
  }

  @Test
  void only_near_lines_and_other_lenses_contradict() {
    var one = claim("architecture", 5, "Order.total is used nowhere", "");
    assertThat(Contradiction.between(one, claim("tests", 50, "Order.total has no test", "")))
        .isFalse();
    assertThat(Contradiction.between(one, claim("architecture", 5, "Order.total: add tests", "")))
        .isFalse();
  }

  @Test
  void what_does_not_hold_is_overruled_unless_it_is_critical() {
    var one = finding("1", claim("architecture", 5, "Order.total is used nowhere", ""));
    var grave =
        finding("2", claim("tests", 5, "Order.total has no test", "").as(Severity.CRITICAL));
    var pair = Contradiction.among(List.of(one, grave)).getFirst();
    assertThat(pair.overruled()).isEmpty();
    assertThat(settled(pair, Contradiction.Holds.SECOND).overruled()).containsExactly(one);
    assertThat(settled(pair, Contradiction.Holds.FIRST).overruled()).isEmpty();
    assertThat(settled(pair, Contradiction.Holds.BOTH).overruled()).isEmpty();
    assertThat(settled(pair, Contradiction.Holds.NEITHER).overruled()).containsExactly(one);
  }

  private static Contradiction settled(Contradiction pair, Contradiction.Holds holds) {
    return pair.settled(new Contradiction.Settlement(holds, "so it is", "model"));
  }

  @Test
  void it_is_seen_in_every_report_that_people_read() {
    var one = finding("1", claim("architecture", 5, "Order.total is used nowhere", ""));
    var other = finding("2", claim("tests", 5, "Order.total has no test", ""));
    var open = Contradiction.among(List.of(one, other));
    var review =
        new Review(
            Verdict.APPROVED_WITH_COMMENTS,
            "repository",
            SampleFindings.all(1),
            List.of(one, other),
            open,
            Optional.empty());
    assertThat(TerminalReport.of(review, SampleFindings.texts(), TerminalReport.Look.plain(80)))
        .contains("≠ contradiction", "Order.total has no test", "--deliberate");
    assertThat(MarkdownReport.of(review)).contains("### Contradictions", "not settled");
  }
}
