package dev.flyball.review.report;

import dev.flyball.llm.Sha256;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A review as one page that needs nothing else: findings beside their code, with what was said
 * about them since, filters, what was looked at and what it cost. It is read on a phone and on
 * paper, with the keyboard alone, in the dark and in the light; without scripts only the filters
 * are missing.
 *
 * <p>Foreign text is text in it and nothing else: escaped, with what steers or hides shown, and no
 * address becomes a link. Should something get through all the same, the page allows no script and
 * no style but its own two, which it names by their hashes, and loads nothing from anywhere.
 */
public final class HtmlReport {
  private static final int AROUND = 4;
  private static final int MOST_LINES = 40;
  private static final int LONGEST_LINE = 400;
  private static final int LONGEST_TEXT = 8_000;
  private static final int LISTED = 2_000;

  private final Review review;
  private final Function<Place.Lines, Optional<SourceText>> texts;
  private final Map<String, Optional<SourceText>> masked = new HashMap<>();
  private final StringBuilder out = new StringBuilder();

  private HtmlReport(Review review, Function<Place.Lines, Optional<SourceText>> texts) {
    this.review = review;
    this.texts = texts;
  }

  /**
   * The whole page.
   *
   * @param title what was reviewed
   * @param made by what, such as {@code Flyball 0.1.0}
   */
  public static String of(
      Review review, String title, String made, Function<Place.Lines, Optional<SourceText>> texts) {
    return new HtmlReport(review, texts).page(title, made);
  }

  private String page(String title, String made) {
    var style = resource("report.css");
    var script = resource("report.js");
    out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    out.append("style-src 'sha256-").append(hash(style)).append("'; script-src 'sha256-");
    out.append(hash(script)).append("'; base-uri 'none'; form-action 'none'\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.append("<meta name=\"referrer\" content=\"no-referrer\">\n");
    out.append("<title>").append(line(title)).append(": ").append(line(review.verdict().words()));
    out.append("</title>\n<style>").append(style).append("</style>\n</head>\n<body>\n");
    head(title);
    out.append("<main>\n");
    tools();
    findings();
    coverage(review.coverage());
    review.usage().ifPresent(this::usage);
    out.append("</main>\n<footer class=\"aside\"><p>").append(line(made)).append("</p>");
    out.append("<p class=\"keys\"><kbd>j</kbd> and <kbd>k</kbd> go to the next and the last");
    out.append(" finding, <kbd>/</kbd> searches, <kbd>Esc</kbd> ends that.</p></footer>\n");
    return out.append("<script>").append(script).append("</script>\n</body>\n</html>\n").toString();
  }

  private void head(String title) {
    var tone =
        switch (review.verdict()) {
          case APPROVED, APPROVED_WITH_COMMENTS -> "good";
          case CHANGES_REQUESTED -> "critical";
          case NEEDS_WORK, INCOMPLETE -> "major";
          case SIMULATED, STATIC_ONLY, NOTHING_TO_REVIEW -> "minor";
        };
    out.append("<header>\n<h1>").append(line(title)).append(": <span class=\"").append(tone);
    out.append("\">").append(line(review.verdict().words())).append("</span></h1>\n");
    out.append("<p class=\"aside\">").append(line(review.seen())).append(", ");
    out.append(line(review.mode())).append("</p>\n<ul class=\"counts\">");
    for (var severity : List.of(Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)) {
      long known =
          review.findings().stream()
              .filter(it -> it.severity() == severity && it.baseline())
              .count();
      out.append("<li><strong class=\"").append(severity).append("\">");
      out.append(review.count(severity) - known).append("</strong> ").append(severity);
      out.append(known > 0 ? " <span class=\"aside\">+ " + known + " known</span></li>" : "</li>");
    }
    out.append("</ul>\n</header>\n");
  }

