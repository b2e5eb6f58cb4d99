package dev.flyball.review.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * A review as SARIF 2.1.0, within what GitHub takes of it.
 *
 * <p>GitHub wants a place for every result, so a finding about everything is a notification. What
 * had no answer makes the run unsuccessful; a file that was left out on purpose is only noted. Past
 * a limit of GitHub the gravest findings stay, and a notification counts the others.
 */
public final class SarifReport {
  static final int MOST_RESULTS = 25_000;
  static final int LONGEST_TEXT = 1_024;
  static final int MOST_TAGS = 20;
  static final int MOST_ZIPPED = 10_000_000;
  private static final int MOST_NOTIFICATIONS = 1_000;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * The maker of the review.
   *
   * @param version such as {@code 0.1.0}
   * @param models those that were asked
   * @param rules what is known of rules, by id; of others the findings have to tell
   */
  public record Tool(String version, List<String> models, Map<String, CheckRule> rules) {
    public Tool {
      models = List.copyOf(models);
      rules = Map.copyOf(rules);
    }
  }

  private SarifReport() {}

  public static String of(Review review, Tool tool) {
    var placed =
        review.findings().stream().filter(f -> !(f.place() instanceof Place.Whole)).toList();
    int most = Math.min(placed.size(), MOST_RESULTS);
    while (true) {
      var log = log(review, tool, placed.subList(0, most), placed.size() - most);
      var text = AsciiJson.compact(log) + "\n";
      if (most == 0 || !tooLarge(text)) {
        return text;
      }
      most /= 2;
    }
  }

