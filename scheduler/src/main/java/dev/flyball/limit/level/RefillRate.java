package dev.flyball.limit.level;

import java.util.ArrayDeque;

/**
 * How fast a limit comes back for us, in units a nanosecond.
 *
 * <p>It starts from what is stated: the limit over the time in which all of it comes back, its
 * <em>span</em>. That is the period in the header's name, or a guess. Two kinds of evidence correct
 * it, and each only as far as its error allows: while the rate lies inside the error it stays, else
 * it moves to the nearer edge.
 *
 * <h2>What resets say</h2>
 *
 * What is gone, over the time until it is back, is the rate. One such reply may lower the rate.
 * Replies that agree though much more is gone in one of them than in another may raise it as well,
 * beyond what is stated: then the stated number is a burst, or of a shorter period, and the span
 * is. Without that spread agreement says little: of a bucket of ten that calls itself 600 a minute,
 * 591 to 600 are always gone.
 *
 * <h2>What levels say</h2>
 *
 * Two sightings some time apart measure what came back: (change of level + own charges between) ÷
 * time, off by at most the rounding ÷ time. Others who use the same key take part of it, so they
 * subtract themselves. A bucket that was full in between has lost refill that nobody took, so such
 * a pair may raise the rate but not lower it.
 */
final class RefillRate {
  /**
   * A sighting of the level.
   *
   * @param sentAt when the attempt went whose reply it is
   * @param own what we were charged in all, up to it
   * @param blur how much of that may have come after it
   * @param told the rate that its reset tells, if all of the limit was there when it was full; or 0
   * @param charges how many charges that were
   */
  record Past(
      long at, long sentAt, double seen, long own, double blur, double told, long charges) {}

  private static final double ENOUGH_TIME = 6e9;
  private static final double ENOUGH_TIME_ROUNDED = 60e9;
  private static final int ENOUGH_CHARGES = 30;
  private static final double QUARTER = 1.25;
  private static final double SPREAD = 1.5;
  private static final double SAME = 1.05;
  private static final double COARSE = 1e9;
  private static final double SHORTEST_RESET = 20e6;
  private static final int ENOUGH_REPLIES = 3;
  private static final double SHORTEST_PAIR = 50e6;
  private static final int TELLING = 4;

  private double limit = Double.POSITIVE_INFINITY;
  private double span;
  private double rate;

  /** Earlier sightings, as far back as the rate is measured from. */
  private final ArrayDeque<Past> past = new ArrayDeque<>();

  /** Between which rates the resets agree, and how little and how much was gone in them. */
  private double atLeast;

  private double atMost = Double.POSITIVE_INFINITY;
  private double leastGone = Double.POSITIVE_INFINITY;
  private double mostGone;
  private int agreeing;

  /** The rate that the last reset tells; 0 if it tells none. */
  private double told;

  /** Whether the last reset that could have told another rate told this one. */
  private boolean toldSame;

  /** Whether enough came back in enough time to know. */
  private boolean measured;

  RefillRate(double span) {
    this.span = span;
  }

  double perNano() {
    return rate;
  }

  /** What is stated, or what resets agree on. */
  double stated() {
    return limit / span;
  }

  /** How long all of it takes to come back. */
  double span() {
    return span;
  }

  /** The rate that the last reset tells, if all of the limit is there when it is full; or 0. */
  double told() {
    return told;
  }

  /** Whether replies have shown that it is about so, and it is no guess any more. */
  boolean isProved() {
    return measured || toldSame;
  }

  /** What others seem to take of it. */
  double foreign() {
    double others = limit == Double.POSITIVE_INFINITY ? 0 : stated() - rate;
    return others > 0.05 * stated() ? others : 0;
  }

  /** There is so much in a span of that length; what others took, they go on taking. */
  void limited(double most, double length) {
    double left = limit == Double.POSITIVE_INFINITY || rate == 0 ? 1 : rate / stated();
    limit = most;
    span = length;
    rate = Math.min(1, left) * stated();
    past.clear();
    measured = false;
    toldSame = false;
    forgetResets();
  }

  void remember(double before) {
    rate = before > 0 ? Math.min(rate, before) : rate;
  }

  private void forgetResets() {
    atLeast = 0;
    atMost = Double.POSITIVE_INFINITY;
    leastGone = Double.POSITIVE_INFINITY;
    mostGone = 0;
    agreeing = 0;
  }

