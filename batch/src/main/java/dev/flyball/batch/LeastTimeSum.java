package dev.flyball.batch;

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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The least time that a lane's calls could have taken, as far as its limits are known. Whatever was
 * asked must be let in at the latest when the quickest answer is still to come. Only sums are kept,
 * however many calls; the rule is that of {@link LeastTime}.
 */
final class LeastTimeSum {
  private final LaneProfile profile;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Charge, Long> kept = new EnumMap<>(Charge.class);
  private final Map<Charge, Long> after = new EnumMap<>(Charge.class);
  private long quickest = Long.MAX_VALUE;
  private long slowest;
  private double busy;

  LeastTimeSum(LaneProfile profile) {
    this.profile = profile;
  }

  void answered(Estimate estimate, Usage usage, long nanos) {
    lock.lock();
    try {
      for (var charge : Charge.values()) {
        long used = charge.after(usage);
        kept.merge(charge, Math.max(used, charge.before(estimate, usage.output())), Long::sum);
        after.merge(charge, used, Long::sum);
      }
      quickest = Math.min(quickest, nanos);
      slowest = Math.max(slowest, nanos);
      busy += (double) nanos;
    } finally {
      lock.unlock();
    }
  }

  Duration least(LaneSnapshot lane, LearnedLimits.Felt felt, int mostInFlight) {
    lock.lock();
    try {
      if (after.isEmpty()) {
        return Duration.ZERO;
      }
      double least = Math.max((double) slowest, busy / mostInFlight);
      for (var gauge : lane.gauges()) {
        var terms = profile.termsOf(gauge.dimension());
        boolean keeps = terms.settle() == AllowanceTerms.Settle.NO_REFUND;
        long needed = (keeps ? kept : after).getOrDefault(terms.charge(), 0L);
        if (gauge.sighted() && gauge.perSecond() > 0) {
          var supply = Supply.steady(gauge.dimension(), gauge.perSecond(), gauge.ceiling());
          least = Math.max(least, least(needed, supply));
        }
      }
      if (felt.perSecond() > 0) {
        long calls = after.getOrDefault(Charge.ONE, 0L);
        var supply = Supply.steady(Dimension.REQUESTS, felt.perSecond(), felt.burst());
        least = Math.max(least, least(calls, supply));
      }
      return Duration.ofNanos((long) least);
    } finally {
      lock.unlock();
    }
  }

  /** All of it together, as one call that is answered as quickly as the quickest was. */
  private double least(long needed, Supply supply) {
    var all = new Demand(Duration.ofNanos(quickest), Map.of(supply.dimension(), needed));
    return (double) LeastTime.of(List.of(all), List.of(supply), 1).toNanos();
  }
}
