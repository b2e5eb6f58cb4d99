package dev.flyball.limit.level;

/**
 * A level that refills steadily up to a ceiling, is drawn on, and may go below zero. Over any
 * interval no more than ceiling + rate × interval can be taken.
 */
public final class Bucket {
  /** What a level may lack and still be enough: less than rounding in long runs can add up to. */
  private static final double DUST = 1e-6;

  private double rate;
  private double ceiling;
  private double level;
  private long at;
  private double lost;
  private long lostAt;

  /** Full, with {@code rate} units a nanosecond. */
  public Bucket(double rate, double ceiling, long now) {
    this.rate = rate;
    this.ceiling = ceiling;
    this.level = ceiling;
    this.at = now;
    this.lostAt = now;
  }

  private void roll(long now) {
    if (now > at) {
      double refilled = level + rate * (now - at);
      if (refilled > ceiling) {
        lost += refilled - ceiling;
        lostAt = now;
        refilled = ceiling;
      }
      level = refilled;
      at = now;
    }
  }

  public double rate() {
    return rate;
  }

  public double ceiling() {
    return ceiling;
  }

  public double level(long now) {
    roll(now);
    return level;
  }

  /** How much of the refill has found no room, in all. */
  public double lost(long now) {
    roll(now);
    return lost;
  }

  /** Up to when refill may have found no room. */
  public long lostAt(long now) {
    roll(now);
    return lostAt;
  }

  public void lostUpTo(long known) {
    lostAt = known;
  }

  public void take(double units, long now) {
    roll(now);
    level -= units;
  }

  public void giveBack(double units, long now) {
    roll(now);
    level = Math.min(ceiling, level + units);
  }

  /** The level is known better from elsewhere. */
  public void believe(double known, long now) {
    roll(now);
    level = Math.min(ceiling, known);
  }

  public void rate(double other, long now) {
    roll(now);
    rate = other;
  }

  public void ceiling(double other, long now) {
    roll(now);
    ceiling = other;
    level = Math.min(level, ceiling);
  }

  /** When the level will reach {@code units}; {@link Long#MAX_VALUE} when it never does. */
  public long reaches(double units, long now) {
    roll(now);
    if (level + DUST >= units) {
      return now;
    }
    double wait = Math.ceil((units - level) / rate);
    return units > ceiling + DUST || !(wait < 4e18) ? Long.MAX_VALUE : now + (long) wait;
  }
}
