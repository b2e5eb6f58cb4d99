package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens.Tier;

/** The tokens that a text is to the model of each tier. */
public record TierTokens(long deep, long fast) {
  public static final TierTokens NONE = new TierTokens(0, 0);

  public TierTokens {
    if (deep < 0 || fast < 0) {
      throw new IllegalArgumentException(
          "tokens are at least 0, but were " + deep + " and " + fast);
    }
  }

  public long of(Tier tier) {
    return switch (tier) {
      case DEEP, LEAD -> deep;
      case FAST -> fast;
    };
  }

  TierTokens plus(TierTokens other) {
    return new TierTokens(deep + other.deep, fast + other.fast);
  }

  /** So much of it as a part is of a whole, rounded up. */
  TierTokens part(long part, long whole) {
    return whole == 0
        ? this
        : new TierTokens(Math.ceilDiv(deep * part, whole), Math.ceilDiv(fast * part, whole));
  }
}
