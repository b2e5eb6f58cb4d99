package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.RandomDraw;
import java.util.List;

/**
 * Somebody else's use of the same limits: a share of what each of them refills.
 *
 * <p>Every second, on the provider's clock, the other one wants exactly that share of the second's
 * refill, cut at random into ten parts. What is wanted and is not there is owed, and goes before
 * the next request of ours: so they get their share in the end however greedy we are, and no more
 * however idle. Chance comes from the seed and the second alone.
 */
public final class ForeignUse {
  private static final long SECOND = 1_000_000;
  private static final int PARTS = 10;
  private static final long TICK = SECOND / PARTS;
  private static final long MILLION = 1_000_000;

  private final long millionths;
  private final long seed;
  private final String scope;
  private final long[] carried;
  private final long[][] wanted;
  private final long[] owed;
  private long next;

  public ForeignUse(double share, long seed, String scope, int meters, long now) {
    this.millionths = Math.round(share * MILLION);
    this.seed = seed;
    this.scope = scope;
    this.carried = new long[meters];
    this.wanted = new long[meters][PARTS];
    this.owed = new long[meters];
    this.next = millionths == 0 ? Long.MAX_VALUE : Math.ceilDiv(now, SECOND) * SECOND;
  }

  /** When something is wanted next. */
  public long next() {
    return next;
  }

  /** What is wanted next is wanted now. */
  public void tick(List<Meter> meters) {
    int part = (int) (next % SECOND / TICK);
    for (int i = 0; i < owed.length; i++) {
      Limit limit = meters.get(i).limit();
      if (part == 0 && limit.kind() != Limit.Kind.CONCURRENCY) {
        plan(i, limit);
      }
      owed[i] += wanted[i][part];
    }
    next += TICK;
  }

  private void plan(int meter, Limit limit) {
    // Counted in parts, of which a unit has a million for each second of the period.
    long unit = Math.multiplyExact(OptionText.micros(limit.period()) / SECOND, MILLION);
    long due = Math.addExact(carried[meter], Math.multiplyExact(millionths, limit.amount()));
    carried[meter] = due % unit;
    long whole = due / unit;
    RandomDraw draw =
        RandomDraw.of(seed, RandomDraw.Purpose.FOREIGN, scope, "", next / SECOND, meter);
    double[] weights = new double[PARTS];
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
      weights[i] = draw.share();
      sum += weights[i];
    }
    double before = 0;
    long given = 0;
    for (int i = 0; i < PARTS; i++) {
      before += weights[i];
      long until = i == PARTS - 1 ? whole : (long) Math.floor(whole * (before / sum));
      wanted[meter][i] = until - given;
      given = until;
    }
  }

  /** What can be taken of what is owed; it is owed no more. */
  public long take(int meter, long level) {
    long taken = Math.max(0, Math.min(owed[meter], level));
    owed[meter] -= taken;
    return taken;
  }

  /** The slots that somebody else always holds. */
  public long slots(Limit limit) {
    return limit.burst() * millionths / MILLION;
  }
}
