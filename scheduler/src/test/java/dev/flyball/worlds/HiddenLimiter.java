package dev.flyball.worlds;

import java.util.ArrayDeque;
import java.util.Random;

/** A limiter that says nothing but yes and no. Told the time in seconds. */
public abstract class HiddenLimiter {
  private static final double DUST = 1e-9;

  /** Calls that were let in and are not answered yet. */
  protected int inFlight;

  /** Whether it would let a call in now. */
  abstract boolean admits(double now);

  /** It lets one in. */
  void take(double now) {}

  /** It turns one away. */
  void refuse(double now) {}

  /** The first moment at which it could let one in. */
  abstract double opensAt(double now);

  /** How long it can be shut by itself. */
  abstract double span();

  final void begun() {
    inFlight++;
  }

  final void ended() {
    inFlight--;
  }

  /** So many a second, and so many at once. */
  public static HiddenLimiter bucket(double rate, double burst) {
    return new Bucket(rate, burst, rate, Double.POSITIVE_INFINITY, false, 0, 0);
  }

  /** A bucket that calls drain which it turns away. */
  static HiddenLimiter strictBucket(double rate, double burst) {
    return new Bucket(rate, burst, rate, Double.POSITIVE_INFINITY, true, 0, 0);
  }

  /** A bucket with another rate from some second on. */
  static HiddenLimiter changing(double rate, double burst, double later, double from) {
    return new Bucket(rate, burst, later, from, false, 0, 0);
  }

  /** A bucket that somebody else uses too, at random, so many times a second. */
  static HiddenLimiter shared(double rate, double burst, double foreign, long seed) {
    return new Bucket(rate, burst, rate, Double.POSITIVE_INFINITY, false, foreign, seed);
  }

  /**
   * So many in a window.
   *
   * @param phase when the clock begins one; below 0, it begins with its first call
   * @param penalty how long a call too many shuts it
   */
  static HiddenLimiter fixed(int most, double window, double phase, double penalty) {
    return new Fixed(most, window, phase, penalty);
  }

  /** So many in any stretch of that length. */
  static HiddenLimiter sliding(int most, double window) {
    return new Sliding(most, window);
  }

  /** This window and a fading part of the one before. */
  static HiddenLimiter counter(int most, double window, boolean countsRefused) {
    return new Counter(most, window, countsRefused);
  }

  /** So many at one time. */
  public static HiddenLimiter slots(int most) {
    return new Slots(most);
  }

  /** Two at once. */
  static HiddenLimiter both(HiddenLimiter one, HiddenLimiter other) {
    return new Both(one, other);
  }

  private static final class Bucket extends HiddenLimiter {
    private final double rate;
    private final double burst;
    private final double later;
    private final double from;
    private final boolean strict;
    private final double foreign;
    private final Random random;
    private double level;
    private double at;
    private double nextForeign = Double.POSITIVE_INFINITY;

    Bucket(
        double rate,
        double burst,
        double later,
        double from,
        boolean strict,
        double foreign,
        long seed) {
      this.rate = rate;
      this.burst = burst;
      this.later = later;
      this.from = from;
      this.strict = strict;
      this.foreign = foreign;
      this.random = new Random(seed * 77 + 5);
      this.level = burst;
      if (foreign > 0) {
        nextForeign = pause();
      }
    }

    private double pause() {
      return -Math.log(1 - random.nextDouble()) / foreign;
    }

    private void refill(double now) {
      double before = rate * Math.max(0, Math.min(now, from) - Math.min(at, from));
      double after = later * Math.max(0, Math.max(now, from) - Math.max(at, from));
      level = Math.min(burst, level + before + (from == Double.POSITIVE_INFINITY ? 0 : after));
      at = now;
    }

    private void roll(double now) {
      while (nextForeign <= now) {
        refill(nextForeign);
        // The other one asks until it is served.
        level = Math.max(-5, level - 1);
        nextForeign += pause();
      }
      if (now > at) {
        refill(now);
      }
    }

    @Override
    boolean admits(double now) {
      roll(now);
      return level >= 1 - DUST;
    }

    @Override
    void take(double now) {
      roll(now);
      level--;
    }

    @Override
    void refuse(double now) {
      roll(now);
      level = strict ? Math.max(-burst, level - 1) : level;
    }

    @Override
    double opensAt(double now) {
      roll(now);
      return now + Math.max(0, 1 - level) / (now < from ? rate : later);
    }

    @Override
    double span() {
      return (strict ? 2 : 1) * burst / rate + 1 / rate;
    }
  }

  private static final class Fixed extends HiddenLimiter {
    private final int most;
    private final double window;
    private final double phase;
    private final double penalty;
    private double begin = Double.NEGATIVE_INFINITY;
    private int count;
    private double shutUntil = Double.NEGATIVE_INFINITY;

