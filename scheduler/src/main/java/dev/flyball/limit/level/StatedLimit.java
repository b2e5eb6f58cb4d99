package dev.flyball.limit.level;

/**
 * What a provider says it allows in a period, as far as it is believed: a lower number at once, a
 * higher one when two replies in a row agree.
 */
public final class StatedLimit {
  private double value = Double.POSITIVE_INFINITY;

  /** What the last reply stated. */
  private double claimed;

  public boolean isKnown() {
    return value != Double.POSITIVE_INFINITY;
  }

  /** What is allowed; infinite if nothing is stated. */
  public double value() {
    return value;
  }

  /** It is known from elsewhere. */
  public void set(double known) {
    value = known;
  }

  /** A reply states so much; returns whether that is believed and new. */
  public boolean heard(double stated) {
    boolean agreed = stated < value || claimed == stated;
    claimed = stated;
    boolean news = stated != value && agreed;
    value = news ? stated : value;
    return news;
  }

  public void forget() {
    value = Double.POSITIVE_INFINITY;
    claimed = 0;
  }
}
