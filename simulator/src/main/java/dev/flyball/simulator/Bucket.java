package dev.flyball.simulator;

import java.math.BigInteger;

/**
 * A level that rises steadily up to its burst.
 *
 * <p>It counts in parts so small that a microsecond refills a whole number of them: with {@code
 * amount / period} in lowest terms as {@code rate / parts}, one unit is {@code parts} parts and a
 * microsecond brings {@code rate}. So nothing is ever rounded, and a level after a million small
 * steps is the level after one large step.
 */
final class Bucket implements Meter {
  private Limit limit;
  private long parts;
  private long rate;
  private long full;
  private long level;
  private long at;

  Bucket(Limit limit, long now) {
    this.limit = limit;
    this.at = now;
    scale();
    this.level = full;
  }

  private void scale() {
    long period = Words.micros(limit.period());
    long common =
        BigInteger.valueOf(limit.amount()).gcd(BigInteger.valueOf(period)).longValueExact();
    parts = period / common;
    rate = limit.amount() / common;
    full = Math.multiplyExact(limit.burst(), parts);
  }

  private void roll(long now) {
    long elapsed = now - at;
    if (elapsed > 0) {
      level = elapsed > (full - level) / rate ? full : level + elapsed * rate;
      at = now;
    }
  }

  @Override
  public Limit limit() {
    return limit;
  }

  @Override
  public long until(long amount, long now) {
    roll(now);
    if (amount > limit.burst()) {
      return UNKNOWN;
    }
    return Math.max(0, Math.ceilDiv(amount * parts - level, rate));
  }

  @Override
  public void take(long amount, long now) {
    roll(now);
    level = Math.subtractExact(level, Math.multiplyExact(amount, parts));
  }

  @Override
  public void giveBack(long amount, long takenAt, long now) {
    roll(now);
    level = Math.min(full, Math.addExact(level, Math.multiplyExact(amount, parts)));
  }

  @Override
  public long level(long now) {
    roll(now);
    return Math.floorDiv(level, parts);
  }

  @Override
  public long untilFull(long now) {
    roll(now);
    return Math.ceilDiv(full - level, rate);
  }

  @Override
  public void become(Limit other, long now) {
    long left = level(now);
    limit = other;
    scale();
    level = Math.min(full, Math.multiplyExact(left, parts));
  }
}
