package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A review on a screen. */
final class TerminalReportTest {
  private static String at(SourceText text, Place place, int width) {
    var claim = SampleFindings.claim("java/EqualsNull", Severity.CRITICAL, place);
    return TerminalReport.of(
        SampleFindings.review(new Finding("a", claim, false)),
        SampleFindings.texts(text),
        TerminalReport.Look.plain(width));
  }

  private static String marked(String line, int column, int endColumn) {
    var text = SourceText.of("a.txt", line);
    var lines =
        at(text, new Place.Lines("a.txt", 1, column, 1, endColumn, DiffSide.RIGHT), 60)
            .lines()
            .toList();
    return lines.get(2) + "\n" + lines.get(3);
  }

  @Test
  void a_finding_is_shown_with_its_lines_and_a_mark() {
    var place = new Place.Lines("src/Main.java", 3, 12, 3, 29, DiffSide.RIGHT);
    assertThat(at(SampleFindings.TEXT, place, 80))
        .isEqualTo(
            """
            ✖ critical  Compared with null by equals
              src/Main.java:3:12  · java/EqualsNull · 90 %
                 1 │ class Main {
                 2 │   boolean empty(String name) {
            ▸    3 │     return name.equals(null);
                   │            ^^^^^^^^^^^^^^^^^
                 4 │   }
                   │
                   ├ This is always false, or throws.
                   ╰ Compare with == null.

            ────────────────────────────────────────────────────────────────────────
            1 critical · 0 major · 0 minor
            changes requested
            1 of 1 file reviewed
            to silence a rule: a comment `flyball:ignore RULE reason` on the line, `rules:
            {RULE: off}` in flyball.yaml, or --write-baseline for what is there already;
            `flyball rules RULE` says more
            """);
  }

  @Test
  void a_long_place_is_folded() {
    var text = SourceText.of("a.txt", "line\n".repeat(30));
    assertThat(at(text, Place.lines(text, 4, 25), 80))
        .contains(
            """
                 3 │ line
            ▸    4 │ line
                   │ ^^^^
            ▸    5 │ line
            ▸    6 │ line
                   ⋮
            ▸   25 │ line
                26 │ line
            """
                .indent(0));
  }

  @Test
  void the_mark_is_under_the_place_behind_tabs_and_wide_characters() {
    assertThat(marked("\tfoo(null)", 6, 10))
        .isEqualTo("▸    1 │     foo(null)\n       │         ^^^^");
    assertThat(marked("漢字 x", 4, 5)).isEqualTo("▸    1 │ 漢字 x\n       │      ^");
    assertThat(marked("a\u001b[31mb", 7, 8)).isEqualTo("▸    1 │ a␛[31mb\n       │       ^");
    assertThat(marked("a\u202eb", 3, 4)).isEqualTo("▸    1 │ a\\u{202e}b\n       │          ^");
  }