  private void tools() {
    out.append("<form class=\"tools\" role=\"search\" aria-label=\"Filter findings\">");
    for (var severity : List.of(Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)) {
      out.append("<label><input type=\"checkbox\" name=\"severity\" value=\"").append(severity);
      out.append("\" checked> ").append(severity).append("</label>");
    }
    var categories = new TreeSet<String>();
    var lenses = new TreeSet<String>();
    for (var finding : review.findings()) {
      categories.add(finding.category().toString());
      finding.claim().lenses().forEach(it -> lenses.add(word(it)));
    }
    choice("category", "all categories", categories);
    choice("lens", "all lenses", lenses);
    out.append("<label><input type=\"checkbox\" id=\"known\"> known ones</label>");
    out.append("<input id=\"words\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\">");
    out.append("<output id=\"shown\" class=\"aside\" aria-live=\"polite\"></output></form>\n");
  }

  private void choice(String id, String all, Collection<String> values) {
    out.append("<label>").append(id).append(" <select id=\"").append(id).append("\">");
    out.append("<option value=\"\">").append(all).append("</option>");
    values.forEach(
        it ->
            out.append("<option value=\"")
                .append(line(it))
                .append("\">")
                .append(line(it))
                .append("</option>"));
    out.append("</select></label>");
  }

  private void findings() {
    out.append("<h2 id=\"findings\">Findings</h2>\n");
    if (review.findings().isEmpty()) {
      out.append("<p>None.</p>\n");
    }
    Map<String, List<Finding>> files = new LinkedHashMap<>();
    for (var finding : review.findings()) {
      files
          .computeIfAbsent(finding.place().file().orElse(""), path -> new ArrayList<>())
          .add(finding);
    }
    files.forEach(
        (path, all) -> {
          out.append("<section class=\"file\"><h2>");
          out.append(path.isEmpty() ? "Everything" : "<code>" + line(path) + "</code>");
          out.append("</h2>\n");
          all.forEach(this::finding);
          out.append("</section>\n");
        });
  }

  private void finding(Finding finding) {
    var claim = finding.claim();
    var text = claim.place() instanceof Place.Lines at ? masked(at) : Optional.<SourceText>empty();
    boolean placed =
        claim.place() instanceof Place.Lines at
            && text.filter(it -> at.line() <= it.lines()).isPresent();
    out.append("<article class=\"finding").append(placed ? " placed" : "");
    out.append("\" tabindex=\"0\" id=\"f-")
        .append(word(finding.id()))
        .append("\" data-severity=\"");
    out.append(finding.severity()).append("\" data-category=\"").append(finding.category());
    out.append("\" data-known=\"").append(finding.baseline() ? "yes" : "no");
    out.append("\" data-lenses=\"");
    out.append(String.join(" ", claim.lenses().stream().map(HtmlReport::word).toList()));
    out.append("\">\n");
    if (placed && claim.place() instanceof Place.Lines at) {
      code(at, text.orElseThrow());
    }
    out.append("<div class=\"thread\">\n<h3><span class=\"").append(finding.severity());
    out.append("\">").append(finding.severity()).append("</span> ").append(line(claim.title()));
    out.append("</h3>\n<p class=\"aside\">").append(line(where(claim.place()))).append(" · ");
    out.append(claim.category()).append(" · ").append(line(claim.rule())).append(" · ");
    out.append(Math.round(100 * claim.confidence())).append(" %");
    out.append(finding.baseline() ? " · known" : "").append("</p>\n<p class=\"words\">");
    out.append(text(claim.message())).append("</p>\n");
    if (!placed) {
      claim
          .evidence()
          .ifPresent(it -> out.append("<pre>").append(text(Secrets.masked(it))).append("</pre>\n"));
    }
    claim
        .suggestion()
        .ifPresent(it -> out.append("<blockquote>").append(text(it)).append("</blockquote>\n"));
    finding.refuted().ifPresent(it -> reply("Looked at again, it does not hold", it));
    review.contradictions().stream()
        .filter(it -> it.one().id().equals(finding.id()) || it.other().id().equals(finding.id()))
        .forEach(it -> contradiction(finding, it));
    out.append("</div>\n</article>\n");
  }

  private void contradiction(Finding finding, Contradiction pair) {
    var other = pair.one().id().equals(finding.id()) ? pair.other() : pair.one();
    reply(
        "Contradicted by " + String.join(", ", other.claim().lenses()),
        other.claim().title()
            + pair.settled()
                .map(it -> "\n" + it.source() + ": " + it.holds() + " holds. " + it.reason())
                .orElse("\nNot settled."));
  }

