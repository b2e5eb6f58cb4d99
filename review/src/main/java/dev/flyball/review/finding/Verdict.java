package dev.flyball.review.finding;

import java.util.Collection;
import java.util.Locale;

/** The conclusion of a review. */
public enum Verdict {
  APPROVED,
  APPROVED_WITH_COMMENTS,
  NEEDS_WORK,
  CHANGES_REQUESTED,
  /** Something that should have been answered was not; whatever was found, nothing is approved. */
  INCOMPLETE,
  /** No model was asked, so that nothing is approved either. */
  STATIC_ONLY;

  private static final int MAJOR_TO_PUT_UP_WITH = 3;

  /** Of a review that models took part in. What the baseline knows does not count. */
  public static Verdict of(Collection<Finding> findings, ReviewCoverage coverage) {
    if (!coverage.complete()) {
      return INCOMPLETE;
    }
    var counted = findings.stream().filter(Finding::counts).map(Finding::severity).toList();
    long major = counted.stream().filter(severity -> severity == Severity.MAJOR).count();
    if (counted.contains(Severity.CRITICAL)) {
      return CHANGES_REQUESTED;
    }
    if (major > MAJOR_TO_PUT_UP_WITH) {
      return NEEDS_WORK;
    }
    return findings.stream().allMatch(Finding::baseline) ? APPROVED : APPROVED_WITH_COMMENTS;
  }

  /** As people read it. */
  public String words() {
    return toString().replace('_', ' ');
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
