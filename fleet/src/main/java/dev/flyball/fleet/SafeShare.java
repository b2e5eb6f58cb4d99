package dev.flyball.fleet;

import dev.flyball.call.Call;
import dev.flyball.call.Charge;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.scheduler.SharedLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The pace of a replica that cannot reach its keeper: what the fleet had learned last, divided by
 * the number of replicas, one call at a time, and each replica's calls between those of the others.
 * Of a lane of which nothing was learned one call is under way at a time. Under the replica's lock.
 */
final class SafeShare {
  private static final double SLOWER = 0.8;
  private static final double SLOWEST = 0.5;

  /** What comes back of one limit in a second, for all replicas. */
  private record Pace(Charge charge, double perSecond) {}

  private final List<Pace> paces = new ArrayList<>();
  private final int replicas;
  private final double phase;
  private final int slots;
  private double factor = 1;

  /** The moment at which the next call may go, if it needs nothing. */
  private double next;

  private boolean begun;

  /**
   * Of one lane.
   *
   * @param from the moment at which others are sure to use no departures of the keeper any more
   */
  SafeShare(Replica replica, LaneProfile profile, LearnedLimits.OfLane learned, long from) {
    replicas = Math.max(1, replica.count());
    phase = (replica.rank() + 0.5) / replicas;
    next = from;
    int most = Integer.MAX_VALUE;
    for (var one : learned.allowances()) {
      if (one.perSecond() > 0) {
        paces.add(new Pace(profile.termsOf(one.dimension()).charge(), one.perSecond()));
      }
    }
    var felt = learned.pace();
    if (felt.perSecond() > 0) {
      paces.add(new Pace(Charge.ONE, felt.perSecond()));
    }
    for (var one : felt.explanations()) {
      if (one.shape().kind() == LearnedLimits.Kind.IN_FLIGHT && one.say() > 0.5) {
        most = (int) Math.min(most, one.line());
      }
    }
    if (profile.inFlight().isPresent()) {
      most = Math.min(most, profile.inFlight().getAsInt());
    }
    slots = paces.isEmpty() ? 1 : Math.max(1, most / replicas);
  }

  /** How long this replica's part of the limits takes to earn a call, in nanoseconds. */
  private double takes(Call call) {
    double longest = 0;
    for (var pace : paces) {
      long output = call.estimate().output().orElse(call.estimate().maxOutput());
      double cost = pace.charge().before(call.estimate(), output);
      longest = Math.max(longest, cost / pace.perSecond());
    }
    return longest * 1e9 * replicas / factor;
  }

  List<OptionalLong> moments(List<SharedLimit.SharedCall> calls, int underWay, long now) {
    if (underWay >= slots) {
      return calls.stream().map(call -> OptionalLong.empty()).toList();
    }
    if (!begun && !calls.isEmpty()) {
      begun = true;
      next = Math.max(next, (double) now) + phase * takes(calls.getFirst().call());
    }
    var moments = new ArrayList<OptionalLong>(calls.size());
    double at = next;
    for (var call : calls) {
      moments.add(OptionalLong.of((long) Math.ceil(at)));
      at = Math.max(at, (double) now) + takes(call.call());
    }
    return moments;
  }

  void departed(Call call, long now) {
    next = Math.max(next, (double) now) + takes(call);
  }

  void settled(Reply<?> reply) {
    if (reply instanceof Reply.Throttled) {
      factor = Math.max(SLOWEST, factor * SLOWER);
    }
  }
}
