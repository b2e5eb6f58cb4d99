package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.OptionText;

/** A count that starts again whenever a new window does. */
final class Window implements Meter {
  private Limit limit;
  private long length;
  private long window;
  private long used;

  Window(Limit limit) {
    this.limit = limit;
    this.length = OptionText.micros(limit.window());
  }

  private void roll(long now) {
    long current = now / length;
    if (current > window) {
      window = current;
      used = 0;
    }
  }

  private long untilNext(long now) {
    return (window + 1) * length - now;
  }

  @Override
  public Limit limit() {
    return limit;
  }

  @Override
  public long untilThere(long amount, long now) {
    roll(now);
    return used + amount <= limit.burst() ? 0 : untilNext(now);
  }

  @Override
  public void take(long amount, long now) {
    roll(now);
    used += amount;
  }

  @Override
  public void giveBack(long amount, long takenAt, long now) {
    roll(now);
    if (takenAt / length == window) {
      used = Math.max(0, used - amount);
    }
  }

  @Override
  public long level(long now) {
    roll(now);
    return limit.burst() - used;
  }

  @Override
  public LimitLevel seen(long credit, long now) {
    roll(now);
    long with = Math.max(0, used - credit);
    return new LimitLevel(limit, limit.burst() - with, with == 0 ? 0 : untilNext(now));
  }

  @Override
  public void become(Limit other, long now) {
    roll(now);
    limit = other;
    length = OptionText.micros(other.window());
    window = now / length;
  }
}
