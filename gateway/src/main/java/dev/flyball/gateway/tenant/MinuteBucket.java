package dev.flyball.gateway.tenant;

import java.util.concurrent.TimeUnit;

/**
 * A tenant's own limit in a minute: it fills evenly and holds ten seconds' worth, so that a minute
 * never has more than seven sixths of the limit. What is taken is an estimate and is corrected
 * later, so it may be in debt. Not thread-safe; told the time.
 */
final class MinuteBucket {
  private static final double NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double HELD = 1 / 6.0;

  private final double perNano;
  private final double capacity;
  private double level;
  private long at;

  MinuteBucket(long perMinute, long now) {
    perNano = perMinute / NANOS;
    capacity = Math.max(1, perMinute * HELD);
    level = capacity;
    at = now;
  }

  private void fill(long now) {
    level = Math.min(capacity, level + (now - at) * perNano);
    at = now;
  }

  /** When so much can be taken, or as much of it as ever can. */
  long availableAt(double amount, long now) {
    fill(now);
    double lack = Math.min(amount, capacity) - level;
    // A billionth less is a matter of rounding.
    return lack <= 1e-9 ? now : now + Math.max(1, (long) Math.ceil(lack / perNano));
  }

  void take(double amount, long now) {
    fill(now);
    level -= amount;
  }
}
