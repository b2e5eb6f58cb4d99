package dev.flyball.scheduler;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Counts what a lane does, under its lock. */
final class LaneCounters {
  private static final int LAST = 512;

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

  private Metrics.Latency latency() {
    int count = (int) Math.min(settled, LAST);
    if (count == 0) {
      return Metrics.Latency.UNKNOWN;
    }
    long[] sorted = Arrays.copyOf(latencies, count);
    Arrays.sort(sorted);
    return new Metrics.Latency(
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
