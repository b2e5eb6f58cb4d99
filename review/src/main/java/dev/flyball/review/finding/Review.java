package dev.flyball.review.finding;

import java.util.List;
import java.util.Optional;

/**
 * The outcome of a review: what was found, and in how much of what there was.
 *
 * @param findings the gravest first
 * @param contradictions pairs of them, and of what was overruled, that cannot both be followed
 * @param usage empty if no model was asked
 */
public record Review(
    Verdict verdict,
    String mode,
    ReviewCoverage coverage,
    List<Finding> findings,
    List<Contradiction> contradictions,
    Optional<ReviewUsage> usage) {
  public Review {
    findings = findings.stream().sorted(Finding.ORDER).toList();
    contradictions = List.copyOf(contradictions);
  }

  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** How much was seen, in words: checks without a model see less than a review. */
  public String seen() {
    boolean checked = verdict == Verdict.STATIC_ONLY;
    var seen =
        "%d of %d file%s %s"
            .formatted(
                coverage.reviewed(),
                coverage.files(),
                coverage.files() == 1 ? "" : "s",
                checked ? "checked for defects" : "reviewed");
    return coverage.copiesOnly().isEmpty()
        ? seen
        : seen + ", %d only for copies and unused code".formatted(coverage.copiesOnly().size());
  }
}
