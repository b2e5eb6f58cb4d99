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
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A review as a comment. */
final class MarkdownReportTest {
  private static Claim saying(String text) {
    return new Claim(
        text,
        Place.lines(SampleFindings.TEXT, 3, 3),
        Severity.MAJOR,
        Category.OTHER,
        List.of(),
        text,
        text,
        Optional.of(text),
        Optional.of(text),
        List.of(),
        1);
  }

  private static String of(Claim claim) {
    return MarkdownReport.of(SampleFindings.review(new Finding("a", claim, false)));
  }

  @Test
  void a_comment_has_a_table_the_findings_and_the_coverage() {
    var coverage =
        new ReviewCoverage(
            3,
            1,
            List.of(new ReviewCoverage.Skipped("lib/a.min.js", "minified")),
            List.of("src/B.java"));
    assertThat(
            MarkdownReport.of(
                SampleFindings.review(
                    coverage,
                    SampleFindings.finding("a", Severity.CRITICAL),
                    SampleFindings.finding("b", Severity.MINOR).known())))
        .isEqualTo(
            """
            ## ⚠️ Flyball: incomplete

            | | new | in the baseline |
            |---|---:|---:|
            | 🔴 critical | 1 | 0 |
            | 🟠 major | 0 | 0 |
            | 🔵 minor | 0 | 1 |

            1 of 3 files reviewed, sequential.

            ### 🔴 Critical

            **Compared with null by equals**<br>`src/Main.java:3` · correctness · `java/EqualsNull` · 90 %

            This is always false, or throws.

            ```text
            name.equals(null)
            ```

            > Compare with \\=\\= null.

            ### Without an answer

            - `src/B.java`

            <details><summary>1 skipped</summary>

            - `lib/a.min.js`: minified

            </details>
            """);
  }

  @Test
  void severities_come_the_gravest_first() {
    assertThat(
            MarkdownReport.of(
                SampleFindings.review(
                    SampleFindings.finding("a", Severity.MINOR),
                    SampleFindings.finding("b", Severity.CRITICAL),
                    SampleFindings.finding("c", Severity.MAJOR))))
        .containsSubsequence("### 🔴 Critical", "### 🟠 Major", "### 🔵 Minor");
  }

  @Test
  void a_comment_is_never_longer_than_it_may_be_and_counts_what_is_missing() {
    var findings =
        IntStream.range(0, 2_000)
            .mapToObj(MarkdownReportTest::ofAnotherRule)
            .toArray(Finding[]::new);
    var skipped =
        IntStream.range(0, 2_000)
            .mapToObj(i -> new ReviewCoverage.Skipped("x".repeat(3_000) + i, "y".repeat(3_000)))
            .toList();
    var text =
        MarkdownReport.of(
            SampleFindings.review(new ReviewCoverage(4_000, 0, skipped, List.of()), findings));
    assertThat(text).hasSizeLessThanOrEqualTo(MarkdownReport.LONGEST);
    assertThat(text).containsPattern("\\*\\*1\\d{3} more findings\\*\\* did not fit");
    assertThat(text).contains("- and 1980 more");
  }

  private static Finding ofAnotherRule(int i) {
    return new Finding(
        "f" + i,
        SampleFindings.claim(
            "java/Rule" + i, Severity.MAJOR, Place.lines(SampleFindings.TEXT, 3, 3)),
        false);
  }

  @Test
  void a_file_has_all_findings_and_says_which_are_on_removed_lines() {
    var findings =
        IntStream.range(0, 3_000)
            .mapToObj(
                i ->
                    i % 3 > 0
                        ? ofAnotherRule(i)
                        : new Finding(
                            "f" + i,
                            SampleFindings.claim(
                                "java/Often",
                                Severity.MAJOR,
                                new Place.Lines("src/L" + i + ".java", 5, 1, 5, 2, DiffSide.LEFT)),
                            false))
            .toArray(Finding[]::new);
    var text = MarkdownReport.all(SampleFindings.review(findings));
    for (int i = 0; i < 3_000; i++) {
      assertThat(text)
          .contains(i % 3 > 0 ? "`java/Rule" + i + "`" : "L" + i + ".java:5 (before the change)");
    }
    assertThat(text).doesNotContain("did not fit", "more folders");
  }

  @Test
  void markup_from_outside_is_text() {
    assertThat(of(saying("*b* _i_ [l](u) ![i](u) | ~s~ $m$ `c` # h")))
        .contains(
            "\\*b\\* \\_i\\_ \\[l\\]\\(u\\) \\!\\[i\\]\\(u\\) \\| \\~s\\~ \\$m\\$ \\`c\\` #&#8203;"
                + " h");
  }

  @Test
  void html_from_outside_is_text() {
    var text = of(saying("<script>&amp;</script><!--"));
    assertThat(text.replaceAll("(?s)```.*?```|`[^`]*`", ""))
        .contains("&lt;script&gt;&amp;amp;&lt;/script&gt;&lt;\\!\\-\\-")
        .doesNotContain("<script", "<!--");
  }

  @Test
  void nobody_is_mentioned_and_nothing_is_linked() {
    var text = of(saying("@octocat #12 GH-12 https://evil.example www.evil.example"));
    assertThat(text.replaceAll("(?s)```.*?```|`[^`]*`", ""))
        .contains("@&#8203;octocat #&#8203;12 GH&#8203;\\-12 https:&#8203;//evil.example")
        .contains("www&#8203;.evil.example");
  }

  @Test
  void a_fence_is_longer_than_any_fence_inside_it() {
    assertThat(of(saying("````\nout"))).contains("`````text\n````\nout\n`````\n");
  }

  @Test
  void ticks_do_not_end_a_span() {
    assertThat(of(saying("a``b"))).contains("``` a``b ```");
  }

  @Test
  void several_lines_stay_in_their_paragraph() {
    assertThat(of(saying("one\n\n# two\n- three"))).contains("one<br>#&#8203; two<br>\\- three\n");
  }

  @Test
  void hostile_text_has_no_power() {
    var text = of(SampleFindings.hostile());
    assertThat(text)
        .doesNotContain("\u001b", "\u202e", "\u0007", "\u0085", "\u2028", "\u200b", "\r");
    assertThat(text.replaceAll("(?s)(`{3,}).*?\\1|(`+).*?\\2", ""))
        .doesNotContain("<img", "](", "@e", "https://", "<!--");
    assertThat(text.lines()).noneMatch(line -> line.startsWith("::"));
  }
}
