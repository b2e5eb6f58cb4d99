package dev.flyball.call;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The number of times a failed call is tried again, and the pause before each: {@code base} × 2ⁿ,
 * at most {@code cap}, spread by {@code jitter}. Waits for a rate limit are none of these.
 *
 * @param maxRetries at least 0; 0 means one attempt, whatever happens
 * @param base the first pause, above 0
 * @param cap the longest pause, at least {@code base} and at most a day
 * @param jitter 1 is full jitter (anything from nothing to the pause); a smaller one is the
 *     fraction by which the pause is moved up or down
 */
public record RetryPolicy(int maxRetries, Duration base, Duration cap, double jitter) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** Five retries, from 1 s to 60 s, with full jitter. */
  public static final RetryPolicy USUAL =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(60), 1);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one of them is out of bounds
   */
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

  /**
   * {@return the same policy with another number of retries}
   *
   * @param retries at least 0
   */
  public RetryPolicy atMost(int retries) {
    return new RetryPolicy(retries, base, cap, jitter);
  }

  /**
   * {@return the pause after a failure, in nanoseconds}
   *
   * @param failures how many there were before: 0 for the first
   * @param random where the jitter comes from
   */
  public long pause(int failures, RandomGenerator random) {
    double full =
        Math.min(
            (double) cap.toNanos(), Math.scalb((double) base.toNanos(), Math.min(failures, 60)));
    double spread = jitter >= 1 ? random.nextDouble() : 1 + jitter * (2 * random.nextDouble() - 1);
    return (long) (full * spread);
  }

  /**
   * The overloads and broken connections after which a lane rests, and how long.
   *
   * @param failures how many in a row open it, whatever came before: 1 to 1000. A lane with fewer
   *     than ten calls rests after three, if this is not more than the usual; and so does one of
   *     which half of the last calls failed, if they are at least twice as many as this
   * @param rest the first rest, above 0 and at most a day; longer ones follow, up to a minute or to
   *     this if it is longer
   */
  public record Breaker(int failures, Duration rest) {
    private static final int MOST_FAILURES = 1_000;
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Five failures, and 5 s. */
    public static final Breaker USUAL = new Breaker(5, Duration.ofSeconds(5));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one of them is out of bounds
     */
    public Breaker {
      if (failures < 1 || failures > MOST_FAILURES) {
        throw new IllegalArgumentException(
            "a breaker opens after 1 to 1000 failures in a row, not after " + failures);
      }
      if (!rest.isPositive() || rest.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "a breaker rests for more than nothing and at most a day, not for "
                + DurationText.of(rest));
      }
    }
  }
}
