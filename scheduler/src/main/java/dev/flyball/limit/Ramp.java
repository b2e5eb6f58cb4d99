package dev.flyball.limit;

import dev.flyball.call.RampPlan;
import java.util.Optional;

/**
 * The growth of traffic that a provider stands. A call's weight is the time that its scarcest
 * allowance needs to earn it; at a share of one half, calls go half as fast as the limits would let
 * them. Full share, which is where a ramp starts unless asked otherwise, holds nothing back.
 */
public final class Ramp implements Limit {
  private static final double ALLOWED_AT_ONCE = 1e9;
  private static final double LEAST = 0.01;

  private double share;
  private long since;
  private final double step;
  private boolean throttled;
  private double spoken;
  private double used;
  private long usedSince;

  /**
   * A ramp that somebody asked for goes on with the share of an earlier run, if that came further.
   * One that nobody asked for begins with all, or, if an earlier run was told that its traffic grew
   * too fast, with the share that this had come to.
   *
   * @param earlier 0 if there is none
   */
  public Ramp(Optional<RampPlan> plan, double earlier, long now) {
    throttled = plan.isEmpty() && earlier > 0 && earlier < 1;
    double start = throttled ? LEAST : plan.map(RampPlan::start).orElse(1.0);
    share = earlier > start ? earlier : start;
    step = plan.map(each -> each.step() / each.period().toNanos()).orElse(0.0);
    since = now;
    usedSince = now;
    spoken = now;
  }

  /** What part of the limits may be used. */
  public double share(long now) {
    double grown =
        throttled
            ? share * Math.pow(1.5, (now - since) / (15 * 60e9))
            : share + step * (now - since);
    return Math.min(1, grown);
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(now);
  }

  long availableAt(long now) {
    return spoken - ALLOWED_AT_ONCE <= now ? now : (long) Math.ceil(spoken - ALLOWED_AT_ONCE);
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    charge(attempt.weight, now);
  }

  /** A call goes whose scarcest allowance takes {@code weight} nanoseconds to earn it. */
  void charge(double weight, long now) {
    double share = share(now);
    spoken = share >= 1 ? now : Math.max(spoken, (double) now) + weight / share;
  }

  /** A call of that weight was let in. */
  public void went(double weight, long now) {
    if (now - usedSince > 60e9) {
      used /= 2;
      usedSince = now - (long) 30e9;
    }
    used += weight;
  }

  /**
   * The provider said that traffic grew too fast: half of what it got, then slowly more. What went
   * at once, faster than the limits are earned, is made up for at the new share before the next
   * call goes.
   *
   * @param inFlight the weight of what is in flight
   */
  public void tooFast(double inFlight, long now) {
    if (throttled && now - since < 1e9) {
      return;
    }
    double passed = Math.max(1e9, (double) (now - usedSince));
    double all = used + inFlight;
    double inUse = all == 0 ? 1 : Math.min(1, all / passed);
    share = Math.max(LEAST, 0.5 * Math.min(share(now), inUse));
    since = now;
    throttled = true;
    spoken = Math.max(spoken, now + Math.max(0, all - passed) / share);
  }
}
