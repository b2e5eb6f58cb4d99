package dev.flyball.history.record;

import dev.flyball.call.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sums of what was used between two moments: by groups, and by days.
 *
 * @param rows of calls, with one for each group that has only reviews
 * @param reviews by the same groups, where reviews have such groups
 */
public record UsageSums(
    Instant since,
    Instant until,
    Set<UsageGrouping> by,
    AnswerOrigin origin,
    List<UsageRow> rows,
    List<UsageRow> days,
    List<ReviewSums> reviews) {

  /** Nothing at all. */
  public static UsageSums none(
      Instant since, Instant until, Set<UsageGrouping> by, AnswerOrigin origin) {
    return new UsageSums(since, until, by, origin, List.of(), List.of(), List.of());
  }

  /** The same with reviews, whose groups are there even if nothing was called. */
  public UsageSums reviewing(List<ReviewSums> sums) {
    var all = new ArrayList<>(rows);
    var known = rows.stream().map(UsageRow::group).toList();
    sums.stream()
        .map(ReviewSums::group)
        .filter(group -> !known.contains(group))
        .forEach(group -> all.add(nothing(group)));
    return new UsageSums(since, until, by, origin, all, days, sums);
  }

  /** Whether reviews have the groups that are asked for. */
  public boolean isOfReviews() {
    return UsageGrouping.OF_REVIEWS.containsAll(by);
  }

  /** Whether calls have them. */
  public boolean isOfCalls() {
    return !by.contains(UsageGrouping.REVIEW);
  }

  /** The reviews of a group; of the total, all of them. */
  public ReviewSums reviews(UsageRow row) {
    return reviews.stream()
        .filter(each -> row.group().isEmpty() || each.group().equals(row.group()))
        .reduce(ReviewSums.NONE, ReviewSums::plus);
  }

  /** All groups as one. */
  public UsageRow total() {
    return rows.stream().reduce(NOTHING, UsageSums::plus);
  }

  private static final UsageRow NOTHING = nothing(Map.of());

  private static UsageRow nothing(Map<UsageGrouping, String> group) {
    return new UsageRow(group, 0, 0, 0, 0, Usage.NONE, 0, 0, Duration.ZERO, Duration.ZERO, 0);
  }

  private static UsageRow plus(UsageRow one, UsageRow other) {
    return new UsageRow(
        Map.of(),
        one.attempts() + other.attempts(),
        one.answered() + other.answered(),
        one.throttled() + other.throttled(),
        one.retried() + other.retried(),
        one.usage().plus(other.usage()),
        one.wasted() + other.wasted(),
        Math.max(one.mostTokens(), other.mostTokens()),
        one.latency().plus(other.latency()),
        one.longest().compareTo(other.longest()) > 0 ? one.longest() : other.longest(),
        one.unpriced() + other.unpriced());
  }

  /** First tries; the others are retries of the same calls. */
  public static long calls(UsageRow row) {
    return row.attempts() - row.retried();
  }

  /** What an attempt used on average. */
  public static long meanTokens(UsageRow row) {
    return row.usage().tokens() / Math.max(1, row.attempts());
  }

  /** How long an attempt took on average. */
  public static Duration meanLatency(UsageRow row) {
    return row.latency().dividedBy(Math.max(1, row.attempts()));
  }
}
