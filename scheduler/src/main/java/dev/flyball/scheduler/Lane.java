package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Breaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one lane, under one lock.
 *
 * <p>Whatever happens (a call comes, headers are sighted, an attempt settles, an alarm rings) ends
 * in {@link #pump}: as long as the first call in order can go, it goes. It can when the latest
 * answer of all limits is not after now; then all are charged together. If it is later, nothing is
 * charged and the lane's one alarm is set to that moment. A waiting call holds nothing. It parks by
 * itself and is woken alone, after the lock is released.
 *
 * <p>A call that waits is in exactly one place: the queue; {@link #pausing} before a retry; behind
 * a prompt-cache leader; or {@link #unaffordable} until something settles in its budget.
 */
final class Lane {
  private static final int UNREACHABLE_AFTER = 5;
  private static final int TRIES = 1_000;
  private static final Duration SHUT_FOR = Duration.ofMinutes(1);

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
  private final LaneLimits limits;
  private final LaneCounters tally = new LaneCounters();
  private final WaitingQueue queue = new WaitingQueue();
  private final PriorityQueue<Waiter<?>> pausing =
      new PriorityQueue<>((one, other) -> Long.compare(one.waitsUntil, other.waitsUntil));
  private final TreeSet<Waiter<?>> byDeadline = new TreeSet<>(Waiter::byDeadline);
  private final PromptPrefixes prefixes = new PromptPrefixes();
  private final Set<Waiter<?>> unaffordable = new LinkedHashSet<>();
  private @Nullable Waiter<?> woken;
  private long soonest;
  private long armedFor = Long.MAX_VALUE;
  private Time.@Nullable Alarm alarm;
  private int waiting;
  private int accelerations;
  private int unreached;
  private boolean replied;
  private boolean closing;
  private @Nullable Refusal shut;
  private long shutUntil;
  private long stalledSince = Long.MAX_VALUE;
  private volatile long parkedFor;
  private boolean busy;

  /** Without {@code parked} nobody minds how long it cannot admit. */
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
    this.limits = new LaneLimits(id, settings, feed, slotInAll, time.nanos());
    if (!settings.pacing() && feed.heard()) {
      feed.add(new Event.LimitWarning(id, "pacing is off: calls are sent at once"));
    }
  }

  // ---- what happens to a lane ----

  <T> Waiter<T> enter(Call<T> call, @Nullable Runnable wake) {
    acquire();
    try {
      long now = time.nanos();
      var waiter = new Waiter<>(call, this, wake, tally.total++, now);
      if (feed.heard()) {
        feed.add(new Event.Queued(id, waiter.number, call.name()));
      }
      var refusal = turnsAway(call, now);
      if (refusal.isPresent()) {
        refuse(waiter, refusal.get());
      } else if (!goesAtOnce(waiter, now)) {
        await(waiter);
        queue.add(waiter);
        pump(now);
      }
      return waiter;
    } finally {
      leave();
    }
  }

  <T> NextStep<T> settle(Permit<T> permit, Reply<T> reply) {
    List<Lane> hopeful;
    NextStep<T> next;
    acquire();
    try {
      if (permit.settled) {
        throw new IllegalStateException("a permit is settled exactly once: " + permit.waiter.call);
      }
      long now = time.nanos();
      limits.settle(permit, reply, now);
      hopeful = over(permit, billed(permit.waiter.call, reply), reply, now);
      replied |= !(reply instanceof Reply.Broken);
      next = follows(permit, reply, now);
      told(permit, reply, next, now);
      pump(now);
    } finally {
      leave();
    }
    FlightRecord.attempt(id, permit, reply);
    hopeful.forEach(Lane::nudge);
    return next;
  }

  /** Ends an attempt, and its call, without a reply. */
  <T> void abandon(Permit<T> permit, boolean sent) {
    var hopeful = new ArrayList<Lane>();
    locked(
        now -> {
          if (!permit.settled) {
            limits.abandon(permit, sent, now);
            var billed = sent ? most(permit.waiter.call) : Usage.NONE;
            hopeful.addAll(over(permit, billed, null, now));
            refuse(permit.waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    hopeful.forEach(Lane::nudge);
  }

  /** What an attempt held is free again; returns the lanes that may have waited for that. */
  private List<Lane> over(Permit<?> permit, Usage billed, @Nullable Reply<?> reply, long now) {
    permit.settled = true;
    var waiter = permit.waiter;
    waiter.usage = waiter.usage.plus(billed);
    queue.correct(waiter.call.tenant(), billed.tokens() - permit.cost);
    boolean answered = reply instanceof Reply.Answered;
    prefixes.released(permit, answered, now).forEach(queue::add);
    stalledSince = answered ? Long.MAX_VALUE : stalledSince;
    tally.took(now - permit.sentAt);
    if (limits.slots.inFlight() == 0) {
      idle.signalAll();
    }
    return budgets.settle(permit.hold, billed);
  }

  void sighted(Permit<?> permit, Signals signals) {
    locked(
        now -> {
          if (!permit.settled) {
            replied = true;
            limits.sighted(permit, signals, now);
            prefixes.released(permit, true, now).forEach(queue::add);
            pump(now);
          }
        });
  }

  <T> void withdraw(Waiter<T> waiter) {
    locked(
        now -> {
          if (waiter.answer == null) {
            takeOut(waiter);
            refuse(waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    if (waiter.answer instanceof Admission.Granted<T>(var permit)) {
      abandon(permit, false);
    }
  }

  /** Something settled in a budget that calls of this lane wait for. */
  private void nudge() {
    locked(
        now -> {
          unaffordable.forEach(queue::add);
          unaffordable.clear();
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

  private void ring() {
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
          closing = true;
          refuseAll(new Refusal.ShuttingDown());
        });
  }

  void refuseParked(Duration left) {
    locked(now -> refuseAll(new Refusal.Parked(left)));
  }

  void awaitIdle() throws InterruptedException {
    acquire();
    try {
      while (limits.slots.inFlight() > 0) {
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
    boolean free = queue.size() == 0 && waiter.call.prefix().isEmpty();
    if (free
        && limits.anyCall(now) <= now
        && limits.thisCall(waiter, now) <= now
        && budgets.hold(waiter.call, false, this) instanceof Budgets.Room.Held(var hold)) {
      grant(waiter, hold, now);
      return true;
    }
    return false;
  }

  private void pump(long now) {
    prefixes.overdue(now).forEach(queue::add);
    while (!pausing.isEmpty() && pausing.peek().waitsUntil <= now) {
      queue.add(pausing.remove());
    }
    while (!byDeadline.isEmpty() && byDeadline.first().deadline() <= now) {
      var late = byDeadline.first();
      takeOut(late);
      refuse(late, new Refusal.TooLate(late.call.within().orElseThrow()));
    }
    soonest = Long.MAX_VALUE;
    for (var head = queue.head(); head != null; head = queue.head()) {
      long any = limits.anyCall(now);
      long rest = limits.breaker.until() - now;
      if (any > now && limits.breaker.state() == Breaker.State.OPEN && rest > 0) {
        if (!settings.waitsOutRests()) {
          refuseAll(new Refusal.Resting(Duration.ofNanos(rest)));
          break;
        }
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

  /**
   * Lets the first call go that can, of the first few in order; or takes one out of the order that
   * has something else to wait for. False when neither was there.
   */
  private boolean advance(long now) {
    soonest = Long.MAX_VALUE;
    var passed = new ArrayList<Waiter<?>>(0);
    for (var line : queue.lines()) {
      for (var waiter : line.waiters) {
        if (prefixes.follows(waiter, now)) {
          queue.remove(waiter);
          waitsFor(waiter, Constraint.LEADER, Long.MAX_VALUE, now);
          return true;
        }
        long until = limits.thisCall(waiter, now);
        if (until <= now) {
          decide(waiter, passed, now);
          return true;
        }
        if (until == Long.MAX_VALUE && limits.binding().equals(Constraint.SLOT)) {
          waitsFor(waiter, Constraint.SLOT, until, now);
          return false;
        }
        if (until == Long.MAX_VALUE) {
          var why = limits.excludes(waiter.call).orElseThrow();
          takeOut(waiter);
          refuse(waiter, why);
          return true;
        }
        waitsFor(waiter, limits.binding(), until, now);
        if (waiter.waitsFor.equals(Constraint.RETRY_BUDGET)) {
          // Others are no retries and need not wait behind it.
          queue.remove(waiter);
          pausing.add(waiter);
          return true;
        }
        soonest = Math.min(soonest, until);
        passed.add(waiter);
        if (waiter.overtakenBy >= size(waiter) || passed.size() > WaitingQueue.DEEP) {
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
        takeOut(waiter);
        grant(waiter, hold, now);
      }
      case Budgets.Room.Later() -> {
        queue.remove(waiter);
        unaffordable.add(waiter);
        waitsFor(waiter, Constraint.BUDGET, Long.MAX_VALUE, now);
      }
      case Budgets.Room.Never(var why) -> {
        if (feed.heard()) {
          feed.add(new Event.BudgetSpent(id, why));
        }
        takeOut(waiter);
        refuse(waiter, why);
      }
    }
  }

  private <T> void grant(Waiter<T> waiter, Budgets.Hold hold, long now) {
    waitsFor(waiter, Constraint.TURN, Long.MAX_VALUE, now);
    boolean probing = limits.breaker.state() != Breaker.State.CLOSED;
    var permit = limits.charge(waiter, hold, now);
    queue.charge(waiter.call.tenant(), permit.cost);
    prefixes.admitted(permit, now);
    tally.attempts++;
    tally.retried += permit.number > 1 ? 1 : 0;
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

  // ---- what follows a reply ----

  private <T> NextStep<T> follows(Permit<T> permit, Reply<T> reply, long now) {
    var waiter = permit.waiter;
    return switch (reply) {
      case Reply.Answered<T> answered -> {
        limits.succeeded(permit, true, now);
        tally.completed++;
        accelerations = 0;
        var done = new Outcome.Done<>(answered.value(), waiter.usage, waiter.attempts);
        yield new NextStep.Ended<>(done);
      }
      case Reply.Rejected<T>(var message, var advice, var whole, var until) -> {
        limits.succeeded(permit, false, now);
        if (whole) {
          shut(new Refusal.LaneShut(message, advice), until.orElse(SHUT_FOR), now);
        }
        yield gaveUp(permit, reply, message + ": " + advice);
      }
      case Reply.Throttled<T> throttled -> throttled(permit, throttled, now);
      case Reply.Overloaded<T> over -> failed(permit, reply, over.message(), over.signals(), now);
      case Reply.Broken<T> broken -> failed(permit, reply, broken.message(), Signals.NONE, now);
      case Reply.CutShort<T> cut -> failed(permit, reply, cut.message(), Signals.NONE, now);
    };
  }

  private <T> NextStep<T> throttled(Permit<T> permit, Reply.Throttled<T> reply, long now) {
    limits.succeeded(permit, false, now);
    var signals = reply.signals();
    var why = limits.throttled(permit, signals, now);
    tally.throttledBy(why);
    if (signals.acceleration() && signals.retryAfter().isEmpty() && !limits.paused(now)) {
      limits.pause(now + settings.retries().pause(accelerations++, settings.random()));
    }
    if (feed.heard()) {
      var wait = signals.retryAfter().orElse(Duration.ZERO);
      feed.add(new Event.Throttled(id, permit.waiter.number, why, wait));
    }
    return settings.retries().maxRetries() == 0
        ? gaveUp(permit, reply, reply.message() + ": raise maxRetries, and it waits for the limit")
        : again(permit, reply, 0, false, now);
  }

  private <T> NextStep<T> failed(
      Permit<T> permit, Reply<T> reply, String message, Signals signals, long now) {
    var waiter = permit.waiter;
    waiter.failures += limits.failed(permit, now) ? 1 : 0;
    if (!replied && ++unreached >= UNREACHABLE_AFTER) {
      var why = new Refusal.LaneShut("never reached: " + message, "check address and network");
      shut(why, SHUT_FOR, now);
      return gaveUp(permit, reply, why.advice());
    }
    int retries = settings.retries().maxRetries();
    if (retries == 0 || waiter.failures > retries) {
      var count = "no answer in " + waiter.attempts + " attempts";
      return gaveUp(permit, reply, message + ": " + count + "; raise maxRetries, or try later");
    }
    long hint = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    long pause = settings.retries().pause(Math.max(0, waiter.failures - 1), settings.random());
    return again(permit, reply, hint > 0 ? hint : pause, true, now);
  }

  private <T> NextStep<T> again(
      Permit<T> permit, Reply<T> reply, long pause, boolean retry, long now) {
    var waiter = permit.waiter;
    if (closing) {
      tally.errored++;
      var refused = new Outcome.Refused<T>(new Refusal.ShuttingDown(), waiter.attempts);
      return new NextStep.Ended<>(refused);
    }
    if (shut != null && now < shutUntil) {
      return gaveUp(permit, reply, shut.advice());
    }
    if (now + pause >= waiter.deadline()) {
      return gaveUp(permit, reply, "no answer within " + waiter.call.within().orElseThrow());
    }
    waiter.answer = null;
    waiter.retrying = retry;
    waiter.waitsSince = now;
    waiter.waitsFor = pause > 0 ? Constraint.RETRY : Constraint.TURN;
    waiter.waitsUntil = now + pause;
    await(waiter);
    if (pause > 0) {
      pausing.add(waiter);
    } else {
      queue.add(waiter);
    }
    return new NextStep.Again<>();
  }

  private <T> NextStep<T> gaveUp(Permit<T> permit, Reply<T> reply, String why) {
    tally.errored++;
    var last = Optional.of(reply);
    var waiter = permit.waiter;
    return new NextStep.Ended<>(new Outcome.GaveUp<>(why, last, waiter.usage, waiter.attempts));
  }

  /** What an attempt used, or may have used. */
  private static Usage billed(Call<?> call, Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> answered -> answered.usage();
      case Reply.CutShort<?> cut -> cut.usage();
      case Reply.Broken<?> broken -> broken.sent() ? most(call) : Usage.NONE;
      case Reply.Throttled<?> throttled -> Usage.NONE;
      case Reply.Overloaded<?> overloaded -> Usage.NONE;
      case Reply.Rejected<?> rejected -> Usage.NONE;
    };
  }

  private static Usage most(Call<?> call) {
    var most = Usage.of(call.estimate().input(), call.estimate().maxOutput());
    return call.estimate().cost().map(most::costing).orElse(most);
  }

  private void told(Permit<?> permit, Reply<?> reply, NextStep<?> next, long now) {
    if (!feed.heard()) {
      return;
    }
    var waiter = permit.waiter;
    var took = Duration.ofNanos(now - permit.sentAt);
    var kind = reply.getClass().getSimpleName();
    feed.add(new Event.Settled(id, waiter.number, permit.number, kind, took));
    if (next instanceof NextStep.Ended<?>(var outcome)) {
      feed.add(new Event.Finished(id, waiter.number, waiter.call.name(), outcome));
    } else {
      var pause = Duration.ofNanos(waiter.waitsUntil - now);
      feed.add(new Event.Retrying(id, waiter.number, permit.number + 1, pause));
    }
  }

  // ---- who is turned away ----

  private Optional<Refusal> turnsAway(Call<?> call, long now) {
    if (closing) {
      return Optional.of(new Refusal.ShuttingDown());
    }
    if (shut != null && now < shutUntil) {
      return Optional.of(shut);
    }
    shut = null;
    return waiting >= settings.mostWaiting()
        ? Optional.of(new Refusal.QueueFull(waiting))
        : limits.excludes(call);
  }

  private void shut(Refusal why, Duration howLong, long now) {
    shut = why;
    shutUntil = now + howLong.toNanos();
    refuseAll(why);
  }

  private void refuseAll(Refusal why) {
    var everybody = new ArrayList<Waiter<?>>(waiting);
    for (var head = queue.head(); head != null; head = queue.head()) {
      queue.remove(head);
      everybody.add(head);
    }
    everybody.addAll(pausing);
    everybody.addAll(unaffordable);
    everybody.addAll(prefixes.clear());
    pausing.clear();
    unaffordable.clear();
    byDeadline.clear();
    waiting = 0;
    parkedFor = 0;
    everybody.forEach(waiter -> refuse(waiter, why));
  }

  private void takeOut(Waiter<?> waiter) {
    boolean found =
        queue.remove(waiter)
            || pausing.remove(waiter)
            || unaffordable.remove(waiter)
            || prefixes.remove(waiter);
    assert found : "a waiter is in exactly one place";
    if (waiter.call.within().isPresent()) {
      byDeadline.remove(waiter);
    }
    waiting--;
  }

  private <T> void refuse(Waiter<T> waiter, Refusal why) {
    tally.errored++;
    var refused = new Outcome.Refused<T>(why, waiter.attempts);
    if (feed.heard()) {
      feed.add(new Event.Finished(id, waiter.number, waiter.call.name(), refused));
    }
    answer(waiter, new Admission.Refused<>(refused));
  }

  // ---- waiting and waking ----

  private void await(Waiter<?> waiter) {
    waiting++;
    if (waiter.call.within().isPresent()) {
      byDeadline.add(waiter);
    }
  }

  private void waitsFor(Waiter<?> waiter, Constraint constraint, long until, long now) {
    if (now > waiter.waitsSince) {
      tally.waited(waiter.waitsFor, now - waiter.waitsSince);
      waiter.waited(now - waiter.waitsSince);
    }
    waiter.waitsFor = constraint;
    waiter.waitsSince = now;
    waiter.waitsUntil = until;
  }

  private <T> void answer(Waiter<T> waiter, Admission<T> admission) {
    waiter.answer = admission;
    waiter.nextWoken = woken;
    woken = waiter;
  }

  /** Sets the one alarm to the next moment at which something can change by itself. */
  private void arm(long now) {
    long next = Math.min(soonest, prefixes.next());
    next = pausing.isEmpty() ? next : Math.min(next, pausing.peek().waitsUntil);
    stall(next, now);
    next = byDeadline.isEmpty() ? next : Math.min(next, byDeadline.first().deadline());
    if (next < armedFor) {
      if (alarm != null) {
        alarm.silence();
      }
      armedFor = next;
      alarm = time.alarm(next, this::ring);
    }
  }

  /** Notes how long nothing has been in flight, or will have been, while calls wait. */
  private void stall(long next, long now) {
    parkedFor = 0;
    if (waiting == 0) {
      stalledSince = Long.MAX_VALUE;
    } else if (limits.slots.inFlight() == 0 && next != Long.MAX_VALUE && next > now) {
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
    busy = limits.slots.inFlight() > 0 || (waiting > 0 && parkedFor == 0);
    watch.parked(this, parkedFor > 0);
    if (busy != before) {
      watch.busy(busy);
    }
    return busy;
  }

  // ---- for people ----

  <T> Admission<T> look(Waiter<T> waiter) {
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
      var head =
          Optional.<Waiter<?>>ofNullable(queue.head() == null ? pausing.peek() : queue.head());
      return new LaneSnapshot(
          id,
          waiting,
          limits.slots.inFlight(),
          limits.slots.limit(now),
          limits.breaker.state(),
          head.map(waiter -> waiter.waitsFor),
          head.flatMap(this::left),
          limits.gauges(now),
          limits.pace.felt().perSecond(),
          tally.metrics());
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
