package dev.flyball.history.record;

import dev.flyball.call.Cost;
import java.time.Duration;
import java.util.Map;

/**
 * The sums of one group of reviews, of which each change in one state is one.
 *
 * @param group the group's value of each {@link UsageGrouping} that was asked for
 * @param mostTokens of one review
 * @param longest of one review
 * @param cost of those whose cost is known
 * @param unpriced reviews whose cost is not known, or not all of it
 */
public record ReviewSums(
    Map<UsageGrouping, String> group,
    long reviews,
    long tokens,
    long mostTokens,
    Duration took,
    Duration longest,
    Cost cost,
    long unpriced) {
  public static final ReviewSums NONE =
      new ReviewSums(Map.of(), 0, 0, 0, Duration.ZERO, Duration.ZERO, Cost.NOTHING, 0);

  /** Both groups as one. */
  public ReviewSums plus(ReviewSums other) {
    return new ReviewSums(
        Map.of(),
        reviews + other.reviews,
        tokens + other.tokens,
        Math.max(mostTokens, other.mostTokens),
        took.plus(other.took),
        longest.compareTo(other.longest) > 0 ? longest : other.longest,
        cost.plus(other.cost),
        unpriced + other.unpriced);
  }

  public long meanTokens() {
    return tokens / Math.max(1, reviews);
  }

  public Duration meanTime() {
    return took.dividedBy(Math.max(1, reviews));
  }

  /** Reviews whose cost is known. */
  public long priced() {
    return reviews - unpriced;
  }

  /** What one cost, of those whose cost is known. */
  public Cost meanCost() {
    return new Cost(Math.round((double) cost.micros() / Math.max(1, priced())));
  }
}
