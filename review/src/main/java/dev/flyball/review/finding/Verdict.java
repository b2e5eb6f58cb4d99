package dev.flyball.review.finding;

import java.util.Collection;
import java.util.Locale;

/** What a review comes to. */
public enum Verdict {
  APPROVED,
  APPROVED_WITH_COMMENTS,
  NEEDS_WORK,
  CHANGES_REQUESTED,
  /** Something that should have been answered was not; whatever was found, nothing is approved. */
  INCOMPLETE,
  /** No model was asked, so that nothing is approved either. */
  STATIC_ONLY;

  /** Of a review that models took part in. What the baseline knows does not count. */
  public static Verdict of(Collection<Finding> findings, Coverage coverage) {
    if (!coverage.complete()) {
      return INCOMPLETE;
    }
    return Severity.gravest(
            findings.stream()
                .filter(finding -> !finding.baseline())
                .map(Finding::severity)
                .toList())
        .map(
            gravest ->
                switch (gravest) {
                  case CRITICAL -> CHANGES_REQUESTED;
                  case MAJOR -> NEEDS_WORK;
                  case MINOR -> APPROVED_WITH_COMMENTS;
                })
        .orElse(APPROVED);
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
