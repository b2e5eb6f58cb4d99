package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Severities, categories, gates and verdicts. */
final class SeverityTest {
  @Test
  void severities_have_a_total_order() {
    assertThat(Severity.CRITICAL).isGreaterThan(Severity.MAJOR);
    assertThat(Severity.MAJOR).isGreaterThan(Severity.MINOR);
    assertThat(Severity.gravest(List.of(Severity.MINOR, Severity.CRITICAL, Severity.MAJOR)))
        .hasValue(Severity.CRITICAL);
  }

  @Test
  void the_gravest_of_nothing_is_nothing() {
    assertThat(Severity.gravest(List.of())).isEmpty();
  }

  @Test
  void severities_of_other_tools_are_understood() {
    assertThat(List.of("critical", "BLOCKER", " fatal ")).allMatch(is(Severity.CRITICAL));
    assertThat(List.of("major", "High", "error", "medium", "warning")).allMatch(is(Severity.MAJOR));
    assertThat(List.of("minor", "low", "info", "note", "nit")).allMatch(is(Severity.MINOR));
    assertThat(Severity.of("purple")).isEmpty();
  }

  @Test
  void every_severity_and_category_reads_what_it_writes() {
    for (var severity : Severity.values()) {
      assertThat(Severity.of(severity.toString())).hasValue(severity);
    }
    for (var category : Category.values()) {
      assertThat(Category.of(category.toString())).isEqualTo(category);
    }
  }

  @Test
  void an_unknown_category_is_other() {
    assertThat(Category.of("astrology")).isEqualTo(Category.OTHER);
    assertThat(Category.of("")).isEqualTo(Category.OTHER);
    assertThat(Category.of("Bug")).isEqualTo(Category.CORRECTNESS);
    assertThat(Category.SECURITY).isLessThan(Category.ARCHITECTURE);
  }

  @Test
  void a_gate_stops_what_is_at_or_above_it() {
    var minor = SampleFindings.review(SampleFindings.finding("a", Severity.MINOR));
    var major = SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR));
    var critical = SampleFindings.review(SampleFindings.finding("a", Severity.CRITICAL));
    assertThat(List.of(minor, major, critical)).map(Gate.CRITICAL::stops).containsExactly(F, F, T);
    assertThat(List.of(minor, major, critical)).map(Gate.MAJOR::stops).containsExactly(F, T, T);
    assertThat(List.of(minor, major, critical)).map(Gate.MINOR::stops).containsExactly(T, T, T);
    assertThat(List.of(minor, major, critical)).map(Gate.NONE::stops).containsExactly(F, F, F);
    assertThat(Gate.MINOR.stops(SampleFindings.review())).isFalse();
  }

  @Test
  void a_gate_lets_the_baseline_pass() {
    var known = SampleFindings.review(SampleFindings.finding("a", Severity.CRITICAL).known());
    assertThat(Gate.MINOR.stops(known)).isFalse();
    assertThat(known.verdict()).isEqualTo(Verdict.APPROVED);
  }

  @Test
  void a_gate_is_named_by_its_severity_or_none() {
    assertThat(Gate.of("Major")).isEqualTo(Gate.MAJOR);
    assertThat(Gate.of("none")).isEqualTo(Gate.NONE);
    assertThatThrownBy(() -> Gate.of("high"))
        .hasMessage("--fail-on must be critical, major, minor or none, not 'high'");
  }

  @Test
  void a_verdict_follows_the_gravest_findings_and_how_many_there_are() {
    assertThat(SampleFindings.review().verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(SampleFindings.review(SampleFindings.finding("a", Severity.MINOR)).verdict())
        .isEqualTo(Verdict.APPROVED_WITH_COMMENTS);
    assertThat(
            SampleFindings.review(
                    SampleFindings.finding("a", Severity.MAJOR),
                    SampleFindings.finding("b", Severity.MAJOR),
                    SampleFindings.finding("c", Severity.MAJOR))
                .verdict())
        .isEqualTo(Verdict.APPROVED_WITH_COMMENTS);
    assertThat(
            SampleFindings.review(
                    SampleFindings.finding("a", Severity.MAJOR),
                    SampleFindings.finding("b", Severity.MAJOR),
                    SampleFindings.finding("c", Severity.MAJOR),
                    SampleFindings.finding("d", Severity.MAJOR))
                .verdict())
        .isEqualTo(Verdict.NEEDS_WORK);
    assertThat(SampleFindings.review(SampleFindings.finding("a", Severity.CRITICAL)).verdict())
        .isEqualTo(Verdict.CHANGES_REQUESTED);
  }

  @Test
  void what_has_no_answer_makes_a_review_incomplete_and_never_approved() {
    var gap = new ReviewCoverage(2, 1, List.of(), List.of("security: src/Main.java"));
    assertThat(Verdict.of(List.of(), gap)).isEqualTo(Verdict.INCOMPLETE);
  }

  @Test
  void a_file_that_was_left_out_on_purpose_leaves_a_review_complete() {
    var skipped =
        new ReviewCoverage(
            2, 1, List.of(new ReviewCoverage.Skipped("a.min.js", "minified")), List.of());
    assertThat(Verdict.of(List.of(), skipped)).isEqualTo(Verdict.APPROVED);
  }

  @Test
  void no_more_files_are_reviewed_than_there_are() {
    assertThatThrownBy(() -> new ReviewCoverage(2, 3, List.of(), List.of()))
        .hasMessage("of 2 files 0 to 2 are reviewed, but were 3");
  }

  private static final Boolean T = true;
  private static final Boolean F = false;

  private static java.util.function.Predicate<String> is(Severity severity) {
    return word -> Severity.of(word).filter(severity::equals).isPresent();
  }
}
