package dev.flyball.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * A clock that stands still until the next thing happens, and then is there: hours of a provider's
 * time in a moment, for forecasts and for the tests of those who use the scheduler. For one thread.
 */
public final class VirtualTime implements Time {
  private static final Instant DAWN = Instant.parse("2026-01-01T00:00:00Z");

  private static final class Happening implements Comparable<Happening> {
    final long at;
    final long number;
    Runnable what;

    Happening(long at, long number, Runnable what) {
      this.at = at;
      this.number = number;
      this.what = what;
    }

    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Happening> ahead = new PriorityQueue<>();
  private long now;
  private long count;
  private Duration wallStep = Duration.ZERO;

  /** A clock that stands at 0. */
  public VirtualTime() {}

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Instant wall() {
    return DAWN.plusNanos(now).plus(wallStep);
  }

  /**
   * Sets the wall clock, as somebody might; nothing is decided by it.
   *
   * @param by how far
   */
  public void stepWall(Duration by) {
    wallStep = wallStep.plus(by);
  }

  @Override
  public Alarm alarm(long at, Runnable ring) {
    var happening = new Happening(Math.max(at, now), count++, ring);
    ahead.add(happening);
    return () -> happening.what = () -> {};
  }

  /**
   * Lets something happen later.
   *
   * @param seconds from now on
   * @param what what happens
   */
  public void in(double seconds, Runnable what) {
    alarm(now + Math.round(seconds * 1e9), what);
  }

  /** {@return the seconds since this clock began} */
  public double seconds() {
    return now / 1e9;
  }

  /**
   * Lets the next thing happen, and moves the clock to its moment.
   *
   * @param untilSeconds nothing later happens
   * @return false when there is nothing up to that moment
   */
  public boolean step(double untilSeconds) {
    var next = ahead.peek();
    if (next == null || next.at > untilSeconds * 1e9) {
      return false;
    }
    ahead.remove();
    now = next.at;
    next.what.run();
    return true;
  }
}
