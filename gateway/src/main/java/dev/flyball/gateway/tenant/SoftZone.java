package dev.flyball.gateway.tenant;

import java.time.Duration;

/**
 * The last part of a budget, in which calls are slowed before they are blocked: so far apart that
 * what is left lasts as long as the period does. Somebody notices, raises the budget, or arrives at
 * midnight with work still going on.
 */
final class SoftZone {
  /** The part of a budget from which on its calls are slowed. */
  static final double BEGINS = 0.8;

  /** Further apart is as good as blocked. */
  static final Duration WIDEST = Duration.ofSeconds(30);

  private SoftZone() {}

  /**
   * How long after one call the next may go.
   *
   * @param used the part of the budget that is spent
   * @param usual the part of it that one call takes
   * @param left what is left of the period
   */
  static Duration gap(double used, double usual, Duration left) {
    double rest = 1 - used;
    if (used < BEGINS || rest <= 0 || usual <= 0 || left.isNegative()) {
      return Duration.ZERO;
    }
    double calls = Math.max(1, rest / usual);
    double nanos = left.toNanos() / calls;
    return nanos >= WIDEST.toNanos() ? WIDEST : Duration.ofNanos((long) nanos);
  }
}
