package dev.flyball.review.report;

import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A review in the form of JUnit's XML, as build servers read it. A file is a suite and a rule in it
 * a test: it fails by findings that stop the build, and tells of others in its output. What had no
 * answer is an error: nobody knows whether it would have passed. A review that found nothing is one
 * test that passed.
 */
public final class JUnitReport {
  private static final String WHOLE = "the change as a whole";
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

  /** A test of a suite. */
  private record Case(String suite, String rule, List<Finding> findings) {}

  private JUnitReport() {}

  /**
   * Writes it.
   *
   * @param gate what stops the build
   * @param at when it was made
   */
  public static String of(Review review, Gate gate, Instant at) {
    Map<String, Map<String, Case>> suites = new LinkedHashMap<>();
    for (var finding : review.findings()) {
      var file = finding.place().file().orElse(WHOLE);
      suites
          .computeIfAbsent(file, name -> new LinkedHashMap<>())
          .computeIfAbsent(finding.rule(), rule -> new Case(file, rule, new ArrayList<>()))
          .findings()
          .add(finding);
    }
    var unanswered = review.coverage().unanswered();
    int tests = suites.values().stream().mapToInt(Map::size).sum();
    long failures =
        suites.values().stream()
            .flatMap(suite -> suite.values().stream())
            .filter(each -> fails(each, gate))
            .count();
    boolean clean = suites.isEmpty() && unanswered.isEmpty();
    double seconds = review.usage().map(it -> it.took().toMillis() / 1e3).orElse(0.0);
    var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.append(
        "<testsuites name=\"flyball\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%s\">\n"
            .formatted(
                tests + unanswered.size() + (clean ? 1 : 0),
                failures,
                unanswered.size(),
                time(seconds)));
    suites.forEach((name, cases) -> suite(name, cases.values().stream().toList(), gate, at, text));
    if (!unanswered.isEmpty()) {
      head("without an answer", unanswered.size(), 0, unanswered.size(), 0, at, text);
      for (var what : unanswered) {
        text.append("    <testcase name=\"").append(xml(what));
        text.append("\" classname=\"without an answer\" time=\"0\">\n");
        text.append("      <error message=\"not reviewed\" type=\"incomplete\"/>\n");
        text.append("    </testcase>\n");
      }
      text.append("  </testsuite>\n");
    }
    if (clean) {
      head("review", 1, 0, 0, seconds, at, text);
      text.append("    <testcase name=\"").append(xml(review.verdict().words()));
      text.append("\" classname=\"review\" time=\"").append(time(seconds)).append("\"/>\n");
      text.append("  </testsuite>\n");
    }
    return text.append("</testsuites>\n").toString();
  }

  private static void suite(
      String name, List<Case> cases, Gate gate, Instant at, StringBuilder text) {
    int failures = (int) cases.stream().filter(each -> fails(each, gate)).count();
    head(name, cases.size(), failures, 0, 0, at, text);
    for (var each : cases) {
      text.append("    <testcase name=\"").append(xml(each.rule())).append("\" classname=\"");
      text.append(xml(name)).append("\" time=\"0\">\n");
      var stopping = each.findings().stream().filter(gate::stops).toList();
      var others = each.findings().stream().filter(it -> !gate.stops(it)).toList();
      if (!stopping.isEmpty()) {
        var first = stopping.getFirst();
        text.append("      <failure message=\"").append(xml(first.claim().title()));
        text.append("\" type=\"").append(first.severity()).append("\">");
        stopping.forEach(it -> text.append(XmlText.of(words(it))));
        text.append("</failure>\n");
      }
      if (!others.isEmpty()) {
        text.append("      <system-out>");
        others.forEach(it -> text.append(XmlText.of(words(it))));
        text.append("</system-out>\n");
      }
      text.append("    </testcase>\n");
    }
    text.append("  </testsuite>\n");
  }

  private static void head(
      String name,
      int tests,
      int failures,
      int errors,
      double seconds,
      Instant at,
      StringBuilder text) {
    text.append("  <testsuite name=\"").append(xml(name)).append("\" tests=\"").append(tests);
    text.append("\" failures=\"").append(failures).append("\" errors=\"").append(errors);
    text.append("\" skipped=\"0\" time=\"").append(time(seconds)).append("\" timestamp=\"");
    text.append(MOMENT.format(at)).append("\" hostname=\"localhost\">\n");
  }

  private static boolean fails(Case each, Gate gate) {
    return each.findings().stream().anyMatch(gate::stops);
  }

  private static String words(Finding finding) {
    var claim = finding.claim();
    var where = claim.place() instanceof Place.Lines at ? at.path() + ":" + at.line() + ": " : "";
    return SafeText.lines(
        "%s%s: %s%s\n"
            .formatted(
                where,
                finding.severity(),
                claim.title() + "\n" + claim.message(),
                claim.suggestion().map(it -> "\n" + it).orElse("")));
  }

  private static String xml(String text) {
    return XmlText.of(SafeText.line(text));
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }
}
