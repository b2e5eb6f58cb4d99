package dev.flyball.review.report;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A review as workflow commands of GitHub Actions, which shows them beside the lines. It shows ten
 * of a kind a step; those are the gravest, and the last line counts the others. What the baseline
 * knows is not shown. Into a file all of them are written.
 */
public final class AnnotationReport {
  private static final int SHOWN_OF_A_KIND = 10;
  private static final int LONGEST = 4_000;
  private static final int LONGEST_TITLE = 200;

  private AnnotationReport() {}

  /** What is shown of a step. */
  public static String of(Review review) {
    return of(review, SHOWN_OF_A_KIND);
  }

  /** All findings. */
  public static String all(Review review) {
    return of(review, Integer.MAX_VALUE);
  }

  private static String of(Review review, int ofKind) {
    var text = new StringBuilder();
    var shown = new EnumMap<Severity, Integer>(Severity.class);
    int more = 0;
    for (var finding : review.findings()) {
      if (finding.baseline()) {
        continue;
      }
      if (shown.merge(finding.severity(), 1, Integer::sum) > ofKind) {
        more++;
      } else {
        text.append(command(finding)).append('\n');
      }
    }
    if (!review.coverage().complete()) {
      text.append("::warning title=Not everything was reviewed::")
          .append(review.coverage().unanswered().size())
          .append(" without an answer: ")
          .append(
              data(SafeText.cut(String.join(", ", review.coverage().unanswered()), LONGEST_TITLE)))
          .append('\n');
    }
    if (more > 0) {
      text.append(more).append(more == 1 ? " more finding is" : " more findings are");
      text.append(" in the summary\n");
    }
    return text.toString();
  }

  private static String command(Finding finding) {
    var claim = finding.claim();
    Map<String, String> properties = new LinkedHashMap<>();
    claim.place().file().ifPresent(file -> properties.put("file", file));
    if (claim.place() instanceof Place.Lines lines && lines.side() == DiffSide.RIGHT) {
      properties.put("line", Integer.toString(lines.line()));
      properties.put("endLine", Integer.toString(lines.endLine()));
      if (lines.line() == lines.endLine()) {
        properties.put("col", Integer.toString(lines.column()));
        properties.put("endColumn", Integer.toString(lines.endColumn()));
      }
    }
    properties.put("title", SafeText.cut(claim.title(), LONGEST_TITLE));
    var message = new StringBuilder(claim.message());
    claim.suggestion().ifPresent(advice -> message.append('\n').append(advice));
    if (claim.place() instanceof Place.Lines lines && lines.side() == DiffSide.LEFT) {
      message.append("\nThis is about line ").append(lines.line());
      message.append(" before the change, which the change removes.");
    }
    message.append("\n(").append(claim.rule()).append(')');
    return properties.entrySet().stream()
            .map(property -> property.getKey() + "=" + property(property.getValue()))
            .collect(Collectors.joining(",", "::" + kind(finding.severity()) + " ", "::"))
        + data(SafeText.cut(message.toString(), LONGEST));
  }

  private static String kind(Severity severity) {
    return switch (severity) {
      case CRITICAL -> "error";
      case MAJOR -> "warning";
      case MINOR -> "notice";
    };
  }

  private static String data(String text) {
    return SafeText.withoutCommands(SafeText.lines(text))
        .replace("%", "%25")
        .replace("\r", "%0D")
        .replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(SafeText.line(text)).replace(":", "%3A").replace(",", "%2C");
  }
}
