package dev.flyball.call;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often a failed call is tried again, and after which pause: {@code base} × 2ⁿ, at most {@code
 * cap}, spread by {@code jitter}. A jitter of 1 is full jitter (anything from nothing to the
 * pause); a smaller one is the fraction by which the pause is moved up or down.
 */
public record RetryPolicy(int maxRetries, Duration base, Duration cap, double jitter) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public static final RetryPolicy USUAL =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(60), 1);

  public RetryPolicy {
    if (maxRetries < 0) {
      throw new IllegalArgumentException("maxRetries is at least 0, but was " + maxRetries);
    }
    if (!base.isPositive() || cap.compareTo(base) < 0 || cap.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the base pause is above 0 and at most the cap, and that at most a day, but they were "
              + (base + " and " + cap));
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("a jitter is between 0 and 1, but was " + jitter);
    }
  }

  public RetryPolicy atMost(int retries) {
    return new RetryPolicy(retries, base, cap, jitter);
  }

  /** The pause after so many failures ({@code 0} for the first), in nanoseconds. */
  public long pause(int failures, RandomGenerator random) {
    double full =
        Math.min(
            (double) cap.toNanos(), Math.scalb((double) base.toNanos(), Math.min(failures, 60)));
    double spread = jitter >= 1 ? random.nextDouble() : 1 + jitter * (2 * random.nextDouble() - 1);
    return (long) (full * spread);
  }
}
