package dev.flyball.simulator.limit;

/**
 * The limit on how fast use may grow: no more tokens in a minute than {@code growth} times the
 * average minute of the last quarter of an hour, once use is above a floor.
 */
public final class Acceleration {
  private static final long SLOT = 5_000_000;
  private static final int MINUTE = 12;
  private static final int QUARTER = 180;

  /**
   * From where on growth is watched, and how much is allowed.
   *
   * @param floor tokens a minute
   */
  public record Rule(long floor, double growth) {}

  private final Rule rule;
  private final long[] slots = new long[QUARTER];
  private long current;

  public Acceleration(Rule rule) {
    this.rule = rule;
  }

  private void roll(long now) {
    long slot = now / SLOT;
    for (long next = Math.max(current + 1, slot - QUARTER); next <= slot; next++) {
      slots[(int) (next % QUARTER)] = 0;
    }
    current = Math.max(current, slot);
  }

  public boolean allows(long tokens, long now) {
    roll(now);
    long minute = 0;
    long quarter = 0;
    for (int back = 0; back < QUARTER && back <= current; back++) {
      long used = slots[(int) ((current - back) % QUARTER)];
      minute += back < MINUTE ? used : 0;
      quarter += used;
    }
    return minute + tokens <= Math.max((double) rule.floor(), rule.growth() * quarter / 15);
  }

  public void take(long tokens, long now) {
    roll(now);
    slots[(int) (current % QUARTER)] += tokens;
  }
}