  private void reply(String who, String words) {
    out.append("<div class=\"reply\"><p class=\"aside\">").append(line(who));
    out.append("</p><p class=\"words\">").append(text(words)).append("</p></div>\n");
  }

  private void code(Place.Lines at, SourceText text) {
    int last = Math.min(text.lines(), Math.min(at.endLine(), at.line() + MOST_LINES) + AROUND);
    out.append("<div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"code\"><table>");
    for (int line = Math.max(1, at.line() - AROUND); line <= last; line++) {
      boolean here = line >= at.line() && line <= at.endLine();
      out.append(here ? "<tr class=\"here\"><td>" : "<tr><td>").append(line).append("</td><td>");
      out.append(line(SafeText.cut(text.line(line).replace("\t", "    "), LONGEST_LINE)));
      out.append("</td></tr>");
    }
    out.append("</table></div>\n");
  }

  private Optional<SourceText> masked(Place.Lines place) {
    return masked.computeIfAbsent(
        place.side() + place.path(),
        key ->
            texts.apply(place).map(it -> SourceText.of(it.path(), Secrets.masked(it.content()))));
  }

  private void coverage(ReviewCoverage coverage) {
    out.append("<h2 id=\"coverage\">What was looked at</h2>\n<p>");
    out.append(line(review.seen())).append("</p>\n");
    if (!coverage.complete()) {
      out.append("<h3 class=\"major\">Without an answer</h3>\n<ul>");
      coverage.unanswered().stream()
          .limit(LISTED)
          .forEach(it -> out.append("<li>").append(line(it)).append("</li>"));
      out.append("</ul>\n");
    }
    if (!coverage.depths().isEmpty()) {
      out.append("<div class=\"wide\"><table class=\"plain\"><tr><th>language</th><th></th></tr>");
      coverage
          .depths()
          .forEach(
              it ->
                  out.append("<tr><td>")
                      .append(line(it.language()))
                      .append("</td><td>")
                      .append(line(it.words()))
                      .append("</td></tr>"));
      out.append("</table></div>\n");
    }
    if (!coverage.skipped().isEmpty()) {
      out.append("<details><summary>").append(coverage.skipped().size());
      out.append(" left out</summary><div class=\"wide\"><table class=\"plain\">");
      coverage.skipped().stream()
          .limit(LISTED)
          .forEach(
              it ->
                  out.append("<tr><td><code>")
                      .append(line(it.path()))
                      .append("</code></td><td>")
                      .append(line(it.reason()))
                      .append("</td></tr>"));
      out.append("</table></div></details>\n");
    }
  }

  private void usage(ReviewUsage usage) {
    out.append("<h2 id=\"cost\">What it cost</h2>\n<p>").append(line(usage.words()));
    out.append(", ended by ").append(usage.ending()).append("</p>\n");
    out.append("<div class=\"wide\"><table class=\"plain\"><tr><th>lens</th><th>tokens</th></tr>");
    usage
        .byLens()
        .forEach(
            (lens, tokens) ->
                out.append("<tr><td>")
                    .append(line(lens))
                    .append("</td><td class=\"number\">")
                    .append(String.format(Locale.ROOT, "%,d", tokens))
                    .append("</td></tr>"));
    out.append("</table></div>\n");
  }

  private static String where(Place place) {
    return switch (place) {
      case Place.Lines at ->
          at.path()
              + ":"
              + at.line()
              + (at.endLine() > at.line() ? "-" + at.endLine() : "")
              + (at.side() == DiffSide.LEFT ? " (before the change)" : "");
      case Place.File file -> file.path();
      case Place.Whole whole -> "everything";
    };
  }

  /** What is safe as a name in an attribute. */
  private static String word(String text) {
    return text.replaceAll("[^A-Za-z0-9_-]", "-");
  }

  private static String line(String text) {
    return XmlText.of(SafeText.line(text));
  }

  private static String text(String text) {
    return XmlText.of(SafeText.lines(SafeText.cut(text, LONGEST_TEXT))).replace("&#10;", "\n");
  }

  private static String hash(String text) {
    return Base64.getEncoder().encodeToString(Sha256.of(text));
  }

  private static String resource(String name) {
    try (var in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
