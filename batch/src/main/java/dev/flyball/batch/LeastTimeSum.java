package dev.flyball.batch;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.LaneSnapshot;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The least time that a lane's calls could have taken, as far as its limits are known. Whatever was
 * asked must be let in at the latest when the quickest answer is still to come, and until then a
 * limit has given no more than its burst and its refill. Only sums are kept, however many calls.
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
      double least = Math.max((double) slowest, busy / mostInFlight);
      if (after.isEmpty()) {
        return Duration.ZERO;
      }
      for (var gauge : lane.gauges()) {
        var terms = profile.termsOf(gauge.dimension());
        boolean keeps = terms.settle() == AllowanceTerms.Settle.NO_REFUND;
        long needed = (keeps ? kept : after).getOrDefault(terms.charge(), 0L);
        if (gauge.sighted()) {
          least = Math.max(least, earned(needed, gauge.ceiling(), gauge.perSecond()));
        }
      }
      if (felt.perSecond() > 0) {
        long calls = after.getOrDefault(Charge.ONE, 0L);
        least = Math.max(least, earned(calls, felt.burst(), felt.perSecond()));
      }
      return Duration.ofNanos((long) least);
    } finally {
      lock.unlock();
    }
  }

  private double earned(long needed, double burst, double perSecond) {
    return needed <= burst || !(perSecond > 0)
        ? 0
        : (double) quickest + ((double) needed - burst) / perSecond * 1e9;
  }
}
