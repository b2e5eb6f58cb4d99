package dev.flyball.limit.gauge;

import dev.flyball.call.LearnedLimits;
import java.util.Arrays;

/**
 * Levels that each call raises and that leak steadily, each at its own rate. There are many of
 * them, and they differ in nothing but numbers: so they are no objects but places in arrays.
 */
final class LeakyBuckets {
  private static final double SLOWEST = 0.02;
  private static final double FASTEST = 1000;

  private double[] rate = new double[0];
  private double[] level = new double[0];
  private boolean[] countsRefused = new boolean[0];
  private boolean[] inTokens = new boolean[0];
  private double at;

  int count() {
    return rate.length;
  }

  /** Adds buckets of all rates, each so many times as fast as the one before. */
  void addAll(double step, boolean thatCountRefused, boolean ofTokens) {
    int more = (int) (Math.log(FASTEST / SLOWEST) / Math.log(step)) + 1;
    for (int i = 0; i < more; i++) {
      add(SLOWEST * Math.pow(step, i), thatCountRefused, ofTokens);
    }
  }

  void add(double perSecond, boolean thatCountsRefused, boolean ofTokens) {
    int place = count();
    rate = Arrays.copyOf(rate, place + 1);
    level = Arrays.copyOf(level, place + 1);
    countsRefused = Arrays.copyOf(countsRefused, place + 1);
    inTokens = Arrays.copyOf(inTokens, place + 1);
    set(place, perSecond, thatCountsRefused, ofTokens);
  }

  /** Another bucket, and empty, in the place of one. */
  void set(int place, double perSecond, boolean thatCountsRefused, boolean ofTokens) {
    rate[place] = perSecond;
    level[place] = 0;
    countsRefused[place] = thatCountsRefused;
    inTokens[place] = ofTokens;
  }

  /** So full is one now. */
  void level(int place, double now) {
    level[place] = now;
  }

  double rate(int place) {
    return rate[place];
  }

  boolean countsRefused(int place) {
    return countsRefused[place];
  }

  boolean inTokens(int place) {
    return inTokens[place];
  }

  private void leak(double now) {
    double since = now - at;
    if (since > 0) {
      for (int i = 0; i < level.length; i++) {
        level[i] = Math.max(0, level[i] - rate[i] * since);
      }
      at = now;
    }
  }

  /** A call goes; what each shows with it is put into readings from a place on. */
  void charge(double now, double tokens, float[] shown, int from) {
    leak(now);
    for (int i = 0; i < level.length; i++) {
      level[i] += inTokens[i] ? tokens : 1;
      shown[from + i] = (float) level[i];
    }
  }

  /** A call was turned away, and does not count where those do not. */
  void undo(double tokens, double now) {
    leak(now);
    for (int i = 0; i < level.length; i++) {
      double size = countsRefused[i] ? 0 : inTokens[i] ? tokens : 1;
      level[i] = Math.max(0, level[i] - size);
    }
  }

  /** When one would let a call of that size pass, if the line were there. */
  double opensAt(int place, double now, double size, double line) {
    leak(now);
    double over = level[place] + size - line;
    return over <= Gauge.DUST ? now : now + over / rate[place];
  }

  LearnedLimits.Shape shape(int place) {
    return new LearnedLimits.Shape(
        LearnedLimits.Kind.BUCKET, 1 / rate[place], 0, countsRefused[place], inTokens[place]);
  }
}