    Fixed(int most, double window, double phase, double penalty) {
      this.most = most;
      this.window = window;
      this.phase = phase;
      this.penalty = penalty;
    }

    private void roll(double now) {
      if (phase >= 0) {
        double current = Math.floor((now - phase) / window) * window + phase;
        count = current > begin ? 0 : count;
        begin = Math.max(begin, current);
      }
    }

    @Override
    boolean admits(double now) {
      if (now < shutUntil) {
        return false;
      }
      if (shutUntil > Double.NEGATIVE_INFINITY) {
        shutUntil = Double.NEGATIVE_INFINITY;
        begin = Double.NEGATIVE_INFINITY;
        count = 0;
      }
      roll(now);
      return (phase < 0 && now >= begin + window) || count < most;
    }

    @Override
    void take(double now) {
      if (phase < 0 && now >= begin + window) {
        begin = now;
        count = 0;
      }
      count++;
    }

    @Override
    void refuse(double now) {
      if (penalty > 0 && now >= shutUntil) {
        shutUntil = now + penalty;
      }
    }

    @Override
    double opensAt(double now) {
      if (now < shutUntil) {
        return shutUntil;
      }
      return penalty > 0 ? now + penalty : count < most ? now : begin + window;
    }

    @Override
    double span() {
      return window + penalty;
    }
  }

  private static final class Sliding extends HiddenLimiter {
    private final int most;
    private final double window;
    private final ArrayDeque<Double> calls = new ArrayDeque<>();

    Sliding(int most, double window) {
      this.most = most;
      this.window = window;
    }

    @Override
    boolean admits(double now) {
      while (!calls.isEmpty() && calls.getFirst() <= now - window) {
        calls.removeFirst();
      }
      return calls.size() < most;
    }

    @Override
    void take(double now) {
      calls.addLast(now);
    }

    @Override
    double opensAt(double now) {
      return admits(now) ? now : calls.getFirst() + window;
    }

    @Override
    double span() {
      return window;
    }
  }

  private static final class Counter extends HiddenLimiter {
    private final int most;
    private final double window;
    private final boolean countsRefused;
    private double begin = Double.NaN;
    private double current;
    private double before;

    Counter(int most, double window, boolean countsRefused) {
      this.most = most;
      this.window = window;
      this.countsRefused = countsRefused;
    }

    @Override
    boolean admits(double now) {
      if (Double.isNaN(begin)) {
        begin = now;
      }
      if (now - begin >= 2 * window) {
        before = 0;
        current = 0;
        begin = now;
      } else if (now - begin >= window) {
        before = current;
        current = 0;
        begin += window;
      }
      return current + 1 + before * (1 - (now - begin) / window) <= most + DUST;
    }

    @Override
    void take(double now) {
      current++;
    }

    @Override
    void refuse(double now) {
      current += countsRefused ? 1 : 0;
    }

    @Override
    double opensAt(double now) {
      if (admits(now)) {
        return now;
      }
      double room = most - 1 - current;
      if (before > 0 && room >= 0) {
        return begin + window * (1 - room / before);
      }
      return begin + window * (1 + Math.max(0, 1 - (most - 1) / Math.max(1, current)));
    }

    @Override
    double span() {
      return 2 * window;
    }
  }

  private static final class Slots extends HiddenLimiter {
    private final int most;

    Slots(int most) {
      this.most = most;
    }

    @Override
    boolean admits(double now) {
      return inFlight < most;
    }

    @Override
    double opensAt(double now) {
      return inFlight < most ? now : now + 1;
    }

    @Override
    double span() {
      return 0;
    }
  }

  private static final class Both extends HiddenLimiter {
    private final HiddenLimiter one;
    private final HiddenLimiter other;

    Both(HiddenLimiter one, HiddenLimiter other) {
      this.one = one;
      this.other = other;
    }

    private void tell() {
      one.inFlight = inFlight;
      other.inFlight = inFlight;
    }

    @Override
    boolean admits(double now) {
      tell();
      boolean admitted = one.admits(now);
      return other.admits(now) && admitted;
    }

    @Override
    void take(double now) {
      one.take(now);
      other.take(now);
    }

    @Override
    void refuse(double now) {
      tell();
      if (!one.admits(now)) {
        one.refuse(now);
      }
      if (!other.admits(now)) {
        other.refuse(now);
      }
    }

    @Override
    double opensAt(double now) {
      return Math.max(one.opensAt(now), other.opensAt(now));
    }

    @Override
    double span() {
      return Math.max(one.span(), other.span());
    }
  }
}
