package dev.flyball.batch;

import dev.flyball.batch.BatchReport.Bound;
import dev.flyball.batch.BatchReport.BoundSource;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.LeastTime;
import dev.flyball.scheduler.LeastTime.Demand;
import dev.flyball.scheduler.LeastTime.Supply;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The least time that a lane's calls could have taken, as far as its limits are known. Whatever was
 * asked must be let in at the latest when the quickest answer is still to come. Only sums are kept,
 * however many calls; the rule is that of {@link LeastTime}.
 *
 * <p>A limit that replies state is taken at its word. One that was only felt is a guess of the very
 * run that is measured: if it is too low the run is slow, and measured by its own guess it would
 * still look perfect. So a felt limit counts for no less than what the lane is known to have let in
 * ({@link LetIn}), and the bound says that it is {@linkplain BoundSource#FELT felt}. Without any
 * limit there is no bound to claim, however long the slowest answer took.
 */
final class LeastTimeSum {
  private final LaneProfile profile;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Charge, Long> kept = new EnumMap<>(Charge.class);
  private final Map<Charge, Long> after = new EnumMap<>(Charge.class);
  private final LetIn letIn = new LetIn();
  private long quickest = Long.MAX_VALUE;
  private long slowest;
  private double busy;

  LeastTimeSum(LaneProfile profile) {
    this.profile = profile;
  }

  /** A call was sent then, and answered so many nanoseconds later. */
  void answered(Estimate estimate, Usage usage, long sentAt, long nanos) {
    lock.lock();
    try {
      for (var charge : Charge.values()) {
        long used = charge.after(usage);
        kept.merge(charge, Math.max(used, charge.before(estimate, usage.output())), Long::sum);
        after.merge(charge, used, Long::sum);
      }
      letIn.add(sentAt);
      quickest = Math.min(quickest, nanos);
      slowest = Math.max(slowest, nanos);
      busy += (double) nanos;
    } finally {
      lock.unlock();
    }
  }

  Bound least(LaneSnapshot lane, LearnedLimits.Felt felt, int mostInFlight) {
    lock.lock();
    try {
      if (after.isEmpty()) {
        return Bound.NONE;
      }
      double least = Math.max((double) slowest, busy / mostInFlight);
      var from = BoundSource.NONE;
      for (var gauge : lane.gauges()) {
        var terms = profile.termsOf(gauge.dimension());
        boolean keeps = terms.settle() == AllowanceTerms.Settle.NO_REFUND;
        long needed = (keeps ? kept : after).getOrDefault(terms.charge(), 0L);
        if (gauge.sighted() && gauge.perSecond() > 0) {
          var supply = Supply.steady(gauge.dimension(), gauge.perSecond(), gauge.ceiling());
          least = Math.max(least, least(needed, supply));
          from = BoundSource.STATED;
        }
      }
      if (felt.perSecond() > 0) {
        double guess = least(after.getOrDefault(Charge.ONE, 0L), letIn.atLeast(felt));
        // What is stated is known better, as long as it explains as much.
        from = guess > least || from == BoundSource.NONE ? BoundSource.FELT : from;
        least = Math.max(least, guess);
      }
      return new Bound(Duration.ofNanos((long) least), from);
    } finally {
      lock.unlock();
    }
  }

  /** All of it together, as one call that is answered as quickly as the quickest was. */
  private double least(long needed, Supply supply) {
    var all = new Demand(Duration.ofNanos(quickest), Map.of(supply.dimension(), needed));
    return (double) LeastTime.of(List.of(all), List.of(supply), 1).toNanos();
  }

  /**
   * The calls that were let in, by the second in which they were sent. A limit that let in so many
   * within some seconds has at least the burst of the fullest few, and beyond that burst at least
   * the rate of the fullest long stretch and of the whole run. So the bound that follows from it is
   * never more than the time that was taken.
   */
  private static final class LetIn {
    /** Answers that take longer than that count for the whole run, and for no stretch of it. */
    private static final int SECONDS_KEPT = 256;

    private static final int[] BURSTS = {1, 5};
    private static final int[] STRETCHES = {20, 60};

    private final long[] seconds = new long[SECONDS_KEPT];
    private final int[] counts = new int[SECONDS_KEPT];
    private final long[] fullestBursts = new long[BURSTS.length];
    private final long[] fullestStretches = new long[STRETCHES.length];
    private long calls;
    private long firstAt = Long.MAX_VALUE;
    private long lastAt = Long.MIN_VALUE;
    private long newest = Long.MIN_VALUE;

    LetIn() {
      Arrays.fill(seconds, Long.MIN_VALUE);
    }

    void add(long sentAt) {
      calls++;
      firstAt = Math.min(firstAt, sentAt);
      lastAt = Math.max(lastAt, sentAt);
      long second = Math.floorDiv(sentAt, 1_000_000_000L);
      if (second > newest) {
        look();
        newest = second;
      }
      int at = Math.floorMod(second, SECONDS_KEPT);
      if (seconds[at] < second) {
        seconds[at] = second;
        counts[at] = 0;
      }
      counts[at] += seconds[at] == second ? 1 : 0;
    }

    /** Notes the fullest spans among the seconds that are kept. */
    private void look() {
      if (calls == 0 || newest == Long.MIN_VALUE) {
        return;
      }
      look(BURSTS, fullestBursts);
      look(STRETCHES, fullestStretches);
    }

    private void look(int[] spans, long[] fullest) {
      for (int i = 0; i < spans.length; i++) {
        long within = 0;
        for (long second = newest - SECONDS_KEPT + 1; second <= newest; second++) {
          within += count(second) - count(second - spans[i]);
          fullest[i] = Math.max(fullest[i], within);
        }
      }
    }

    private int count(long second) {
      int at = Math.floorMod(second, SECONDS_KEPT);
      boolean kept = second > newest - SECONDS_KEPT && seconds[at] == second;
      return kept ? counts[at] : 0;
    }

    /** A limit as it was felt, but not below what it has let in. */
    Supply atLeast(LearnedLimits.Felt felt) {
      look();
      double rate = felt.perSecond();
      double burst = felt.burst();
      for (int i = 0; i < BURSTS.length; i++) {
        burst = Math.max(burst, fullestBursts[i] - rate * BURSTS[i]);
      }
      for (int i = 0; i < STRETCHES.length; i++) {
        rate = Math.max(rate, (fullestStretches[i] - burst) / STRETCHES[i]);
      }
      double span = (lastAt - firstAt) / 1e9;
      rate = span > 0 ? Math.max(rate, (calls - burst) / span) : rate;
      return Supply.steady(Dimension.REQUESTS, rate, burst);
    }
  }
}