  private static ObjectNode log(Review review, Tool tool, List<Finding> results, int left) {
    Map<String, List<Finding>> byRule = new LinkedHashMap<>();
    for (var finding : results) {
      byRule.computeIfAbsent(ruleId(finding), id -> new ArrayList<>()).add(finding);
    }
    var log = NODES.objectNode();
    log.put(
        "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
    log.put("version", "2.1.0");
    var run = log.putArray("runs").addObject();
    var driver = run.putObject("tool").putObject("driver");
    driver.put("name", "Flyball");
    driver.put("version", tool.version());
    var rules = driver.putArray("rules");
    byRule.forEach((id, findings) -> rules.add(rule(id, findings, tool)));
    if (!tool.models().isEmpty()) {
      var extensions = ((ObjectNode) run.get("tool")).putArray("extensions");
      tool.models().forEach(model -> extensions.addObject().put("name", text(model)));
    }
    run.putObject("automationDetails").put("id", "flyball/");
    run.put("columnKind", "utf16CodeUnits");
    run.putArray("invocations").add(invocation(review, left));
    var indices = new ArrayList<>(byRule.keySet());
    Map<String, Integer> index = new LinkedHashMap<>();
    indices.forEach(id -> index.put(id, index.size()));
    var list = run.putArray("results");
    results.forEach(finding -> list.add(result(finding, index)));
    return log;
  }

  private static ObjectNode rule(String id, List<Finding> findings, Tool tool) {
    var first = findings.getFirst();
    var known = Optional.ofNullable(tool.rules().get(first.rule()));
    var gravest =
        Severity.gravest(findings.stream().map(Finding::severity).toList())
            .orElse(first.severity());
    double confidence =
        findings.stream().mapToDouble(finding -> finding.claim().confidence()).min().orElse(0);
    var node = NODES.objectNode();
    node.put("id", id);
    node.putObject("shortDescription").put("text", text(known.map(CheckRule::title).orElse(id)));
    node.putObject("fullDescription")
        .put(
            "text",
            text(
                known
                    .map(CheckRule::message)
                    .orElse("What a review for " + first.category() + " found: " + id + ".")));
    node.putObject("help")
        .put(
            "text",
            text(
                known
                    .map(rule -> rule.advice() + " " + silence(rule))
                    .orElse("Read the finding, and fix it or dismiss it.")))
        .put(
            "markdown",
            known.map(SarifReport::help).orElse("Read the finding, and fix it or dismiss it."));
    node.putObject("defaultConfiguration").put("level", level(gravest));
    var properties = node.putObject("properties");
    properties.put("precision", precision(confidence));
    if (first.category() == Category.SECURITY) {
      properties.put("security-severity", securitySeverity(gravest));
    } else {
      properties.put("problem.severity", problem(gravest));
    }
    var tags = properties.putArray("tags");
    var words = new TreeSet<String>();
    findings.forEach(finding -> finding.claim().lenses().forEach(lens -> words.add(text(lens))));
    known.ifPresent(
        rule -> {
          words.addAll(rule.tags());
          rule.cwe()
              .forEach(
                  number -> words.add(String.format(Locale.ROOT, "external/cwe/cwe-%03d", number)));
        });
    words.remove(first.category().toString());
    tags.add(first.category().toString());
    words.stream().limit(MOST_TAGS - 1).forEach(tags::add);
    return node;
  }

  /** What a rule is about, at length, as GitHub shows it beside a result. */
  private static String help(CheckRule rule) {
    var text = new StringBuilder("## ").append(rule.title()).append("\n\n");
    text.append(rule.message()).append("\n\n");
    if (!rule.why().isEmpty()) {
      text.append(rule.why()).append("\n\n");
    }
    text.append("**What to do.** ").append(rule.advice()).append("\n\n");
    if (!rule.cwe().isEmpty()) {
      text.append("**Weaknesses.** ");
      text.append(
          rule.cwe().stream().map(number -> "CWE-" + number).collect(Collectors.joining(", ")));
      text.append("\n\n");
    }
    rule.measured()
        .ifPresent(
            measured ->
                text.append(
                    "**Measured.** %d of %d findings were true (%s, %s).\n\n"
                        .formatted(
                            measured.right(), measured.of(), measured.date(), measured.sample())));
    return text.append("**To silence it.** ").append(silence(rule)).toString();
  }

  private static String silence(CheckRule rule) {
    return "Silence it by a comment `flyball:ignore %s reason` on the line, by `rules: {%s: off}` in flyball.yaml, or by the baseline."
        .formatted(rule.id(), rule.id());
  }

  private static ObjectNode result(Finding finding, Map<String, Integer> index) {
    var claim = finding.claim();
    var node = NODES.objectNode();
    var rule = ruleId(finding);
    node.put("ruleId", rule);
    node.put("ruleIndex", index.getOrDefault(rule, -1));
    node.put("level", level(finding.severity()));
    var message = new StringBuilder(claim.title());
    if (!claim.title().endsWith(".")) {
      message.append('.');
    }
    message.append(' ').append(claim.message());
    claim.suggestion().ifPresent(advice -> message.append(' ').append(advice));
    if (claim.place() instanceof Place.Lines lines && lines.side() == DiffSide.LEFT) {
      message.insert(0, "(Line %d before the change.) ".formatted(lines.line()));
    }
    node.putObject("message").put("text", text(message.toString()));
    var place = node.putArray("locations").addObject().putObject("physicalLocation");
    claim
        .place()
        .file()
        .ifPresent(file -> place.putObject("artifactLocation").put("uri", uri(file)));
    region(claim.place(), place.putObject("region"));
    node.putObject("partialFingerprints").put("primaryLocationLineHash", finding.id() + ":1");
    if (finding.baseline()) {
      node.put("baselineState", "unchanged");
      node.putArray("suppressions")
          .addObject()
          .put("kind", "external")
          .put("justification", "in the baseline");
    }
    var properties = node.putObject("properties");
    properties.put("severity", finding.severity().toString());
    properties.put("category", finding.category().toString());
    properties.put("confidence", claim.confidence());
    if (claim.place() instanceof Place.Lines lines && lines.side() == DiffSide.LEFT) {
      properties.put("side", lines.side().toString());
      properties.put("lineBeforeTheChange", lines.line());
    }
    return node;
  }

  /** The lines of the state before a change are not in the file that GitHub would show. */
  private static void region(Place place, ObjectNode region) {
    var lines =
        place instanceof Place.Lines l && l.side() == DiffSide.RIGHT
            ? l
            : new Place.Lines("file", 1, 1, 1, 1, DiffSide.RIGHT);
    region.put("startLine", lines.line());
    region.put("startColumn", lines.column());
    region.put("endLine", lines.endLine());
    region.put("endColumn", lines.endColumn());
  }

  private static ObjectNode invocation(Review review, int left) {
    var node = NODES.objectNode();
    var coverage = review.coverage();
    node.put("executionSuccessful", coverage.complete() && review.verdict() != Verdict.INCOMPLETE);
    var notes = node.putArray("toolExecutionNotifications");
    for (var unanswered : coverage.unanswered()) {
      if (notes.size() == MOST_NOTIFICATIONS) {
        break;
      }
      note(notes, "error", "Not reviewed, because there was no answer: " + unanswered);
    }
    for (var finding : review.findings()) {
      if (finding.place() instanceof Place.Whole && notes.size() < MOST_NOTIFICATIONS) {
        var claim = finding.claim();
        note(notes, level(finding.severity()), claim.title() + ": " + claim.message());
      }
    }
    for (var skipped : coverage.skipped()) {
      if (notes.size() == MOST_NOTIFICATIONS) {
        break;
      }
      note(notes, "note", "Skipped: " + skipped.path() + " (" + skipped.reason() + ")");
    }
    if (notes.size() == MOST_NOTIFICATIONS) {
      note(notes, "warning", "There are more: only the first are listed.");
    }
    if (left > 0) {
      note(notes, "warning", left + " findings are left out: GitHub takes no more in one file.");
    }
    return node;
  }

  private static void note(ArrayNode notes, String level, String text) {
    notes.addObject().put("level", level).putObject("message").put("text", text(text));
  }

  private static String ruleId(Finding finding) {
    return SafeText.cut(SafeText.line(finding.rule()), 255);
  }

  /** Never a link of SARIF, which would be {@code [words](target)}. */
  private static String text(String text) {
    var plain = SafeText.lines(text.strip()).replace("](", "] (");
    return plain.isEmpty() ? "-" : SafeText.cut(plain, LONGEST_TEXT);
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case CRITICAL, MAJOR -> "error";
      case MINOR -> "note";
    };
  }

  private static String problem(Severity severity) {
    return switch (severity) {
      case CRITICAL, MAJOR -> "error";
      case MINOR -> "recommendation";
    };
  }

  private static String securitySeverity(Severity severity) {
    return switch (severity) {
      case CRITICAL -> "9.5";
      case MAJOR -> "8.0";
      case MINOR -> "5.0";
    };
  }

  private static String precision(double confidence) {
    if (confidence >= 0.9) {
      return "very-high";
    }
    if (confidence >= 0.75) {
      return "high";
    }
    return confidence >= 0.5 ? "medium" : "low";
  }

  private static String uri(String path) {
    var uri = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (plain || "-._~/".indexOf(c) >= 0) {
        uri.append(c);
      } else {
        uri.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
      }
    }
    return uri.toString();
  }

  private static boolean tooLarge(String text) {
    if (text.length() < MOST_ZIPPED) {
      return false;
    }
    try (var counted = new Counted();
        var zip = new GZIPOutputStream(counted)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
      zip.finish();
      return counted.bytes > MOST_ZIPPED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stream that counts bytes and keeps none. */
  private static final class Counted extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
      bytes += length;
    }
  }
}
