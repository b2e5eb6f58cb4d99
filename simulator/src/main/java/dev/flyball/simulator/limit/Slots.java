package dev.flyball.simulator.limit;

/** Room for so many requests at the same time. */
final class Slots implements Meter {
  private Limit limit;
  private long used;

  Slots(Limit limit) {
    this.limit = limit;
  }

  @Override
  public Limit limit() {
    return limit;
  }

  @Override
  public long untilThere(long amount, long now) {
    return used + amount <= limit.burst() ? 0 : UNKNOWN;
  }

  @Override
  public void take(long amount, long now) {
    used += amount;
  }

  @Override
  public void giveBack(long amount, long takenAt, long now) {
    used -= amount;
  }

  @Override
  public long level(long now) {
    return limit.burst() - used;
  }

  @Override
  public LimitLevel seen(long credit, long now) {
    return new LimitLevel(limit, level(now), 0);
  }

  @Override
  public void become(Limit other, long now) {
    limit = other;
  }
}
