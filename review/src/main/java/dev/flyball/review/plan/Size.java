package dev.flyball.review.plan;

import dev.flyball.review.plan.Lens.Tier;

/** How many tokens something is to the model of each tier. */
public record Size(long deep, long fast) {
  public static final Size NONE = new Size(0, 0);

  public Size {
    if (deep < 0 || fast < 0) {
      throw new IllegalArgumentException(
          "tokens are at least 0, but were " + deep + " and " + fast);
    }
  }

  public long of(Tier tier) {
    return switch (tier) {
      case DEEP -> deep;
      case FAST -> fast;
    };
  }

  Size plus(Size other) {
    return new Size(deep + other.deep, fast + other.fast);
  }

  /** So much of it as a part is of a whole, rounded up. */
  Size part(long part, long whole) {
    return whole == 0
        ? this
        : new Size(Math.ceilDiv(deep * part, whole), Math.ceilDiv(fast * part, whole));
  }
}
