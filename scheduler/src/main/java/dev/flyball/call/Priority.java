package dev.flyball.call;

import java.time.Duration;

/**
 * The patience of a call: how long it lets others go first. A patience and not a rank: a patient
 * call is overtaken only by calls that come less than its patience later, so nothing starves.
 *
 * @param patience at least 0 and at most a year
 */
public record Priority(Duration patience) {
  private static final Duration LONGEST = Duration.ofDays(366);

  /** Somebody waits for the answer. */
  public static final Priority INTERACTIVE = new Priority(Duration.ZERO);

  /** A minute. */
  public static final Priority NORMAL = new Priority(Duration.ofMinutes(1));

  /** An hour. */
  public static final Priority BULK = new Priority(Duration.ofHours(1));

  /**
   * Checks the patience.
   *
   * @throws IllegalArgumentException if it is below 0 or above a year
   */
  public Priority {
    if (patience.isNegative() || patience.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a patience is at least 0 and at most a year, but was " + patience);
    }
  }
}
