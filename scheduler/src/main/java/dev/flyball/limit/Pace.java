package dev.flyball.limit;

import dev.flyball.call.LearnedLimits.Felt;
import dev.flyball.call.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit on calls that no reply states, felt only where calls are turned away.
 *
 * <p>Some providers say nothing; some say "600 a minute" and mean ten a second. A call that is
 * turned away although everything stated had room is a sighting of an empty bucket at the moment it
 * was sent. Between two of these exactly the refill went through, so k calls in a time t put the
 * rate within (k ± 2) ÷ t: one for what was left in the bucket, one because calls sent together
 * arrive in any order. Each such pair narrows the estimate. What went before the first one tells
 * the burst. A refill that found no room, because the lane paused for longer than the burst lasts,
 * loosens the upper edge by as much.
 *
 * <p>Before anything was felt, a lane whose limit is stated is let into its burst carefully: eight
 * calls at first, and twice as many each second while that depth is in use. Turning away is quick,
 * so a burst that is too deep costs a call or two instead of all that the stated limit would have
 * let go.
 *
 * <p>Once felt, the pace keeps just under the estimate and creeps up: each second by part of the
 * way to the upper edge, which itself gives way the longer nothing is turned away. Refusals with no
 * success between them double the wait, up to half a minute.
 */
public final class Pace implements Limit {
  private static final double CAREFUL_BURST = 8;
  private static final double DOUBLING = 1e9;
  private static final double UNDER = 0.98;
  private static final double CREEP_EVERY = 1e9;
  private static final double CREEP = 0.15;
  private static final double REMEMBERED = 60e9;
  private static final double APART = 250e6;

  private static final long SECOND = 1_000_000_000;

  /** Calls sent so close together may arrive in any order. */
  public static final long TOGETHER = 10_000_000;

  private static final double SLACK = 2;
  private static final double SURE = 2e9;
  private static final double ABSURD = 1e9;
  private static final double SHORT = 5e9;
  private static final double TRUSTED = 5e9;
  private static final double LONGEST_MISS = 30e9;
  private static final double LONGEST_WAIT = 60e9;

  private record Empty(long at, long used, double lost) {
    Empty less() {
      return new Empty(at, used - 1, lost);
    }
  }

  /** Refusals of the last minute, some time apart. */
  private final List<Empty> empties = new ArrayList<>();

  private final Bucket bucket;

  /** Calls a nanosecond, as stated or as felt. */
  private double rate = Double.POSITIVE_INFINITY;

  /** Calls a nanosecond that replies state: it is never felt to be more. */
  private double stated = Double.POSITIVE_INFINITY;

  /** The burst that replies state, into which the lane is let carefully. */
  private double fullBurst = Double.POSITIVE_INFINITY;

  /** The upper edge of the rate that was felt. */
  private double upper = Double.POSITIVE_INFINITY;

  /** Whether a call was turned away for it, or an earlier run has felt it. */
  private boolean felt;

  /** Whether the rate is a first guess, that any good pair of refusals beats. */
  private boolean guessed;

  /** Whether it is an earlier run's, which nothing has confirmed yet. */
  private boolean remembered;

  /** Refusals in a row with no success between them. */
  private int misses;

  /** The moment at which it was last felt. */
  private long feltAt;

  /** The highest level at which a call went since then. */
  private double peak;

  /** Refill that found no room, as far as it counts between refusals. */
  private double lost;

  /** What the bucket had lost in all when that was last looked at. */
  private double lostBefore;

  /** Calls that went and were not turned away. */
  private long used;

  /** The moment at which the first call went. */
  private long firstAt = Long.MIN_VALUE;

  /** The moment at which the last call went. */
  private long lastAt;

  /** The moment at which rate or burst were last let grow. */
  private long grownAt;

  public Pace(long now) {
    bucket = new Bucket(0, Double.POSITIVE_INFINITY, now);
    lastAt = now;
  }

  /** One that an earlier run has felt: its rate is tried, and forgotten when it is too high. */
  public void remember(Felt memory, long now) {
    if (memory.perSecond() > 0 && memory.perSecond() < ABSURD) {
      rate = memory.perSecond() / 1e9;
      felt = true;
      remembered = true;
      feltAt = now;
      grownAt = now;
      bucket.ceiling(memory.burst() > 1 ? memory.burst() : 1, now);
      bucket.rate(rate, now);
      bucket.believe(Math.min(4, bucket.ceiling()), now);
    }
  }

  public Felt felt() {
    return felt ? new Felt(rate * 1e9, bucket.ceiling()) : Felt.NOTHING;
  }

  /** Replies state so many calls, and so many a nanosecond. */
  public void stated(double perNano, double callsAtOnce, long now) {
    double burst = Math.max(1, callsAtOnce);
    if (remembered && perNano > 1.5 * rate) {
      felt = false;
      remembered = false;
    }
    if (felt) {
      stated = perNano;
      return;
    }
    boolean first = stated == Double.POSITIVE_INFINITY;
    stated = perNano;
    fullBurst = burst;
    rate = perNano;
    bucket.rate(rate, now);
    if (first) {
      bucket.ceiling(Math.min(burst, CAREFUL_BURST), now);
      bucket.believe(
          Math.max(1, bucket.ceiling() - Math.min((double) used, CAREFUL_BURST / 2)), now);
      grownAt = now;
    } else if (burst < bucket.ceiling()) {
      bucket.ceiling(burst, now);
    }
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(now);
  }

