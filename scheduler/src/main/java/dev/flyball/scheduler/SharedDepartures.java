package dev.flyball.scheduler;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.limit.AttemptCharges;
import dev.flyball.limit.Limit;
import dev.flyball.scheduler.SharedLimit.SharedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a lane that is kept by a {@link SharedLimit}: the answers for the calls it was shown
 * last, and the calls that went with one. Under the lane's lock.
 */
final class SharedDepartures implements Limit {
  private static final long ASK_AGAIN_AFTER = 1_000_000_000L;
  private static final List<Dimension> USUAL =
      List.of(
          Dimension.REQUESTS, Dimension.INPUT_TOKENS, Dimension.OUTPUT_TOKENS, Dimension.TOKENS);

  /** A call as it was shown, and the moment at which it may leave. */
  private record Shown(SharedCall call, long moment) {}

  private final SharedLimit.OfLane part;
  private final ToLongFunction<Waiter<?>> expectedOutput;

  /** What each dimension counts; in the order in which they became known. */
  private final Map<Dimension, Charge> charges = new HashMap<>();

  /** The calls that were shown last. */
  private final Map<Waiter<?>, Shown> shown = new HashMap<>();

  /** The attempts that went and are not settled. */
  private final Map<AttemptCharges, SharedCall> gone = new HashMap<>();

  /** The call for which the lane's limits are asked now. */
  private @Nullable Waiter<?> asking;

  SharedDepartures(SharedLimit.OfLane part, ToLongFunction<Waiter<?>> expectedOutput) {
    this.part = part;
    this.expectedOutput = expectedOutput;
    USUAL.forEach(usual -> charges.put(usual, AllowanceTerms.of(usual).charge()));
  }

  /** The lane knows of an allowance; returns whether it is to leave it to this limit. */
  boolean paces(AllowanceTerms terms) {
    charges.put(terms.dimension(), terms.charge());
    return part.paces(terms.dimension());
  }

  boolean pacesRequests() {
    return part.paces(Dimension.REQUESTS);
  }

  /** Shows the limit who waits, and keeps its answers. */
  void show(List<Waiter<?>> next, long now) {
    var calls = new ArrayList<SharedCall>(next.size());
    next.forEach(waiter -> calls.add(sharedCall(waiter)));
    shown.clear();
    List<OptionalLong> moments;
    try {
      moments = part.moments(List.copyOf(calls), now);
    } catch (RuntimeException broken) {
      EventFeed.logged("a shared limit", broken);
      moments = calls.stream().map(call -> OptionalLong.of(now + ASK_AGAIN_AFTER)).toList();
    }
    for (int i = 0; i < calls.size(); i++) {
      long moment = i < moments.size() ? moments.get(i).orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
      shown.put(next.get(i), new Shown(calls.get(i), moment));
    }
  }

  private SharedCall sharedCall(Waiter<?> waiter) {
    var estimate = waiter.call.estimate();
    long expected = expectedOutput.applyAsLong(waiter);
    var costs = new HashMap<Dimension, Long>();
    charges.forEach((dimension, charge) -> costs.put(dimension, charge.before(estimate, expected)));
    return new SharedCall(waiter.number, waiter.attempts + 1, estimate, costs);
  }

  void asksFor(Waiter<?> waiter) {
    asking = waiter;
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    var known = shown.get(asking);
    return known == null ? Long.MAX_VALUE : Math.max(now, known.moment());
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    var known = shown.remove(asking);
    if (known != null) {
      gone.put(attempt, known.call());
      EventFeed.harmless(() -> part.departed(known.call(), now), "a shared limit");
    }
  }

  /** Passes on what a reply, or its headers, said. */
  void heard(AttemptCharges attempt, Signals signals, boolean turnedAway, long now) {
    var call = gone.get(attempt);
    if (call != null && (turnedAway || !signals.equals(Signals.NONE))) {
      EventFeed.harmless(() -> part.heard(call, signals, turnedAway, now), "a shared limit");
    }
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    boolean turnedAway = reply instanceof Reply.Throttled;
    heard(attempt, reply.signals(), turnedAway, now);
    if (turnedAway) {
      giveBack(attempt, now);
      return;
    }
    var call = gone.remove(attempt);
    if (call != null) {
      var used = new HashMap<>(call.costs());
      if (!(reply instanceof Reply.Broken)) {
        var usage = reply.billed(call.estimate());
        charges.forEach((dimension, charge) -> used.put(dimension, charge.after(usage)));
      }
      EventFeed.harmless(() -> part.settled(call, Map.copyOf(used), now), "a shared limit");
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
