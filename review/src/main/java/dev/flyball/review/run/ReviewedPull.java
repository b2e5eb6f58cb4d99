package dev.flyball.review.run;

import dev.flyball.history.record.PastReview;
import java.time.Instant;

/**
 * The pull request that a review is of, as the history knows it.
 *
 * @param platform the host
 * @param head the commit that was reviewed
 */
public record ReviewedPull(
    String platform, String repository, String number, Instant updated, String head) {
  PastReview.Key key() {
    return new PastReview.Key(platform, repository, number, updated);
  }
}
