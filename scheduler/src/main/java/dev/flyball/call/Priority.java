package dev.flyball.call;

import java.time.Duration;

/**
 * How long a call lets others go first. A patience and not a rank: a patient call is overtaken only
 * by calls that come less than its patience later, so nothing starves.
 */
public record Priority(Duration patience) {
  public static final Priority INTERACTIVE = new Priority(Duration.ZERO);
  public static final Priority NORMAL = new Priority(Duration.ofMinutes(1));
  public static final Priority BULK = new Priority(Duration.ofHours(1));

  public Priority {
    if (patience.isNegative()) {
      throw new IllegalArgumentException("a patience is at least 0, but was " + patience);
    }
  }
}
