package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A review as annotations of GitHub Actions. */
final class AnnotationReportTest {
  private static Finding at(Place place) {
    return new Finding("a", Samples.claim("java/EqualsNull", Severity.MAJOR, place), false);
  }

  @Test
  void a_finding_is_a_command_with_its_place() {
    assertThat(AnnotationReport.of(Samples.review(Samples.finding("a", Severity.CRITICAL))))
        .isEqualTo(
            "::error file=src/Main.java,line=3,endLine=3,col=5,endColumn=30,"
                + "title=Compared with null by equals::This is always false, or throws."
                + "%0ACompare with == null.%0A(java/EqualsNull)\n");
  }

  @Test
  void the_kind_follows_the_severity() {
    assertThat(
            AnnotationReport.of(
                Samples.review(
                    Samples.finding("a", Severity.CRITICAL),
                    Samples.finding("b", Severity.MAJOR),
                    Samples.finding("c", Severity.MINOR))))
        .containsSubsequence("::error ", "\n::warning ", "\n::notice ");
  }

  @Test
  void several_lines_have_no_columns() {
    assertThat(AnnotationReport.of(Samples.review(at(Place.lines(Samples.TEXT, 2, 4)))))
        .startsWith("::warning file=src/Main.java,line=2,endLine=4,title=");
  }

  @Test
  void lines_of_the_state_before_have_no_number_in_the_state_after() {
    assertThat(AnnotationReport.of(Samples.review(at(Place.lines(Samples.TEXT, 3, 3, Side.LEFT)))))
        .startsWith("::warning file=src/Main.java,title=");
  }

  @Test
  void ten_of_a_kind_are_shown_and_the_others_counted() {
    var findings =
        IntStream.range(0, 25)
            .mapToObj(i -> Samples.finding("f" + i, i < 13 ? Severity.MAJOR : Severity.MINOR))
            .toArray(Finding[]::new);
    var lines = AnnotationReport.of(Samples.review(findings)).lines().toList();
    assertThat(lines).filteredOn(line -> line.startsWith("::warning ")).hasSize(10);
    assertThat(lines).filteredOn(line -> line.startsWith("::notice ")).hasSize(10);
    assertThat(lines).last().isEqualTo("5 more findings are in the summary");
  }

  @Test
  void what_the_baseline_knows_is_not_shown() {
    assertThat(AnnotationReport.of(Samples.review(Samples.finding("a", Severity.MAJOR).known())))
        .isEmpty();
  }

  @Test
  void what_had_no_answer_is_said() {
    var gap = new Coverage(2, 1, List.of(), List.of("a.py\n::error::x"));
    assertThat(AnnotationReport.of(Samples.review(gap)))
        .isEqualTo(
            "::warning title=Not everything was reviewed::"
                + "1 without an answer: a.py%0A∷error::x\n");
  }

  @Test
  void hostile_text_is_one_line_and_no_command() {
    var place = new Place.File("a,b:c%d\n::error::e.java");
    var text =
        AnnotationReport.of(Samples.review(new Finding("h", Samples.hostile(), false), at(place)));
    assertThat(text.lines()).hasSize(2).allMatch(line -> line.matches("::(error|warning) .*"));
    assertThat(text)
        .contains("file=a%2Cb%3Ac%25d %3A%3Aerror%3A%3Ae.java,")
        .doesNotContain("\u001b", "\u202e", "\r", "##[", "\u0085", "\u2028");
  }
}
