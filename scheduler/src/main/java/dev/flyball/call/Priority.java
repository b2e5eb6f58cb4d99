package dev.flyball.call;

import java.time.Duration;

/**
 * How long a call lets others go first. A patience and not a rank: a patient call is overtaken only
 * by calls that come less than its patience later, so nothing starves.
 */
public record Priority(Duration patience) {
  private static final Duration LONGEST = Duration.ofDays(366);

  public static final Priority INTERACTIVE = new Priority(Duration.ZERO);
  public static final Priority NORMAL = new Priority(Duration.ofMinutes(1));
  public static final Priority BULK = new Priority(Duration.ofHours(1));

  public Priority {
    if (patience.isNegative() || patience.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a patience is at least 0 and at most a year, but was " + patience);
    }
  }
}
