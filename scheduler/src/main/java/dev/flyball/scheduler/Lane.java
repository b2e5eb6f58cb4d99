package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.limit.ExpectedOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one lane, under one lock.
 *
 * <p>Whatever happens (a call comes, headers are sighted, an attempt settles, the alarm rings) ends
 * in {@link #pump}: as long as the first call in order can go, it goes. It can when the latest
 * answer of all limits is not after now; then all are charged together. If it is later, nothing is
 * charged and the lane's one alarm is set to that moment. A waiting call holds nothing. It parks by
 * itself and is woken alone, after the lock is released.
 */
final class Lane {
  private static final int TRIES = 1_000;
  private static final Optional<Refusal> NOTHING = Optional.empty();

  private final LaneId id;
  private final SchedulerSettings settings;
  private final Time time;
  private final EventFeed feed;
  private final Budgets budgets;
  private final @Nullable SlotsInAll slotsInAll;
  private final SlotsInAll.@Nullable OfLane slotInAll;
  private final Lanes.@Nullable ParkedLanes parkedLanes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Metrics.Counters counters = new Metrics.Counters();
  private final WaitingCalls waiting = new WaitingCalls();
  private final LaneLimits limits;
  private final Settlement settlement;

  /** Whether those who share a limit were heard to have changed their minds, and not asked yet. */
  private final AtomicBoolean sharedLimitChanged = new AtomicBoolean();

  /** Those who have an answer and are to be woken when the lock is released, the last one first. */
  private @Nullable Waiter<?> woken;

  /** The next moment at which a call that is in order could go; set by each {@link #pump}. */
  private long soonest;

  /** The moment to which {@link #alarm} is set; {@link Long#MAX_VALUE} after it rang. */
  private long armedFor = Long.MAX_VALUE;

  private Time.@Nullable Alarm alarm;

  /** The moment since which nothing went but probes and nothing was answered, while calls wait. */
  private long stalledSince = Long.MAX_VALUE;

  /** How long nothing can go from now on, where that is longer than allowed; else 0. */
  private volatile long parkedFor;

  /** Whether something is in flight, or will be before the longest wait is over. */
  private boolean busy;

  /**
   * A lane that nobody has used yet.
   *
   * @param slots the limit over all lanes, if there is one
   * @param parked who is to know when it cannot admit for long; nobody minds if it is absent
   */
  Lane(
      LaneId id,
      SchedulerSettings settings,
      EventFeed feed,
      Budgets budgets,
      @Nullable SlotsInAll slots,
      Lanes.@Nullable ParkedLanes parked) {
    this.id = id;
    this.settings = settings;
    this.time = settings.time();
    this.feed = feed;
    this.budgets = budgets;
    this.slotsInAll = slots;
    this.slotInAll = slots == null ? null : new SlotsInAll.OfLane(slots, this);
    this.parkedLanes = parked;
    var outputs = new ExpectedOutput();
    // Those who share a limit may say that it changed before this lane is all there.
    lock.lock();
    try {
      var shared = settings.sharedLimit().map(limit -> limit.open(id, this::askSharedLimitAgain));
      var departures =
          shared
              .map(part -> new SharedDepartures(part, waiter -> outputs.of(waiter.call)))
              .orElse(null);
      this.limits =
          new LaneLimits(id, settings, feed, outputs, slotInAll, departures, time.nanos());
      this.settlement = new Settlement(id, settings, limits, counters, feed);
    } finally {
      lock.unlock();
    }
    if (!settings.pacing() && feed.heard()) {
      feed.add(new Event.LimitWarning(id, Event.Warning.PACING_IS_OFF, Optional.empty()));
    }
  }

  // ---- what happens to a lane ----

  <T> Waiter<T> enter(Call call, @Nullable Runnable wake) {
    acquire();
    try {
      long now = time.nanos();
      var waiter = new Waiter<T>(call, this, wake, counters.total++, now);
      if (feed.heard()) {
        feed.add(new Event.Queued(id, waiter.number, call.name()));
      }
      var refusal = turnsAway(call, now);
      if (refusal.isPresent()) {
        refuse(waiter, refusal.get());
      } else if (!goesAtOnce(waiter, now)) {
        waiting.add(waiter, false);
        pump(now);
      }
      return waiter;
    } finally {
      leave();
    }
  }

  <T> NextStep<T> settle(Permit<T> permit, Reply<T> reply) {
    List<Lane> waitingForBudget;
    NextStep<T> next;
    acquire();
    try {
      if (permit.settled) {
        throw new IllegalStateException("a permit is settled exactly once: " + permit.waiter.call);
      }
      long now = time.nanos();
      var lesson = limits.settle(permit.charges, reply, now);
      waitingForBudget = end(permit, reply, now);
      next = settlement.follows(permit, reply, lesson, now);
      settlement.takeShut().ifPresent(this::refuseAll);
      if (next instanceof NextStep.Again) {
        waiting.add(permit.waiter, permit.waiter.waitsUntil > now);
      }
      settlement.report(permit, reply, next, now);
      pump(now);
    } finally {
      leave();
    }
    Settlement.AttemptEvent.record(id, permit, reply);
    waitingForBudget.forEach(Lane::lookAtBudgetAgain);
    return next;
  }

  /** Ends an attempt, and its call, without a reply. */
  <T> void abandon(Permit<T> permit, boolean sent) {
    var waitingForBudget = new ArrayList<Lane>(0);
    locked(
        now -> {
          if (!permit.settled) {
            limits.abandon(permit.charges, sent, now);
            waitingForBudget.addAll(end(permit, new Reply.Broken<>("abandoned", sent), now));
            refuse(permit.waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    waitingForBudget.forEach(Lane::lookAtBudgetAgain);
  }

  /** What an attempt held is free again; returns the lanes in which calls wait for a budget. */
  private List<Lane> end(Permit<?> permit, Reply<?> reply, long now) {
    permit.settled = true;
    var waiter = permit.waiter;
    var billed = reply.billed(waiter.call.estimate());
    waiter.usage = waiter.usage.plus(billed);
    waiting.used(permit, billed.tokens());
    boolean answered = reply instanceof Reply.Answered;
    waiting.released(permit, answered, now);
    stalledSince = answered ? Long.MAX_VALUE : stalledSince;
    counters.took(now - permit.sentAt());
    if (limits.slots().inFlight() == 0) {
      idle.signalAll();
    }
    return budgets.settle(permit.hold, billed);
  }

  void sighted(Permit<?> permit, Signals signals) {
    locked(
        now -> {
          if (!permit.settled) {
            settlement.reached();
            limits.sighted(permit.charges, signals, now);
            waiting.released(permit, true, now);
            pump(now);
          }
        });
  }

  <T> void withdraw(Waiter<T> waiter) {
    locked(
        now -> {
          if (waiter.answer == null) {
            waiting.remove(waiter);
            refuse(waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    if (waiter.answer instanceof Admission.Granted<T>(var permit)) {
      abandon(permit, false);
    }
  }

  /** Something settled in a budget that calls of this lane wait for. */
  private void lookAtBudgetAgain() {
    locked(
        now -> {
          waiting.mayAfford();
          pump(now);
        });
  }

  /** A slot that calls of this lane waited for is free, and theirs. */
  void useOfferedSlot() {
    acquire();
    try {
      if (slotInAll != null) {
        slotInAll.offered();
      }
      pump(time.nanos());
    } finally {
      release();
    }
  }

  /**
   * Those who share a limit with this lane have changed their minds. They may hold locks of their
   * own, which this lane asks for under its lock: so it is done later, by an alarm.
   */
  private void askSharedLimitAgain() {
    if (sharedLimitChanged.compareAndSet(false, true)) {
      time.alarm(
          time.nanos(),
          () -> {
            sharedLimitChanged.set(false);
            locked(this::pump);
          });
    }
  }

  private void onAlarm() {
    locked(
        now -> {
          armedFor = Long.MAX_VALUE;
          pump(now);
        });
  }

  /** Nothing starts any more; what is in flight may end. */
  void drain() {
    locked(
        now -> {
          settlement.close();
          refuseAll(new Refusal.ShuttingDown());
        });
  }

  void refuseParked(Duration left) {
    locked(now -> refuseAll(new Refusal.Parked(left)));
  }

  void awaitIdle() throws InterruptedException {
    acquire();
    try {
      while (limits.slots().inFlight() > 0) {
        idle.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the lock. It is held for about a microsecond, so it pays to try a little before parking,
   * and a virtual thread that never parked here leaves a smaller stack behind while it waits.
   */
  private void acquire() {
    for (int i = 0; i < TRIES; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  private void locked(LongConsumer action) {
    acquire();
    try {
      action.accept(time.nanos());
    } finally {
      leave();
    }
  }

  // ---- who goes next ----

  /** Spares a call the queue when nobody is in it. */
  private boolean goesAtOnce(Waiter<?> waiter, long now) {
    boolean free = waiting.nobodyInOrder() && waiter.call.prefix().isEmpty() && !limits.isShared();
    if (free
        && limits.anyCall(waiter, now) <= now
        && limits.thisCall(waiter, now) <= now
        && budgets.hold(waiter.call, false, this) instanceof Budgets.Room.Held(var hold)) {
      grant(waiter, hold, now);
      return true;
    }
    return false;
  }

  private void pump(long now) {
    waiting.resume(now);
    for (var late = waiting.removeLate(now); late != null; late = waiting.removeLate(now)) {
      refuse(late, new Refusal.TooLate(late.call.within().orElseThrow()));
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
    arm(now);
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
    var passed = new ArrayList<Waiter<?>>(0);
    for (var line : waiting.lines()) {
      for (var waiter : line) {
        if (waiting.follows(waiter, now)) {
          waitsFor(waiter, Constraint.LEADER, Long.MAX_VALUE, now);
          return true;
        }
        long until = limits.thisCall(waiter, now);
        if (until <= now) {
          decide(waiter, passed, now);
          return true;
        }
        var constraint = limits.binding();
        var never = until == Long.MAX_VALUE ? limits.excludes(waiter.call) : NOTHING;
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
        if (waiter.overtakenBy >= size(waiter) || passed.size() > WaitingCalls.DEEP) {
          return false;
        }
      }
    }
    return false;
  }

  /** All limits agree; the budget has the last word. */
  private void decide(Waiter<?> waiter, List<Waiter<?>> passed, long now) {
    switch (budgets.hold(waiter.call, waiter.attempts > 0, this)) {
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
    }
  }

  private <T> void grant(Waiter<T> waiter, Budgets.Hold hold, long now) {
    waitsFor(waiter, Constraint.TURN, Long.MAX_VALUE, now);
    boolean probing = limits.breaker().state() != BreakerState.CLOSED;
    var permit = limits.charge(waiter, hold, now);
    waiting.went(permit, now);
    counters.attempts++;
    counters.retried += permit.number > 1 ? 1 : 0;
    stalledSince = probing ? stalledSince : Long.MAX_VALUE;
    if (feed.heard()) {
      var waited = Duration.ofNanos(now - waiter.enteredAt());
      feed.add(new Event.Admitted(id, waiter.number, waiter.call.name(), permit.number, waited));
    }
    answer(waiter, new Admission.Granted<>(permit));
  }

  private static long size(Waiter<?> waiter) {
    return Math.max(1, waiter.call.estimate().most());
  }

  // ---- who is turned away ----

  private Optional<Refusal> turnsAway(Call call, long now) {
    var shut = settlement.turnsAway(now);
    if (shut.isPresent()) {
      return shut;
    }
    return waiting.count() >= settings.mostWaiting()
        ? Optional.of(new Refusal.QueueFull(waiting.count()))
        : limits.excludes(call);
  }

  private void refuseAll(Refusal why) {
    parkedFor = 0;
    waiting.removeAll().forEach(waiter -> refuse(waiter, why));
  }

  private <T> void refuse(Waiter<T> waiter, Refusal why) {
    counters.errored++;
    var refused = new Outcome.Refused<T>(why, waiter.attempts);
    if (feed.heard()) {
      feed.add(new Event.Finished(id, waiter.number, waiter.call.name(), refused));
    }
    answer(waiter, new Admission.Refused<>(refused));
  }

  // ---- waiting and waking ----

  private void waitsFor(Waiter<?> waiter, Constraint constraint, long until, long now) {
    if (now > waiter.waitsSince) {
      counters.waited(waiter.waitsFor, now - waiter.waitsSince);
      waiter.waited(now - waiter.waitsSince);
    }
    waiter.waitsFor = constraint;
    waiter.waitsSince = now;
    waiter.waitsUntil = until;
  }

  private <T> void answer(Waiter<T> waiter, Admission.Decided<T> admission) {
    waiter.answer = admission;
    waiter.nextWoken = woken;
    woken = waiter;
  }

  /** Sets the one alarm to the next moment at which something can change by itself. */
  private void arm(long now) {
    long next = Math.min(soonest, waiting.nextMoment());
    noteStall(next, now);
    next = Math.min(next, waiting.nextDeadline());
    if (next < armedFor) {
      if (alarm != null) {
        alarm.silence();
      }
      armedFor = next;
      alarm = time.alarm(next, this::onAlarm);
    }
  }

  /** Notes how long nothing has been in flight, or will have been, while calls wait. */
  private void noteStall(long next, long now) {
    parkedFor = 0;
    if (waiting.count() == 0) {
      stalledSince = Long.MAX_VALUE;
    } else if (limits.slots().inFlight() == 0 && next != Long.MAX_VALUE && next > now) {
      stalledSince = Math.min(stalledSince, now);
      boolean tooLong = next - stalledSince > settings.maxWait().toNanos();
      parkedFor = tooLong ? next - now : 0;
    }
  }

  /** How long this lane still cannot admit, where that is longer than allowed; else 0. */
  long parkedFor() {
    return parkedFor;
  }

  /** Releases the lock, then does what was decided under it. */
  private void leave() {
    release();
    if (slotsInAll != null) {
      slotsInAll.deliver();
    }
  }

  private void release() {
    Waiter<?> first = null;
    for (var last = woken; last != null; ) {
      var before = last.nextWoken;
      last.nextWoken = first;
      first = last;
      last = before;
    }
    woken = null;
    if (slotInAll != null) {
      slotInAll.release();
    }
    boolean idle = parkedLanes != null && !watched(parkedLanes);
    lock.unlock();
    while (first != null) {
      var next = first.nextWoken;
      first.nextWoken = null;
      first.wake();
      first = next;
    }
    feed.deliver();
    if (parkedLanes != null && idle) {
      parkedLanes.refuse();
    }
  }

  /** Tells the watch how this lane stands; returns whether it is busy. */
  private boolean watched(Lanes.ParkedLanes watch) {
    boolean before = busy;
    busy = limits.slots().inFlight() > 0 || (waiting.count() > 0 && parkedFor == 0);
    watch.parked(this, parkedFor > 0);
    if (busy != before) {
      watch.busy(busy);
    }
    return busy;
  }

  // ---- for people ----

  <T> Admission<T> admissionOf(Waiter<T> waiter) {
    acquire();
    try {
      var decided = waiter.answer;
      return decided != null ? decided : new Admission.Wait<>(waiter.waitsFor, left(waiter));
    } finally {
      lock.unlock();
    }
  }

  private Optional<Duration> left(Waiter<?> waiter) {
    return Optional.of(waiter.waitsUntil)
        .filter(until -> until != Long.MAX_VALUE)
        .map(until -> Duration.ofNanos(Math.max(0, until - time.nanos())));
  }

  LaneSnapshot snapshot() {
    acquire();
    try {
      long now = time.nanos();
      var head = Optional.<Waiter<?>>ofNullable(waiting.next());
      return new LaneSnapshot(
          id,
          waiting.count(),
          limits.slots().inFlight(),
          limits.slots().limit(now),
          limits.breaker().state(),
          head.map(waiter -> waiter.waitsFor),
          head.flatMap(this::left),
          limits.gauges(now),
          limits.pacePerSecond(),
          counters.metrics());
    } finally {
      lock.unlock();
    }
  }

  LearnedLimits.OfLane memory() {
    acquire();
    try {
      return limits.memory(time.nanos(), time.wall());
    } finally {
      lock.unlock();
    }
  }
}
