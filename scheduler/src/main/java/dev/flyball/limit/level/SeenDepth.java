package dev.flyball.limit.level;

/**
 * How deep into a limit calls were seen to go, how much of it there was at most, and since when.
 */
final class SeenDepth {
  private double most;
  private double least = Double.POSITIVE_INFINITY;

  /** What was charged since the level was first sighted. */
  private double went;

  private long leftAt;
  private long emptySince = Long.MAX_VALUE;

  SeenDepth(long now) {
    leftAt = now;
  }

  void saw(double remaining, long now) {
    most = Math.max(most, remaining);
    least = Math.min(least, remaining);
    leftAt = remaining > 0 ? now : leftAt;
    emptySince = remaining > 0 ? Long.MAX_VALUE : Math.min(emptySince, now);
  }

  void charged(double amount) {
    went += amount;
  }

  /** The most that remained. */
  double most() {
    return most;
  }

  /** The most that went at once, or in all. */
  double deepest() {
    return Math.max(most - least, went);
  }

  /** When something was last seen to be left. */
  long leftAt() {
    return leftAt;
  }

  /** Since when nothing was seen to be left; never, if something was. */
  long emptySince() {
    return emptySince;
  }
}