  /**
   * A reply says how long until all of it is back.
   *
   * @param refills whether it is known to come back evenly; else it only can be slower than stated
   * @return whether the span is another than before
   */
  boolean reset(double seen, double left, long rounding, boolean refills) {
    double resolution = ResetReading.resolution(left);
    double error = resolution >= COARSE ? 2 * resolution : resolution;
    double gone = limit - seen;
    told = 0;
    boolean tells = gone >= 0.01 * limit && gone >= 2 * rounding;
    if (limit == Double.POSITIVE_INFINITY || !tells || seen <= 0) {
      return false;
    }
    if (past.isEmpty() && left > 2 * resolution) {
      rate = Math.min(rate, (gone + rounding) / (left - resolution));
    }
    double low = (gone - rounding) / (left + error);
    if (gone >= TELLING * rounding) {
      double most = left > error ? (gone + rounding) / (left - error) : Double.POSITIVE_INFINITY;
      toldSame = low <= QUARTER * rate && rate <= QUARTER * most;
    }
    if (!refills) {
      forgetResets();
      return false;
    }
    told = left >= SHORTEST_RESET ? low : 0;
    double high = left > error ? (gone + rounding) / (left - error) : Double.POSITIVE_INFINITY;
    if (left < SHORTEST_RESET || low > QUARTER * atMost || QUARTER * high < atLeast) {
      forgetResets();
    }
    agreeing++;
    atLeast = Math.max(atLeast, low);
    atMost = Math.min(atMost, high);
    leastGone = Math.min(leastGone, gone);
    mostGone = Math.max(mostGone, gone);
    return agreeing >= ENOUGH_REPLIES && mostGone >= SPREAD * leastGone && agreed();
  }

  /** Resets agree on a rate; it counts if what is stated is another. */
  private boolean agreed() {
    if (atMost > SPREAD * atLeast) {
      rate = Math.max(rate, atLeast);
      return false;
    }
    double before = stated();
    boolean faster = atLeast > SAME * before;
    if (!faster && SAME * atMost >= before) {
      return false;
    }
    double part = faster ? 1 : Math.min(1, rate / before);
    span = limit / (faster ? atLeast : atMost);
    rate = part * stated();
    past.clear();
    return true;
  }

  /**
   * The level was seen.
   *
   * @param lostAt up to when refill may have found no room
   * @param guessed whether the period is a guess, so that it may be far too long
   */
  void measure(Past latest, long rounding, long lostAt, boolean guessed) {
    if (guessed && !past.isEmpty()) {
      raise(past.getLast(), latest, rounding);
    }
    while (past.size() > 1 && second().at() <= latest.at() && enough(second(), latest, rounding)) {
      past.removeFirst();
    }
    var first = past.peekFirst();
    if (first == null || latest.at() - past.getLast().at() >= ENOUGH_TIME / 12) {
      past.addLast(latest);
    }
    if (first == null || !enough(first, latest, rounding)) {
      return;
    }
    measured = true;
    double elapsed = latest.at() - first.at();
    double back = (latest.seen() - first.seen() + latest.own() - first.own()) / elapsed;
    double error = (rounding + 1) / elapsed;
    if (rate < back - error) {
      boolean beyond = back - error > 1.1 * stated();
      rate = beyond ? back - error : Math.min(stated(), back - error);
    } else if (rate > back + error && lostAt < first.at()) {
      rate = Math.max(back + error, least());
    }
  }

  /** What has come back between two sightings, came back at least so fast. */
  private void raise(Past from, Past to, long rounding) {
    double elapsed = Math.max(to.at() - from.at(), to.sentAt() - from.sentAt());
    double blur = rounding + 1 + from.blur() + to.blur();
    double measured = (to.seen() - from.seen() + to.own() - from.own() - blur) / elapsed;
    boolean atOnce = to.seen() - from.seen() > 0.5 * limit;
    if (elapsed >= SHORTEST_PAIR && !atOnce) {
      double back = measured * elapsed + 2 * blur;
      boolean asTold = back >= 0.9 * Math.min(from.told() * elapsed, limit - from.seen());
      rate = Math.max(rate, Math.max(measured, asTold ? from.told() : 0));
    }
  }

  /** Something always comes back. */
  private double least() {
    return limit == Double.POSITIVE_INFINITY ? 0 : 1e-3 * stated();
  }

  private Past second() {
    var all = past.iterator();
    all.next();
    return all.next();
  }

  private static boolean enough(Past from, Past to, long rounding) {
    double least = rounding > 1 ? ENOUGH_TIME_ROUNDED : ENOUGH_TIME;
    return to.at() - from.at() >= least && to.charges() - from.charges() >= ENOUGH_CHARGES;
  }
}
