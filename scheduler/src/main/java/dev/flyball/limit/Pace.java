package dev.flyball.limit;

import dev.flyball.limit.level.Bucket;

/**
 * The careful way into a stated burst. Some say "600 a minute" and mean ten a second. So a lane
 * whose limit is stated, and of which nothing was felt yet, is let into its burst by steps: eight
 * calls at first, and twice as many each second while that depth is in use. Turning away is quick,
 * so a burst that is not as deep as was said costs a call or two instead of all that the stated
 * limit would have let go. From then on the limit is felt, and this is over.
 */
public final class Pace implements Limit {
  private static final double CAREFUL_BURST = 8;
  private static final double DOUBLING = 1e9;
  private static final double LONGEST_WAIT = 60e9;

  private final Bucket bucket;

  /** The burst that replies state. */
  private double fullBurst = Double.POSITIVE_INFINITY;

  private boolean stated;
  private boolean over;

  /** How many calls went before anything was stated. */
  private long used;

  /** The moment at which the last call went. */
  private long lastAt;

  /** The moment at which the burst was last let grow. */
  private long grownAt;

  public Pace(long now) {
    bucket = new Bucket(0, Double.POSITIVE_INFINITY, now);
    lastAt = now;
  }

  /** Replies state so many calls, and so many a nanosecond. */
  public void stated(double perNano, double callsAtOnce, long now) {
    double burst = Math.max(1, callsAtOnce);
    fullBurst = burst;
    bucket.rate(perNano, now);
    if (!stated) {
      stated = true;
      bucket.ceiling(Math.min(burst, CAREFUL_BURST), now);
      double gone = Math.min((double) used, CAREFUL_BURST / 2);
      bucket.believe(Math.max(1, bucket.ceiling() - gone), now);
      grownAt = now;
    } else if (burst < bucket.ceiling()) {
      bucket.ceiling(burst, now);
    }
  }

  /** A limit was felt, and says better how deep the burst is. */
  public void end() {
    over = true;
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(now);
  }

  long availableAt(long now) {
    if (over || !stated) {
      return now;
    }
    grow(now);
    double level = bucket.level(now);
    if (level + 1e-6 >= 1) {
      return now;
    }
    double growth = bucket.ceiling() >= fullBurst ? 0 : bucket.ceiling() * Math.log(2) / DOUBLING;
    double wait = Math.ceil((1 - level) / (bucket.rate() + growth));
    return Math.max(now, (long) Math.min(now + wait, lastAt + LONGEST_WAIT));
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    charge(now);
  }

  void charge(long now) {
    lastAt = now;
    used++;
    bucket.take(1, now);
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    giveBack(now);
  }

  /** A call that was to go did not go, or was turned away. */
  void giveBack(long now) {
    used--;
    bucket.giveBack(1, now);
  }

  private void grow(long now) {
    double elapsed = now - grownAt;
    boolean deep = bucket.level(now) < bucket.ceiling() / 2;
    if (deep && bucket.ceiling() < fullBurst && elapsed > 0) {
      double grown = bucket.ceiling() * Math.pow(2, Math.min(1, elapsed / DOUBLING));
      double ceiling = Math.min(fullBurst, grown);
      double more = ceiling - bucket.ceiling();
      bucket.ceiling(ceiling, now);
      bucket.giveBack(more, now);
    }
    grownAt = now;
  }
}
