package dev.flyball.history.record;

import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.Map;

/**
 * The sums of one group of attempts.
 *
 * @param group the group's value of each {@link UsageGrouping} that was asked for; a day as {@code
 *     2026-11-16}
 * @param retried attempts that were not the first at their call
 * @param usage tokens, and the cost of those attempts whose price was known
 * @param wasted tokens of attempts that were not answered
 * @param mostTokens of one attempt
 * @param unpriced attempts whose price was not known
 */
public record UsageRow(
    Map<UsageGrouping, String> group,
    long attempts,
    long answered,
    long throttled,
    long retried,
    Usage usage,
    long wasted,
    long mostTokens,
    Duration latency,
    Duration longest,
    long unpriced) {}
