package dev.flyball.review.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.SourceText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A review in reviewdog's format of diagnostics, whole or one a line. Its columns count bytes of
 * UTF-8; where the text of a line is not at hand, a range has lines alone. Lines before a change
 * cannot be named there, so of what is about them only the file is.
 */
public final class DiagnosticReport {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int LONGEST = 4_000;

  private DiagnosticReport() {}

  /** As one object, {@code rdjson}. */
  public static String whole(Review review, Function<Place.Lines, Optional<SourceText>> texts) {
    var node = NODES.objectNode();
    node.putObject("source").put("name", "flyball");
    var list = node.putArray("diagnostics");
    shown(review).forEach(finding -> list.add(diagnostic(finding, texts, false)));
    return AsciiJson.pretty(node) + "\n";
  }

  /** One a line, {@code rdjsonl}. */
  public static String lines(Review review, Function<Place.Lines, Optional<SourceText>> texts) {
    return shown(review).stream()
        .map(finding -> AsciiJson.compact(diagnostic(finding, texts, true)) + "\n")
        .collect(Collectors.joining());
  }

  private static List<Finding> shown(Review review) {
    return review.findings().stream()
        .filter(
            finding ->
                !finding.baseline()
                    && finding.refuted().isEmpty()
                    && finding.place().file().isPresent())
        .toList();
  }

  private static ObjectNode diagnostic(
      Finding finding, Function<Place.Lines, Optional<SourceText>> texts, boolean alone) {
    var claim = finding.claim();
    var node = NODES.objectNode();
    node.put(
        "message", SafeText.cut(SafeText.lines(claim.title() + "\n" + claim.message()), LONGEST));
    var location = node.putObject("location").put("path", claim.place().file().orElseThrow());
    var text =
        claim.place() instanceof Place.Lines at ? texts.apply(at) : Optional.<SourceText>empty();
    if (claim.place() instanceof Place.Lines at && at.side() == DiffSide.RIGHT) {
      location.set("range", range(at, text));
    }
    node.put(
        "severity",
        switch (finding.severity()) {
          case CRITICAL -> "ERROR";
          case MAJOR -> "WARNING";
          case MINOR -> "INFO";
        });
    if (alone) {
      node.putObject("source").put("name", "flyball");
    }
    node.putObject("code").put("value", SafeText.line(claim.rule()));
    if (claim.place() instanceof Place.Lines at && at.side() == DiffSide.RIGHT) {
      FindingComment.replacement(finding, text)
          .ifPresent(
              fresh -> {
                // Without columns a range is of whole lines.
                var suggestion = node.putArray("suggestions").addObject();
                var range = suggestion.putObject("range");
                range.putObject("start").put("line", at.line());
                range.putObject("end").put("line", at.endLine());
                suggestion.put("text", fresh);
              });
    }
    return node;
  }

  private static ObjectNode range(Place.Lines at, Optional<SourceText> text) {
    var range = NODES.objectNode();
    var start = range.putObject("start").put("line", at.line());
    var end = range.putObject("end").put("line", at.endLine());
    if (text.filter(it -> at.endLine() <= it.lines()).isPresent()) {
      start.put("column", bytes(text.get().line(at.line()), at.column()));
      end.put("column", bytes(text.get().line(at.endLine()), at.endColumn()));
    }
    return range;
  }

  /** The byte, from 1, that a UTF-16 column begins with. */
  private static int bytes(String line, int column) {
    int end = Math.min(line.length(), column - 1);
    return line.substring(0, end).getBytes(StandardCharsets.UTF_8).length + 1;
  }
}
