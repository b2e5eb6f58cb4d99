package dev.flyball.bench.limiters;

import java.time.Duration;

/**
 * The rule by which a limiter really counts, and the least time of a client that knows it, is alone
 * and finds the limiter as new. What is counted are units: calls, or tokens where calls are charged
 * by them.
 */
public sealed interface TrueRule {
  /** From the first request to the last answer, at best. */
  Duration least(long units, Duration latency);

  /** How long the limiter may let nothing in. */
  Duration span();

  /**
   * Units that drain at a steady rate.
   *
   * @param burst how many more than one go at once
   */
  record Bucket(double perSecond, int burst) implements TrueRule {
    @Override
    public Duration least(long units, Duration latency) {
      return seconds(Math.max(0, units - 1 - burst) / perSecond).plus(latency);
    }

    @Override
    public Duration span() {
      return seconds(1 / perSecond);
    }
  }

  /** A bucket that becomes another at some moment after the first request; its level stays. */
  record Changed(Bucket before, Bucket after, Duration at) implements TrueRule {
    @Override
    public Duration least(long units, Duration latency) {
      double change = at.toNanos() / 1e9;
      double until = 1 + before.burst + change * before.perSecond;
      return until >= units
          ? before.least(units, latency)
          : at.plus(seconds((units - until) / after.perSecond)).plus(latency);
    }

    @Override
    public Duration span() {
      return seconds(1 / Math.min(before.perSecond, after.perSecond));
    }
  }

  /**
   * So many units in a window that begins with the first call after the last window.
   *
   * @param block how long nothing is let in after a call too many; zero if the window just goes on
   */
  record FixedWindow(long units, Duration window, Duration block) implements TrueRule {
    @Override
    public Duration least(long all, Duration latency) {
      long windows = (all + units - 1) / units;
      return window.multipliedBy(Math.max(0, windows - 1)).plus(latency);
    }

    @Override
    public Duration span() {
      return window.compareTo(block) < 0 ? block : window;
    }
  }

  /**
   * HAProxy's: the count of this window, and of the last one that share which this has still to go.
   * So the first window gives all at once, and every later one its units evenly.
   */
  record SlidingWindow(long units, Duration window) implements TrueRule {
    @Override
    public Duration least(long all, Duration latency) {
      return all <= units ? latency : seconds(window.toNanos() / 1e9 * all / units).plus(latency);
    }

    @Override
    public Duration span() {
      return window;
    }
  }

  /** So many calls at one time. */
  record InFlight(int slots) implements TrueRule {
    @Override
    public Duration least(long units, Duration latency) {
      return latency.multipliedBy((units + slots - 1) / slots);
    }

    @Override
    public Duration span() {
      return Duration.ZERO;
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
