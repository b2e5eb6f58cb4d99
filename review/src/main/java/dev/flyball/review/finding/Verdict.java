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
  /** The answers were made up on this machine, so that nothing is approved. */
  SIMULATED,
  /** No model was asked, so that nothing is approved either. */
  STATIC_ONLY,
  /** There was nothing that a model could be asked about, and no source among it. */
  NOTHING_TO_REVIEW;

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
    return findings.stream().allMatch(it -> it.baseline() || it.refuted().isPresent())
        ? APPROVED
        : APPROVED_WITH_COMMENTS;
  }

  /**
   * Of a review in which there was no question to ask.
   *
   * @param source whether there is any source that no rule leaves out
   */
  public static Verdict ofNothingAsked(ReviewCoverage coverage, boolean source) {
    return source || !coverage.complete() ? INCOMPLETE : NOTHING_TO_REVIEW;
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
