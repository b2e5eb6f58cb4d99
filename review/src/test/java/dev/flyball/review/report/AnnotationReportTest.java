package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A review as annotations of GitHub Actions. */
final class AnnotationReportTest {
  private static Finding at(Place place) {
    return new Finding("a", SampleFindings.claim("java/EqualsNull", Severity.MAJOR, place), false);
  }

  @Test
  void a_finding_is_a_command_with_its_place() {
    assertThat(
            AnnotationReport.of(
                SampleFindings.review(SampleFindings.finding("a", Severity.CRITICAL))))
        .isEqualTo(
            "::error file=src/Main.java,line=3,endLine=3,col=5,endColumn=30,"
                + "title=Compared with null by equals::This is always false, or throws."
                + "%0ACompare with == null.%0A(java/EqualsNull)\n");
  }

  @Test
  void the_kind_follows_the_severity() {
    assertThat(
            AnnotationReport.of(
                SampleFindings.review(
                    SampleFindings.finding("a", Severity.CRITICAL),
                    SampleFindings.finding("b", Severity.MAJOR),
                    SampleFindings.finding("c", Severity.MINOR))))
        .containsSubsequence("::error ", "\n::warning ", "\n::notice ");
  }

  @Test
  void several_lines_have_no_columns() {
    assertThat(
            AnnotationReport.of(SampleFindings.review(at(Place.lines(SampleFindings.TEXT, 2, 4)))))
        .startsWith("::warning file=src/Main.java,line=2,endLine=4,title=");
  }

  @Test
  void lines_of_the_state_before_have_no_number_in_the_state_after() {
    assertThat(
            AnnotationReport.of(
                SampleFindings.review(at(Place.lines(SampleFindings.TEXT, 3, 3, DiffSide.LEFT)))))
        .startsWith("::warning file=src/Main.java,title=");
  }

  @Test
  void ten_of_a_kind_are_shown_and_the_others_counted() {
    var findings =
        IntStream.range(0, 25)
            .mapToObj(
                i -> SampleFindings.finding("f" + i, i < 13 ? Severity.MAJOR : Severity.MINOR))
            .toArray(Finding[]::new);
    var lines = AnnotationReport.of(SampleFindings.review(findings)).lines().toList();
    assertThat(lines).filteredOn(line -> line.startsWith("::warning ")).hasSize(10);
    assertThat(lines).filteredOn(line -> line.startsWith("::notice ")).hasSize(10);
    assertThat(lines).last().isEqualTo("5 more findings are in the summary");
  }

  @Test
  void what_the_baseline_knows_is_not_shown() {
    assertThat(
            AnnotationReport.of(
                SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR).known())))
        .isEmpty();
  }

  @Test
  void what_had_no_answer_is_said() {
    var gap = new ReviewCoverage(2, 1, List.of(), List.of("a.py\n::error::x"));
    assertThat(AnnotationReport.of(SampleFindings.review(gap)))
        .isEqualTo(
            "::warning title=Not everything was reviewed::"
                + "1 without an answer: a.py%0A∷error::x\n");
  }

  @Test
  void hostile_text_is_one_line_and_no_command() {
    var place = new Place.File("a,b:c%d\n::error::e.java");
    var text =
        AnnotationReport.of(
            SampleFindings.review(new Finding("h", SampleFindings.hostile(), false), at(place)));
    assertThat(text.lines()).hasSize(2).allMatch(line -> line.matches("::(error|warning) .*"));
    assertThat(text)
        .contains("file=a%2Cb%3Ac%25d %3A%3Aerror%3A%3Ae.java,")
        .doesNotContain("\u001b", "\u202e", "\r", "##[", "\u0085", "\u2028");
  }
}
