package dev.flyball.scheduler;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counters of a lane, or of several lanes added up. A call that may go in several lanes comes in by
 * the first that it names, and its attempts and its end count where they were.
 *
 * @param total calls that came in
 * @param completed calls that were answered
 * @param errored calls that ended without an answer
 * @param attempts attempts that were sent
 * @param throttled attempts that the provider's limits turned away
 * @param throttledBy the same by {@link Event.Throttled#why}: a dimension, "acceleration" or
 *     "unstated"
 * @param retried attempts after a call's first
 * @param waited time that calls waited, by what they waited for
 * @param latency how long attempts took
 */
public record Metrics(
    long total,
    long completed,
    long errored,
    long attempts,
    long throttled,
    Map<String, Long> throttledBy,
    long retried,
    Map<Constraint, Duration> waited,
    Latency latency) {
  /** Nothing has happened. */
  public static final Metrics NONE =
      new Metrics(0, 0, 0, 0, 0, Map.of(), 0, Map.of(), Latency.UNKNOWN);

  /**
   * The time that the last attempts took.
   *
   * @param count how many attempts there were in all
   * @param mean of the last 512
   * @param p50 half of these were quicker
   * @param p90 nine tenths of these were quicker
   * @param p99 all but one in a hundred were quicker
   */
  public record Latency(long count, Duration mean, Duration p50, Duration p90, Duration p99) {
    static final Latency UNKNOWN =
        new Latency(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Of both; the percentiles are those of the slower, so that a sum never looks too good. */
    Latency plus(Latency other) {
      if (count == 0 || other.count == 0) {
        return count == 0 ? other : this;
      }
      long all = count + other.count;
      return new Latency(
          all,
          mean.multipliedBy(count).plus(other.mean.multipliedBy(other.count)).dividedBy(all),
          p50.compareTo(other.p50) > 0 ? p50 : other.p50,
          p90.compareTo(other.p90) > 0 ? p90 : other.p90,
          p99.compareTo(other.p99) > 0 ? p99 : other.p99);
    }
  }

  Metrics plus(Metrics other) {
    var by = new HashMap<>(throttledBy);
    other.throttledBy.forEach((name, count) -> by.merge(name, count, Long::sum));
    var waits = new HashMap<>(waited);
    other.waited.forEach((constraint, time) -> waits.merge(constraint, time, Duration::plus));
    return new Metrics(
        total + other.total,
        completed + other.completed,
        errored + other.errored,
        attempts + other.attempts,
        throttled + other.throttled,
        Map.copyOf(by),
        retried + other.retried,
        Map.copyOf(waits),
        latency.plus(other.latency));
  }

  /** The counters of one lane, under its lock. */
  static final class Counters {
    private static final int LAST = 512;
    private static final int FEW = 32;

    long total;
    long completed;
    long errored;
    long attempts;
    long throttled;
    long retried;
    private final Map<String, Long> throttledBy = new HashMap<>();
    private final Map<Constraint, Long> waited = new HashMap<>();
    private final long[] latencies = new long[LAST];
    private long settled;

    void throttledBy(String dimension) {
      throttled++;
      throttledBy.merge(dimension, 1L, Long::sum);
    }

    void waited(Constraint constraint, long nanos) {
      if (nanos > 0) {
        waited.merge(constraint, nanos, Long::sum);
      }
    }

    void took(long nanos) {
      latencies[(int) (settled++ % LAST)] = nanos;
    }

    /** Of the last few attempts, in nanoseconds; 0 if there was none. */
    long meanLatency() {
      int count = (int) Math.min(settled, FEW);
      long sum = 0;
      for (int i = 1; i <= count; i++) {
        sum += latencies[(int) ((settled - i) % LAST)];
      }
      return count == 0 ? 0 : sum / count;
    }

    boolean anySettled() {
      return settled > 0;
    }

    Metrics metrics() {
      var waits = new HashMap<Constraint, Duration>();
      waited.forEach((constraint, nanos) -> waits.put(constraint, Duration.ofNanos(nanos)));
      return new Metrics(
          total,
          completed,
          errored,
          attempts,
          throttled,
          Map.copyOf(throttledBy),
          retried,
          Map.copyOf(waits),
          latency());
    }

    private Latency latency() {
      int count = (int) Math.min(settled, LAST);
      if (count == 0) {
        return Latency.UNKNOWN;
      }
      long[] sorted = Arrays.copyOf(latencies, count);
      Arrays.sort(sorted);
      return new Latency(
          settled,
          Duration.ofNanos(Arrays.stream(sorted).sum() / count),
          at(sorted, 0.5),
          at(sorted, 0.9),
          at(sorted, 0.99));
    }

    private static Duration at(long[] sorted, double part) {
      return Duration.ofNanos(sorted[(int) Math.ceil(part * sorted.length) - 1]);
    }
  }
}
