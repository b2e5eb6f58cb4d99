package dev.flyball.scheduler;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.limit.AttemptCharges;
import dev.flyball.limit.Limit;
import dev.flyball.scheduler.SharedLimit.SharedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a lane that is kept by a {@link SharedLimit}: the answers for the calls it was shown
 * last, and the calls that went with one. Under the lane's lock.
 */
final class SharedDepartures implements Limit {
  private static final long ASK_AGAIN_AFTER = 1_000_000_000L;

  /** A call as it was shown, and the moment at which it may leave. */
  private record Shown(SharedCall call, long moment) {}

  private final SharedLimit.OfLane part;

  /** The calls that were shown last. */
  private final Map<Waiter<?>, Shown> shown = new HashMap<>();

  /** The attempts that went and are not settled. */
  private final Map<AttemptCharges, SharedCall> gone = new HashMap<>();

  /** The call for which the lane's limits are asked now. */
  private @Nullable Waiter<?> asking;

  /** Whether it has limited the lane when it was last looked at. */
  private boolean held;

  SharedDepartures(SharedLimit.OfLane part) {
    this.part = part;
  }

  /** Whether it is to be left to this limit, while it holds, what a lane knows of an allowance. */
  boolean paces(AllowanceTerms terms) {
    return part.paces(terms.dimension());
  }

  boolean pacesRequests() {
    return part.paces(Dimension.REQUESTS);
  }

  boolean countsSlots() {
    return part.paces(Dimension.IN_FLIGHT);
  }

  /** Whether it limits the lane now; else the lane's own limits do. */
  boolean holds() {
    boolean now = part.holds();
    if (now != held) {
      shown.clear();
      held = now;
    }
    return now;
  }

  int deep() {
    return part.deep();
  }

  /** What all have learned together, while it holds. */
  Optional<LearnedLimits.OfLane> learned() {
    return part.holds() ? part.learned() : Optional.empty();
  }

  /** The reason that others give; what only this lane can wait for by itself is not believed. */
  Constraint waitsFor() {
    var reason = part.waitsFor();
    boolean own = reason.equals(Constraint.SLOT) || reason.equals(Constraint.RETRY_BUDGET);
    return own ? Constraint.SHARED : reason;
  }

  /** Shows the limit who waits, and keeps its answers. */
  void show(List<Waiter<?>> next, int waiting, long now) {
    var calls = new ArrayList<SharedCall>(next.size());
    next.forEach(waiter -> calls.add(sharedCall(waiter)));
    shown.clear();
    List<OptionalLong> moments;
    try {
      moments = part.moments(List.copyOf(calls), waiting, now);
    } catch (RuntimeException broken) {
      EventFeed.logged("a shared limit", broken);
      moments = calls.stream().map(call -> OptionalLong.of(now + ASK_AGAIN_AFTER)).toList();
    }
    for (int i = 0; i < calls.size(); i++) {
      long moment = i < moments.size() ? moments.get(i).orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
      shown.put(next.get(i), new Shown(calls.get(i), moment));
    }
  }

  private static SharedCall sharedCall(Waiter<?> waiter) {
    return new SharedCall(waiter.number, waiter.attempts + 1, waiter.call, waiter.due);
  }

  void asksFor(Waiter<?> waiter) {
    asking = waiter;
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    var known = shown.get(asking);
    return known == null ? Long.MAX_VALUE : Math.max(now, known.moment());
  }

  /** The call that was asked for goes; its waiter counts this attempt already. */
  @Override
  public void charge(AttemptCharges attempt, long now) {
    var waiter = asking;
    if (waiter != null) {
      var known = shown.remove(waiter);
      var call =
          known == null
              ? new SharedCall(waiter.number, waiter.attempts, waiter.call, waiter.due)
              : known.call();
      gone.put(attempt, call);
      EventFeed.harmless(() -> part.departed(call, now), "a shared limit");
    }
  }

  /** Passes on what a reply's headers said. */
  void sighted(AttemptCharges attempt, Signals signals, long now) {
    var call = gone.get(attempt);
    if (call != null) {
      EventFeed.harmless(() -> part.sighted(call, signals, now), "a shared limit");
    }
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    var call = gone.remove(attempt);
    if (call != null) {
      EventFeed.harmless(() -> part.settled(call, reply, now), "a shared limit");
    }
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    var call = gone.remove(attempt);
    if (call != null) {
      EventFeed.harmless(() -> part.givenBack(call, now), "a shared limit");
    }
  }
}
