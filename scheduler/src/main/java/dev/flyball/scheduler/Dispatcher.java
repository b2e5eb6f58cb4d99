package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision who of a lane's calls goes next. As long as the first call in order can go, it goes;
 * it can when the latest answer of all limits is not after now, and then all are charged together.
 * Otherwise nothing is charged, and {@link #nextMoment} is when to look again. Under the lane's
 * lock; whoever has an answer is woken when that is released.
 */
final class Dispatcher {
  private static final long LONGEST_TRIAL = 10_000_000_000L;
  private static final Optional<Refusal> NOTHING = Optional.empty();

  private final LaneId id;
  private final Lanes.Settings settings;
  private final EventFeed feed;
  private final Budgets budgets;
  private final Runnable whenBudgetHasRoom;
  private final LaneLimits limits;
  private final WaitingCalls waiting;
  private final Metrics.Counters counters;

  /** Those who have an answer and are not woken yet, the last one first. */
  private @Nullable Waiter<?> woken;

  /** When calls need no longer wait for the lane's first reply. */
  private long trialEnds = Long.MAX_VALUE;

  /** The next moment at which a call that is in order could go. */
  private long soonest = Long.MAX_VALUE;

  /**
   * The moment since which there was no progress: nothing was answered, and whatever went was
   * turned away.
   */
  private long stalledSince = Long.MAX_VALUE;

  /** How long nothing can go from now on, where that is longer than allowed; else 0. */
  private volatile long parkedFor;

  Dispatcher(
      LaneId id,
      Lanes.Settings settings,
      EventFeed feed,
      Budgets budgets,
      Runnable whenBudgetHasRoom,
      LaneLimits limits,
      WaitingCalls waiting,
      Metrics.Counters counters) {
    this.id = id;
    this.settings = settings;
    this.feed = feed;
    this.budgets = budgets;
    this.whenBudgetHasRoom = whenBudgetHasRoom;
    this.limits = limits;
    this.waiting = waiting;
    this.counters = counters;
  }

  /** Spares a call the queue when nobody is in it. */
  boolean goesAtOnce(Waiter<?> waiter, long now) {
    boolean free = waiting.nobodyInOrder() && waiter.call.prefix().isEmpty() && !limits.isShared();
    if (free
        && !onTrial(waiter, now)
        && limits.anyCall(waiter, now) <= now
        && limits.thisCall(waiter, now) <= now
        && hold(waiter) instanceof Budgets.Room.Held(var hold)) {
      grant(waiter, hold, now);
      return true;
    }
    return false;
  }

  /** Lets go whoever can, and notes when to look again. */
  void pump(long now) {
    waiting.resume(now);
    if (limits.slots().inFlight() == 0 && waiting.nobodyInOrder()) {
      // No limit on retries holds where there is nothing else to do.
      waiting.resumeOne(Constraint.RETRY_BUDGET);
    }
    for (var late = waiting.removeLate(now); late != null; late = waiting.removeLate(now)) {
      refuse(late, new Refusal.TooLate(late.had()));
    }
    soonest = Long.MAX_VALUE;
    for (var head = waiting.head(); head != null; head = waiting.head()) {
      long any = limits.anyCall(head, now);
      if (any > now && restsTooLong(now)) {
        break;
      }
      if (any > now) {
        waitsFor(head, limits.binding(), any, now);
        soonest = any;
        break;
      }
      if (!advance(now)) {
        break;
      }
    }
    noteStall(now);
  }

  /** Refuses everybody while the breaker rests, where nobody is to wait for that. */
  private boolean restsTooLong(long now) {
    long rest = limits.breaker().until() - now;
    boolean open = limits.breaker().state() == BreakerState.OPEN && rest > 0;
    if (open && !settings.waitsOutRests()) {
      refuseAll(new Refusal.Resting(Duration.ofNanos(rest)));
      return true;
    }
    return false;
  }

  /**
   * Lets the first call go that can, of the first few in order; or takes one out of the order that
   * has something else to wait for. False when neither was there.
   */
  private boolean advance(long now) {
    soonest = Long.MAX_VALUE;
    limits.show(waiting, now);
    boolean others = limits.isShared();
    int deep = others ? limits.deep() : WaitingCalls.DEEP;
    var passed = new ArrayList<Waiter<?>>(0);
    for (var line : waiting.lines()) {
      for (var waiter : line) {
        if (waiting.follows(waiter, now)) {
          waitsFor(waiter, Constraint.LEADER, Long.MAX_VALUE, now);
          return true;
        }
        if (onTrial(waiter, now)) {
          soonest = Math.min(soonest, trialEnds);
          waitsFor(waiter, Constraint.SLOT, trialEnds, now);
          passed.add(waiter);
          if (passed.size() > deep) {
            return false;
          }
          continue;
        }
        long until = limits.thisCall(waiter, now);
        if (until <= now) {
          decide(waiter, passed, now);
          return true;
        }
        var constraint = limits.binding();
        var never = until == Long.MAX_VALUE ? limits.excludes(waiter) : NOTHING;
        if (never.isPresent()) {
          waiting.remove(waiter);
          refuse(waiter, never.get());
          return true;
        }
        waitsFor(waiter, constraint, until, now);
        if (constraint.equals(Constraint.SLOT)) {
          // No other call of this lane would get one either.
          return false;
        }
        if (constraint.equals(Constraint.RETRY_BUDGET)) {
          // Others are no retries and need not wait behind it.
          waiting.pause(waiter);
          return true;
        }
        soonest = Math.min(soonest, until);
        passed.add(waiter);
        // Those who share the limit see to it that nobody is overtaken for ever.
        boolean enough = !others && waiter.overtakenBy >= size(waiter);
        if (enough || passed.size() > deep) {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * Whether a call has a lane that it prefers, and this one is being tried and has never had a
   * reply: a key that is refused, or is of no use, costs one attempt.
   */
  private boolean onTrial(Waiter<?> waiter, long now) {
    return waiter.anyLane != null
        && now < trialEnds
        && !counters.anySettled()
        && limits.slots().inFlight() > 0
        && !waiter.call.lane().equals(id);
  }

  /** All limits agree; the budget has the last word. */
  private void decide(Waiter<?> waiter, List<Waiter<?>> passed, long now) {
    switch (hold(waiter)) {
      case Budgets.Room.Held(var hold) -> {
        passed.forEach(overtaken -> overtaken.overtakenBy += size(waiter));
        waiting.remove(waiter);
        grant(waiter, hold, now);
      }
      case Budgets.Room.Later() -> {
        waiting.cannotAfford(waiter);
        waitsFor(waiter, Constraint.BUDGET, Long.MAX_VALUE, now);
      }
      case Budgets.Room.Never(var why) -> {
        if (feed.heard()) {
          feed.add(new Event.BudgetSpent(id, why));
        }
        waiting.remove(waiter);
        refuse(waiter, why);
      }
      case Budgets.Room.Elsewhere() -> waiting.remove(waiter);
    }
  }

  private Budgets.Room hold(Waiter<?> waiter) {
    boolean retry = waiter.attempts > 0;
    return waiter.anyLane == null
        ? budgets.hold(waiter.call, retry, whenBudgetHasRoom)
        : waiter.anyLane.take(waiter, () -> budgets.hold(waiter.call, retry, whenBudgetHasRoom));
  }

  private <T> void grant(Waiter<T> waiter, Budgets.Hold hold, long now) {
    waitsFor(waiter, Constraint.TURN, Long.MAX_VALUE, now);
    if (waiter.anyLane != null) {
      // It waited in several lanes, and its time counts in the one that takes it.
      for (var each = waiter.waited; each != null; each = each.others) {
        counters.waited(each.constraint, each.nanos);
      }
    }
    var permit = limits.charge(waiter, hold, now);
    waiting.went(permit, now);
    if (counters.attempts++ == 0) {
      trialEnds = now + LONGEST_TRIAL;
    }
    counters.retried += permit.number > 1 ? 1 : 0;
    if (feed.heard()) {
      var waited = Duration.ofNanos(now - waiter.enteredAt());
      feed.add(new Event.Admitted(id, waiter.number, waiter.call.name(), permit.number, waited));
    }
    answer(waiter, new Admission.Granted<>(permit));
  }

  /** Charges an attempt that has gone already, and asks nobody. */
  <T> Permit<T> adopt(Waiter<T> waiter, long now) {
    var permit = limits.charge(waiter, Budgets.Hold.NOTHING, now);
    waiting.went(permit, now);
    counters.attempts++;
    waiter.answer(new Admission.Granted<>(permit));
    return permit;
  }

  private static long size(Waiter<?> waiter) {
    return Math.max(1, waiter.call.estimate().most());
  }

  void refuseAll(Refusal why) {
    parkedFor = 0;
    stalledSince = Long.MAX_VALUE;
    waiting.removeAll().forEach(waiter -> refuse(waiter, why));
  }

  /** Ends a call, unless it is one that another lane has taken or may take. */
  <T> void refuse(Waiter<T> waiter, Refusal why) {
    if (waiter.anyLane != null && !waiter.anyLane.ends(waiter, why)) {
      waiter.waitsUntil = Long.MAX_VALUE;
      return;
    }
    counters.errored++;
    var refused = new Outcome.Refused<T>(why, waiter.attempts);
    if (feed.heard()) {
      feed.add(new Event.Finished(id, waiter.number, waiter.call.name(), refused));
    }
    answer(waiter, new Admission.Refused<>(refused));
  }

  private void waitsFor(Waiter<?> waiter, Constraint constraint, long until, long now) {
    if (now > waiter.waitsSince) {
      if (waiter.anyLane == null) {
        counters.waited(waiter.waitsFor, now - waiter.waitsSince);
      }
      waiter.waited(now - waiter.waitsSince);
    }
    waiter.waitsFor = constraint;
    waiter.waitsSince = now;
    waiter.waitsUntil = until;
  }

  private <T> void answer(Waiter<T> waiter, Admission.Decided<T> admission) {
    waiter.answer(admission);
    waiter.nextWoken = woken;
    woken = waiter;
  }

  /** Those who have an answer now, in the order in which they got it. */
  @Nullable Waiter<?> takeWoken() {
    Waiter<?> first = null;
    for (var last = woken; last != null; ) {
      var before = last.nextWoken;
      last.nextWoken = first;
      first = last;
      last = before;
    }
    woken = null;
    return first;
  }

  /** The next moment at which something can change by itself. */
  long nextMoment() {
    return Math.min(Math.min(soonest, waiting.nextMoment()), waiting.nextDeadline());
  }

  /** A call was answered, or at least worked on: the lane stands still no longer. */
  void progressed() {
    stalledSince = Long.MAX_VALUE;
  }

  /**
   * Notes since when there was no progress, and whether there will be none for too long. What goes
   * meanwhile and is turned away makes no difference: one attempt a minute is not progress.
   */
  private void noteStall(long now) {
    long next = Math.min(soonest, waiting.nextMoment());
    boolean idle = limits.slots().inFlight() == 0;
    parkedFor = 0;
    if (idle && waiting.count() == 0) {
      stalledSince = Long.MAX_VALUE;
    } else if (idle && next != Long.MAX_VALUE && next > now) {
      stalledSince = Math.min(stalledSince, now);
      boolean tooLong = next - stalledSince > settings.maxWait().toNanos();
      parkedFor = tooLong ? next - now : 0;
    }
  }

  /** How long the lane still cannot admit, where that is longer than allowed; else 0. */
  long parkedFor() {
    return parkedFor;
  }
}