  long availableAt(long now) {
    if (rate == Double.POSITIVE_INFINITY) {
      return now;
    }
    grow(now);
    double level = bucket.level(now);
    if (level + 1e-6 >= 1) {
      return now;
    }
    double growth =
        felt || bucket.ceiling() >= fullBurst ? 0 : bucket.ceiling() * Math.log(2) / DOUBLING;
    double wait = Math.ceil((1 - level) / (bucket.rate() + growth));
    return Math.max(now, (long) Math.min(now + wait, lastAt + LONGEST_WAIT));
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    attempt.paceMark = charge(now);
  }

  /** A call goes; returns its mark. */
  long charge(long now) {
    if (firstAt == Long.MIN_VALUE) {
      firstAt = now;
    }
    lastAt = now;
    peak = Math.max(peak, bucket.level(now));
    bucket.take(1, now);
    return ++used;
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    if (reply instanceof Reply.Throttled) {
      giveBack(attempt, now);
    }
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    giveBack(attempt.sentAt(), now);
    attempt.unmarkPace();
  }

  /** A call that was to go then did not go, or was turned away. */
  void giveBack(long sentAt, long now) {
    used--;
    bucket.giveBack(1, now);
    empties.replaceAll(later -> later.at() + TOGETHER < sentAt ? later : later.less());
  }

  /**
   * A call that was sent then was turned away though everything stated had room.
   *
   * @param mark how many calls had gone until then, and about then, without it
   * @param wait how long the provider says that it stays so, in whole seconds, rounded up; 0 if it
   *     does not say. Until then what is refilled pays a debt, and lets nobody through
   */
  public void empty(long mark, long sentAt, long wait, long now) {
    if (!empties.isEmpty() && sentAt < empties.getLast().at()) {
      return;
    }
    long paid = sentAt + Math.max(0, wait - SECOND);
    long since = Math.max(0, used - mark);
    boolean again = felt && sentAt < feltAt;
    if (rate == Double.POSITIVE_INFINITY || remembered) {
      remembered = false;
      double elapsed = Math.max(1e8, (double) (sentAt - firstAt));
      rate = 0.5 * Math.max(1, mark) / elapsed;
      guessed = true;
      bucket.ceiling(Math.max(1, mark - rate * elapsed), now);
    } else {
      boolean full = peak > bucket.ceiling() - SLACK && bucket.ceiling() > 2 * SLACK;
      double wrong = bucket.level(now) + since - bucket.rate() * (now - sentAt);
      if (!again && (wrong >= 1 || full)) {
        bucket.ceiling(Math.max(1, bucket.ceiling() - Math.max(1, wrong)), now);
      }
      // How much was lost while it was about full is not known better than that.
      lost += full ? SLACK : 0;
    }
    peak = 0;
    lost += bucket.lost(now) - lostBefore;
    lostBefore = bucket.lost(now);
    empties.removeIf(old -> sentAt - old.at() > REMEMBERED);
    upper = loosened(now);
    for (var earlier : empties) {
      double elapsed = paid - earlier.at();
      long passed = mark - earlier.used();
      if (elapsed >= APART) {
        upper = Math.min(upper, (passed + 2 + lost - earlier.lost()) / elapsed);
        // After a long pause hardly anything has passed of what was refilled.
        boolean whole = lost == earlier.lost();
        boolean sure = guessed ? whole || elapsed < SHORT : whole && elapsed > SURE && !again;
        boolean better = sure && passed > 0;
        rate = better ? passed / elapsed : Math.max(rate, (passed - 2) / elapsed);
        guessed &= !better;
      }
    }
    rate = Math.min(Math.min(rate, stated), upper);
    boolean nothing = !empties.isEmpty() && mark <= empties.getLast().used();
    misses = again ? misses : nothing ? misses + 1 : 0;
    if (empties.isEmpty() || paid - empties.getLast().at() >= APART) {
      empties.add(new Empty(paid, mark, lost));
    }
    felt = true;
    feltAt = now;
    grownAt = now;
    bucket.rate(UNDER * rate, now);
    double debt = Math.min(Math.scalb(1.0, misses) - 1, LONGEST_MISS * rate);
    bucket.believe(rate * (now - sentAt) - since - debt, now);
  }

  /** The upper edge, which is believed less the longer nothing was turned away. */
  private double loosened(long now) {
    double tens = Math.max(0, now - feltAt - 10e9) / 10e9;
    return upper * (1 + 0.01 * tens * tens);
  }

  private void grow(long now) {
    double elapsed = now - grownAt;
    if (!felt) {
      boolean deep = bucket.level(now) < bucket.ceiling() / 2;
      if (deep && bucket.ceiling() < fullBurst && elapsed > 0) {
        double ceiling =
            Math.min(fullBurst, bucket.ceiling() * Math.pow(2, Math.min(1, elapsed / DOUBLING)));
        double more = ceiling - bucket.ceiling();
        bucket.ceiling(ceiling, now);
        bucket.giveBack(more, now);
      }
      grownAt = now;
    } else if (elapsed >= (remembered && feltAt == grownAt ? TRUSTED : CREEP_EVERY)) {
      double most = Math.min(stated, loosened(now));
      rate = Math.max(rate, Math.min(rate + CREEP * (most - rate), rate * 1.25));
      if (peak >= bucket.ceiling() - 0.5 && bucket.level(now) < 1) {
        bucket.ceiling(bucket.ceiling() * 1.1, now);
        peak = 0;
      }
      bucket.rate(UNDER * rate, now);
      grownAt = now;
    }
  }
}
