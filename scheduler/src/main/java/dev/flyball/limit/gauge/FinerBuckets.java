package dev.flyball.limit.gauge;

/**
 * Buckets between those that have a place. Two neighbours differ by two per cent, and the right
 * rate lies between them: the faster one drifts over the line in some seconds and is turned away,
 * the slower one loses time. So as soon as buckets have the majority, those around the one that
 * leads get places; and again when the one that leads is at their edge.
 */
final class FinerBuckets {
  private static final double LEADS = 0.1;
  private static final double MAJORITY = 0.5;
  private static final double STEP = 0.003;
  private static final int EACH_WAY = 4;

  /** Their share of what all buckets together have. */
  private static final double SHARE = 0.003;

  private final LateGauges late;
  private final Families families;

  /** The rate around which there are finer ones. */
  private double around;

  FinerBuckets(LateGauges late, Families families) {
    this.late = late;
    this.families = families;
  }

  /** A call was turned away, and this jury has learned from it. */
  void refused(Jury jury, double now, Jury first, Jury second) {
    int leader = jury.leader();
    double rate = families.rate[leader];
    if (rate == 0 || jury.say(leader) < LEADS || jury.sayOfBuckets() < MAJORITY) {
      return;
    }
    if (Math.abs(rate / around - 1) < (EACH_WAY - 0.5) * STEP) {
      return;
    }
    around = rate;
    for (int i = -EACH_WAY; i <= EACH_WAY; i++) {
      if (i != 0) {
        late.seatBucket(rate * (1 + i * STEP), leader, SHARE / EACH_WAY, now, first, second);
      }
    }
  }
}
