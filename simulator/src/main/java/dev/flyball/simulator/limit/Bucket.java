package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.OptionText;
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
    long common = limit.common();
    parts = OptionText.micros(limit.period()) / common;
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
  public long untilThere(long amount, long now) {
    roll(now);
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
  public LimitLevel seen(long credit, long now) {
    roll(now);
    long with = Math.min(full, Math.addExact(level, Math.multiplyExact(credit, parts)));
    return new LimitLevel(limit, Math.floorDiv(with, parts), Math.ceilDiv(full - with, rate));
  }

  @Override
  public void become(Limit other, long now) {
    roll(now);
    BigInteger before = BigInteger.valueOf(parts);
    limit = other;
    scale();
    BigInteger left = BigInteger.valueOf(level).multiply(BigInteger.valueOf(parts));
    BigInteger[] whole = left.divideAndRemainder(before);
    // Down, below zero too: what cannot be counted in the new parts is lost, and never given.
    long down = whole[1].signum() < 0 ? 1 : 0;
    level = Math.min(full, whole[0].longValueExact() - down);
  }
}
