package dev.flyball.limit.level;

/**
 * The doubt about a level that is reckoned: how far off it was found, over the square root of the
 * time since the last look. It rises fast, with each surprise and each refusal, and fades slowly.
 * With nobody else on the key there are no surprises, and no doubt.
 *
 * <p>Calls that are turned away one after the other, with nothing seen to be left in between, say
 * that whatever is reckoned is wrong: the next one waits twice as long as the one before, up to
 * some seconds. Each that is let in takes back one of them: where there is room for one call at a
 * time, nothing is ever seen to be left, and some are turned away by chance.
 */
final class LevelDoubt {
  /** A call that was turned away is worth two of its charges after the time that two take. */
  private static final double REFUSED = 2;

  private static final double SHORTEST_TWO = 0.2e9;

  private static final double SHORTEST = 5e7;

  private static final double FIRST = 25e6;
  private static final double LONGEST = 5e9;
  private static final int MOST = 30;

  private double doubt;

  /** How many more were turned away than let in since something was left, and when the last. */
  private int refusals;

  private long refusedAt = Long.MIN_VALUE;

  /** When the first of them was. */
  private long refusedSince = Long.MIN_VALUE;

  /** The moment since which the level is less and less sure. */
  private long lookedAt;

  LevelDoubt(long now) {
    lookedAt = now;
  }

  /** The level was looked at; something was left, or nothing. */
  void looked(boolean left, long at) {
    lookedAt = Math.max(at, lookedAt);
    refusals = left ? 0 : refusals;
  }

  /**
   * The level was lower, by so much, than was reckoned after a time.
   *
   * @param one how long one charge takes to come back
   */
  void surprise(double shortfall, double time, double one) {
    double shortest = Math.max(SHORTEST, one / 2);
    double felt = 6 * Math.max(0, shortfall) / Math.sqrt(Math.max(time, shortest));
    doubt += (felt > doubt ? 0.1 : 0.02) * (felt - doubt);
  }

  /**
   * A call was turned away though so much was thought to be there. Of those that were sent before
   * that was known, one counts.
   *
   * @param perNano what comes back
   */
  void refused(long charged, double perNano, long sentAt, long now) {
    boolean anew = sentAt >= refusedAt;
    if (charged > 0) {
      double two = perNano > 0 ? Math.max(SHORTEST_TWO, 2 * charged / perNano) : SHORTEST_TWO;
      doubt = Math.max((anew ? 1.3 : 1) * doubt, REFUSED * charged / Math.sqrt(two));
    }
    lookedAt = now;
    if (anew) {
      refusedSince = refusals == 0 ? now : refusedSince;
      refusals = Math.min(refusals + 1, MOST);
      refusedAt = now;
    }
  }

  /** A call of then was let in, though perhaps nothing is left. */
  void letIn(long sentAt) {
    if (sentAt >= refusedSince && refusals > 0) {
      refusals--;
    }
  }

  /** Until when nothing goes, after calls were turned away one after the other. */
  long refusedUntil() {
    double wait = Math.min(LONGEST, Math.scalb(FIRST, refusals));
    return refusals > 1 ? refusedAt + (long) wait : Long.MIN_VALUE;
  }

  /**
   * How much more than is needed must be there, to be sure.
   *
   * @param foreign what others take, in units a nanosecond
   * @param each how much they take at a time
   */
  double margin(double foreign, double each, long now) {
    double others = foreign > 0 ? 3 * Math.sqrt(foreign * each) : 0;
    return Math.max(doubt, others) * Math.sqrt((double) (now - lookedAt));
  }
}
