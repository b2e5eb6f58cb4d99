package dev.flyball.scheduler;

import dev.flyball.call.Attempt;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.AttemptCharges;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The right to one attempt. It is settled exactly once, with what the attempt came back with;
 * closed without that, the attempt counts as never sent and everything is given back. Thread-safe,
 * and no method blocks for longer than a lane's lock is held.
 *
 * @param <T> what an answer is
 */
public final class Permit<T> implements Attempt, AutoCloseable {
  final Waiter<T> waiter;
  final int number;
  final AttemptCharges charges;
  final long cost;
  final Budgets.Hold hold;
  private final Waiter.@Nullable Waited waited;
  boolean settled;

  Permit(Waiter<T> waiter, AttemptCharges charges, long cost, Budgets.Hold hold) {
    this.waiter = waiter;
    this.number = waiter.attempts;
    this.charges = charges;
    this.cost = cost;
    this.hold = hold;
    this.waited = waiter.waited;
    waiter.waited = null;
  }

  long sentAt() {
    return charges.sentAt();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public LaneId lane() {
    return waiter.lane.id();
  }

  /** {@return what the call waited for before this attempt, and how long} */
  public Map<Constraint, Duration> waited() {
    var all = new LinkedHashMap<Constraint, Duration>();
    for (var each = waited; each != null; each = each.others) {
      all.put(each.constraint, Duration.ofNanos(each.nanos));
    }
    return all;
  }

  @Override
  public void sighted(Signals signals) {
    waiter.lane.sighted(this, signals);
  }

  /**
   * Tells what came back, and frees what the attempt held.
   *
   * @param reply what came back
   * @return what follows
   * @throws IllegalStateException if the permit is settled or closed already
   */
  public NextStep<T> settle(Reply<T> reply) {
    return waiter.lane.settle(this, reply, false);
  }

  /**
   * Tells what came back after which nothing is to be tried again, such as a stream that broke when
   * its beginning had been passed on.
   *
   * @param reply what came back
   * @return how the call ended
   * @throws IllegalStateException if the permit is settled or closed already
   */
  public NextStep<T> settleForGood(Reply<T> reply) {
    return waiter.lane.settle(this, reply, true);
  }

  /**
   * Ends the call because nobody wants its answer any more, unless the permit is settled. That says
   * nothing about the provider: neither the breaker nor the number of slots follows from it.
   *
   * @param soFar what the attempt has used, as far as is known
   */
  public void abandon(Usage soFar) {
    waiter.lane.abandon(this, soFar);
  }

  /**
   * Ends the call without knowing what became of the attempt: it counts as sent, and what it was
   * charged stays charged. Does nothing after the permit is settled.
   */
  public void lost() {
    waiter.lane.abandon(this, true);
  }

  /** Gives everything back and ends the call, unless the permit is settled. */
  @Override
  public void close() {
    waiter.lane.abandon(this, false);
  }
}
