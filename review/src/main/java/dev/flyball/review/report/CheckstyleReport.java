package dev.flyball.review.report;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A review in the form of Checkstyle's XML, which many build servers and editors read: files, and
 * in each its errors. What is about no file is under the name {@code .}, because an error has to be
 * in one.
 */
public final class CheckstyleReport {
  private CheckstyleReport() {}

  public static String of(Review review) {
    Map<String, List<Finding>> files = new TreeMap<>();
    for (var finding : review.findings()) {
      if (!finding.baseline() && finding.refuted().isEmpty()) {
        files
            .computeIfAbsent(finding.place().file().orElse("."), path -> new ArrayList<>())
            .add(finding);
      }
    }
    var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.append("<checkstyle version=\"10.0\">\n");
    files.forEach(
        (path, findings) -> {
          text.append("  <file name=\"").append(XmlText.of(path)).append("\">\n");
          findings.forEach(finding -> error(finding, text));
          text.append("  </file>\n");
        });
    return text.append("</checkstyle>\n").toString();
  }

  private static void error(Finding finding, StringBuilder text) {
    var claim = finding.claim();
    text.append("    <error");
    if (claim.place() instanceof Place.Lines at && at.side() == DiffSide.RIGHT) {
      text.append(" line=\"").append(at.line()).append("\" column=\"").append(at.column());
      text.append('"');
    } else {
      text.append(" line=\"1\"");
    }
    var severity =
        switch (finding.severity()) {
          case CRITICAL -> "error";
          case MAJOR -> "warning";
          case MINOR -> "info";
        };
    text.append(" severity=\"").append(severity).append("\" message=\"");
    text.append(XmlText.of(SafeText.line(claim.title() + ": " + claim.message())));
    text.append("\" source=\"flyball.").append(XmlText.of(SafeText.line(claim.rule())));
    text.append("\"/>\n");
  }
}
