package dev.flyball.review.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Severity;

/**
 * A review in the form of GitLab's Code Quality reports. GitLab compares that of a branch with that
 * of its target by the fingerprints, which are the ids of the findings: they say nothing of lines,
 * and two findings never have the same. What is about no file is left out, because each entry needs
 * one; so is what the baseline knows.
 */
public final class CodeQualityReport {
  private static final int LONGEST = 1_000;

  private CodeQualityReport() {}

  public static String of(Review review) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var finding : review.findings()) {
      var path = finding.place().file();
      if (path.isEmpty() || finding.baseline() || finding.refuted().isPresent()) {
        continue;
      }
      var node = all.addObject();
      node.put("description", SafeText.cut(description(finding.claim()), LONGEST));
      node.put("check_name", SafeText.line(finding.rule())).put("fingerprint", finding.id());
      node.put("severity", severity(finding));
      node.putObject("location")
          .put("path", path.get())
          .putObject("lines")
          .put("begin", finding.place() instanceof Place.Lines at ? at.line() : 1);
    }
    return AsciiJson.pretty(all) + "\n";
  }

  private static String description(Claim claim) {
    return SafeText.line(claim.title() + ": " + claim.message());
  }

  private static String severity(Finding finding) {
    return finding.severity() == Severity.CRITICAL
        ? "critical"
        : finding.severity() == Severity.MAJOR ? "major" : "minor";
  }
}
