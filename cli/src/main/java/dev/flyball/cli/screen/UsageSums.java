package dev.flyball.cli.screen;

import dev.flyball.call.Usage;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sums of what was used between two moments: by groups, and by days. */
public record UsageSums(
    Instant since,
    Instant until,
    Set<UsageGrouping> by,
    AnswerOrigin origin,
    List<UsageRow> rows,
    List<UsageRow> days) {

  /** All groups as one. */
  UsageRow total() {
    return rows.stream().reduce(NOTHING, UsageSums::plus);
  }

  private static final UsageRow NOTHING =
      new UsageRow(Map.of(), 0, 0, 0, 0, Usage.NONE, 0, 0, Duration.ZERO, Duration.ZERO, 0);

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
  static long calls(UsageRow row) {
    return row.attempts() - row.retried();
  }

  static long meanTokens(UsageRow row) {
    return row.usage().tokens() / Math.max(1, row.attempts());
  }

  static Duration meanLatency(UsageRow row) {
    return row.latency().dividedBy(Math.max(1, row.attempts()));
  }
}