  @Test
  void a_line_that_is_too_long_is_shown_around_the_place() {
    var line = "x".repeat(500_000) + "HERE" + "y".repeat(500_000);
    var shown = marked(line, 500_001, 500_005);
    assertThat(shown).contains("xHEREy").contains("…").contains(" ^^^^");
    var lines = shown.lines().toList();
    assertThat(lines.get(0).indexOf("HERE")).isEqualTo(lines.get(1).indexOf("^^^^"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 63, 80, 200})
  void no_line_is_wider_than_the_screen(int width) {
    var text = SourceText.of("a.txt", ("word ".repeat(100) + "\t漢".repeat(50) + "\n").repeat(9));
    var claim =
        new Claim(
            "r",
            Place.lines(text, 2, 3),
            Severity.MINOR,
            Category.STYLE,
            List.of(),
            "title ".repeat(60),
            "message " + "long".repeat(200) + " 漢字".repeat(100),
            Optional.of("advice ".repeat(60)),
            Optional.empty(),
            List.of(),
            1);
    assertThat(
            TerminalReport.of(
                    SampleFindings.review(new Finding("a", claim, false)),
                    SampleFindings.texts(text),
                    TerminalReport.Look.plain(width))
                .lines())
        .allSatisfy(
            line -> assertThat(TextColumns.width(line)).isLessThanOrEqualTo(Math.max(40, width)));
  }

  @Test
  void pieces_are_painted_by_their_role_and_not_changed() {
    var review = SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR));
    var painted =
        TerminalReport.of(
            review,
            SampleFindings.texts(SampleFindings.TEXT),
            new TerminalReport.Look(80, 10, role -> text -> "<" + role + ">" + text + "</>"));
    assertThat(painted).contains("<MAJOR>▲ major  </>", "<CODE>    return name.equals(null);</>");
    assertThat(painted.replaceAll("</?[A-Z]*>", ""))
        .isEqualTo(
            TerminalReport.of(
                review, SampleFindings.texts(SampleFindings.TEXT), TerminalReport.Look.plain(80)));
  }

  @Test
  void more_findings_than_asked_for_are_counted() {
    var findings =
        IntStream.range(0, 5).mapToObj(i -> ofRule("java/Rule" + i, i + 1)).toArray(Finding[]::new);
    assertThat(
            TerminalReport.of(
                SampleFindings.review(findings),
                SampleFindings.texts(),
                new TerminalReport.Look(80, 2, role -> text -> text)))
        .contains("… and 3 more")
        .contains("0 critical · 0 major · 5 minor");
  }

  private static Finding ofRule(String rule, int line) {
    var place = new Place.Lines("src/a/A.java", line, 1, line, 2, DiffSide.RIGHT);
    return new Finding(rule + line, SampleFindings.claim(rule, Severity.MINOR, place), false);
  }

  @Test
  void many_findings_of_a_rule_are_one_example_and_places_by_folder() {
    var findings = new ArrayList<Finding>();
    IntStream.rangeClosed(1, 500).forEach(line -> findings.add(ofRule("java/EqualsNull", line)));
    findings.add(
        new Finding(
            "left",
            SampleFindings.claim(
                "java/EqualsNull",
                Severity.MINOR,
                new Place.Lines("src/b/B.java", 7, 1, 7, 2, DiffSide.LEFT)),
            false));
    var review = SampleFindings.review(findings.toArray(Finding[]::new));
    var screen =
        TerminalReport.of(
            review, SampleFindings.texts(), new TerminalReport.Look(80, 20, role -> text -> text));
    assertThat(screen.lines().count()).isLessThan(25);
    assertThat(screen)
        .contains("the same at 500 more places:")
        .contains("src/a/ (499): A.java:2, A.java:3")
        .contains("src/b/ (1): B.java:7 (before the change)")
        .contains("java/EqualsNull  501");
    assertThat(TerminalReport.of(review, SampleFindings.texts(), TerminalReport.Look.plain(80)))
        .contains("A.java:499, A.java:500");
  }

  @Test
  void how_far_the_checks_looked_is_said_language_by_language() {
    var coverage =
        new ReviewCoverage(
            4,
            2,
            List.of(),
            List.of(),
            List.of("a.rb"),
            List.of(
                new ReviewCoverage.LanguageDepth("Python", 2, 0, 0),
                new ReviewCoverage.LanguageDepth("Ruby", 0, 1, 0),
                new ReviewCoverage.LanguageDepth("other files", 0, 0, 1)));
    assertThat(
            TerminalReport.of(
                SampleFindings.review(coverage),
                SampleFindings.texts(),
                TerminalReport.Look.plain(80)))
        .contains("  Python       2 checked for defects\n")
        .contains("  Ruby         1 only for copies and unused code\n")
        .contains("  other files  1 not checked\n");
  }

  @Test
  void what_was_not_looked_at_is_said() {
    var coverage =
        new ReviewCoverage(
            9,
            6,
            List.of(
                new ReviewCoverage.Skipped("a", "binary"),
                new ReviewCoverage.Skipped("b", "generated"),
                new ReviewCoverage.Skipped("c", "generated")),
            List.of("security: src/Main.java"));
    assertThat(
            TerminalReport.of(
                SampleFindings.review(
                    coverage, SampleFindings.finding("a", Severity.MINOR).known()),
                SampleFindings.texts(),
                TerminalReport.Look.plain(80)))
        .isEqualTo(
            """
            ────────────────────────────────────────────────────────────────────────
            0 critical · 0 major · 0 minor  (1 more in the baseline)
            incomplete
            6 of 9 files reviewed, 3 skipped (2 generated, 1 binary)
            1 without an answer:
              - security: src/Main.java
            """);
  }

  @Test
  void a_place_whose_text_is_not_at_hand_or_shorter_is_shown_without_lines() {
    var place = Place.lines(SampleFindings.TEXT, 3, 3);
    assertThat(at(SourceText.of("src/Main.java", "one line"), place, 80)).doesNotContain("▸");
    assertThat(at(SourceText.of("other", ""), place, 80)).doesNotContain("▸");
    assertThat(at(SourceText.of("other", ""), new Place.Whole(), 80)).contains("  everything  ·");
  }

  @Test
  void hostile_text_has_no_power() {
    var text = SourceText.of("src/Main.java", SampleFindings.HOSTILE.repeat(3));
    var shown =
        TerminalReport.of(
            SampleFindings.review(new Finding("h", SampleFindings.hostile(), false)),
            SampleFindings.texts(text),
            TerminalReport.Look.plain(80));
    assertThat(shown)
        .doesNotContain(
            "\u001b", "\u202e", "\u0007", "\u0085", "\u2028", "\u200b", "\r", "##[", "\uD800");
    assertThat(shown.lines()).noneMatch(line -> line.strip().startsWith("::"));
  }
}
