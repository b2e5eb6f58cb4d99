package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flyball.call.Cost;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, as text and in a real browser. */
final class HtmlReportTest {
  @TempDir Path folder;

  /** A review that has everything that can be in one, hostile text among it. */
  static Review everything() {
    var text = SampleFindings.TEXT;
    var grave =
        new Finding(
            "a1",
            SampleFindings.claim("java/EqualsNull", Severity.CRITICAL, Place.lines(text, 3, 3)),
            false);
    var major =
        new Finding(
            "a2",
            SampleFindings.claim("java/Compare", Severity.MAJOR, Place.lines(text, 6, 8)),
            false);
    var known =
        new Finding(
            "a3", SampleFindings.claim("java/Old", Severity.MINOR, Place.lines(text, 1, 1)), true);
    var refuted =
        new Finding(
                "a4",
                SampleFindings.claim("java/Wrong", Severity.MINOR, new Place.File("src/Main.java")),
                false)
            .refuted("There is a check one line above.");
    var whole =
        new Finding("a5", SampleFindings.claim("across", Severity.MAJOR, new Place.Whole()), false);
    var hostile = new Finding("a6", SampleFindings.hostile(), false);
    var pair = new Contradiction(grave, major, Optional.empty());
    var coverage =
        new ReviewCoverage(
            4,
            2,
            List.of(new ReviewCoverage.Skipped("<img src=x>.lock", "a lock file")),
            List.of("security: src/Main.java (timed out)"));
    return new Review(
        Verdict.INCOMPLETE,
        "sequential",
        coverage,
        List.of(grave, major, known, refuted, whole, hostile),
        List.of(pair),
        Optional.of(
            new ReviewUsage(
                OptionalLong.of(10_000),
                8_123,
                ReviewUsage.Excess.NONE,
                List.of("style"),
                new Cost(123_456),
                Duration.ofMillis(7_300),
                Map.of("security", 5_000L, "correctness", 3_123L),
                ReviewUsage.Ending.COMPLETION,
                4,
                1,
                0,
                0)));
  }

  private static String page() {
    return HtmlReport.of(
        everything(),
        "main...HEAD <script>alert(1)</script>",
        "Flyball 1.2.3",
        SampleFindings.texts(SampleFindings.TEXT));
  }

  @Test
  void foreign_text_is_text_and_nothing_else() {
    var page = page();
    assertThat(page).doesNotContain("<script>alert").doesNotContain("<img");
    assertThat(page.split("<script", -1)).as("our own").hasSize(2);
    assertThat(page).doesNotContain("\u202E").doesNotContain("\u001b").doesNotContain("\u200B");
    assertThat(page).doesNotContain("href=").doesNotContain("src=\"");
  }

  @Test
  void it_loads_nothing_and_allows_only_its_own_script() {
    assertThat(page())
        .contains("default-src 'none'")
        .doesNotContain("unsafe-inline")
        .doesNotContain("@import")
        .doesNotContain("url(");
  }

  @Test
  void a_real_browser_shows_filters_and_prints_it() throws Exception {
    var program = Browser.program();
    if (program.isEmpty()) {
      System.err.println(
          "SKIPPED: there is no chromium here, and it could not be installed: the HTML report was"
              + " not looked at by a browser");
    }
    assumeTrue(program.isPresent());
    var file = Files.writeString(folder.resolve("report.html"), page());
    try (var browser = Browser.start(program.get())) {
      browser.resize(1280, 900, false);
      browser.show(file);
      assertThat(browser.complaints()).isEmpty();
      assertThat(browser.evaluate("document.getElementById('shown').textContent"))
          .isEqualTo("5 of 6 shown");
      assertThat(browser.evaluate("document.querySelectorAll('script, img, a, iframe').length"))
          .as("one script, ours")
          .isEqualTo("1");
      // Beside each other where there is room.
      assertThat(
              browser.evaluate(
                  "(() => { const f = document.querySelector('.finding.placed');"
                      + " return f.children[0].getBoundingClientRect().right <="
                      + " f.children[1].getBoundingClientRect().left + 1; })()"))
          .isEqualTo("true");
      keep(browser, "wide-light");
      browser.press("j");
      assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("f-a6");
      browser.press("j");
      assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("f-a1");
      browser.press("k");
      assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("f-a6");
      browser.press("/");
      assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("words");
      for (var letter : List.of("a", "c", "r", "o", "s", "s")) {
        browser.press(letter);
      }
      assertThat(browser.evaluate("document.getElementById('shown').textContent"))
          .isEqualTo("1 of 6 shown");
      browser.press("Escape");
      browser.evaluate("document.querySelector('[name=severity][value=major]').click()");
      browser.evaluate("document.getElementById('known').click()");
      assertThat(browser.evaluate("document.getElementById('shown').textContent"))
          .isEqualTo("4 of 6 shown");
      // What would be a script of somebody else's does not run.
      browser.evaluate(
          "(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';"
              + " document.body.append(s); })()");
      assertThat(browser.evaluate("String(window.bad)")).isEqualTo("undefined");
      browser.dark(true);
      assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
          .isEqualTo("rgb(20, 23, 28)");
      keep(browser, "wide-dark");
      browser.resize(360, 740, true);
      assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
          .as("no page wider than the phone")
          .isEqualTo("true");
      keep(browser, "phone-dark");
      var pdf = browser.pdf();
      assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
      assertThat(pdf.length).isGreaterThan(10_000);
    }
  }

  /** For whoever wants to look: {@code -Dpictures=FOLDER}. */
  private static void keep(Browser browser, String name) throws Exception {
    var folder = System.getProperty("pictures", "");
    if (!folder.isEmpty()) {
      Files.write(Path.of(folder, name + ".png"), browser.screenshot());
    }
  }
}
