package dev.flyball.history.record;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A review of a pull request, or of another change or folder, in one of its states. A second review
 * of the same state replaces the first, and so does a second one of the same commit or content.
 *
 * @param sha the commit that was reviewed, or what tells this content from any other; empty where
 *     neither is known
 */
public record PastReview(
    Key key,
    String sha,
    Instant reviewed,
    String decision,
    String summary,
    long tokensUsed,
    long tokenBudget,
    String executionMode,
    Duration took,
    List<Finding> findings) {
  public PastReview {
    findings = List.copyOf(findings);
  }

  /** A state of a pull request: where it is, and when it last changed. */
  public record Key(String platform, String repository, String pr, Instant updated) {}

  /**
   * A claim of a review.
   *
   * @param code the lines that it is about, as they were; empty where they are not known
   */
  public record Finding(
      String id,
      String file,
      int line,
      String severity,
      String category,
      String lens,
      String title,
      String text,
      double confidence,
      String code) {}
}
