package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
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
  private static final long SHUT_FOR = 60_000_000_000L;

  private final LaneId id;
  private final Settings settings;
  private final Time time;
  private final RandomGenerator random;
  private final Budgets budgets;
  private final Feed feed;
  private final Runnable parked;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Limits limits;
  private final Tally tally = new Tally();
  private final Queue queue = new Queue();
  private final PriorityQueue<Waiter<?>> pausing =
      new PriorityQueue<>((one, other) -> Long.compare(one.notBefore, other.notBefore));
  private final PriorityQueue<Waiter<?>> byDeadline =
      new PriorityQueue<>((one, other) -> Long.compare(one.deadline, other.deadline));
  private final Prefixes prefixes = new Prefixes();
  private final Set<Waiter<?>> unaffordable = new LinkedHashSet<>();
  private @Nullable Waiter<?> woken;
  private long soonest;
  private long nextWake = Long.MAX_VALUE;
  private long armedFor = Long.MAX_VALUE;
  private Time.@Nullable Alarm alarm;
  private int waiting;
  private boolean replied;
  private int accelerations;
  private boolean closing;
  private @Nullable Refusal shut;
  private long shutUntil;
  private long stalledSince = Long.MAX_VALUE;
  private volatile long parkedFor;

  Lane(
      LaneId id,
      Settings settings,
      Optional<Memory.OfLane> memory,
      Time time,
      RandomGenerator random,
      Budgets budgets,
      Feed feed,
      Runnable parked) {
    this.id = id;
    this.settings = settings;
    this.time = time;
    this.random = random;
    this.budgets = budgets;
    this.feed = feed;
    this.parked = parked;
    this.limits = new Limits(id, settings, memory, feed, time.nanos());
    if (!settings.pacing() && feed.heard()) {
      feed.add(new Event.LimitWarning(id, "pacing is off: calls are sent at once"));
    }
  }

  // ---- what happens to a lane ----

  <T> Waiter<T> enter(Call<T> call, Runnable wake) {
    lock.lock();
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
        waiting++;
        queue.add(waiter);
        if (waiter.deadline != Long.MAX_VALUE) {
          byDeadline.add(waiter);
        }
        pump(now);
      }
      return waiter;
    } finally {
      leave();
    }
  }

  void sighted(Permit<?> permit, Signals signals) {
    lock.lock();
    try {
      if (!permit.settled) {
        long now = time.nanos();
        replied = true;
        limits.sighted(permit, signals, now);
        prefixes.released(permit, true, now).forEach(queue::add);
        pump(now);
      }
    } finally {
      leave();
    }
  }

  <T> Next<T> settle(Permit<T> permit, Reply<T> reply) {
    List<Lane> hopeful;
    Next<T> next;
    lock.lock();
    try {
      if (permit.settled) {
        throw new IllegalStateException("a permit is settled exactly once: " + permit.waiter.call);
      }
      permit.settled = true;
      long now = time.nanos();
      var waiter = permit.waiter;
      var billed = billed(waiter.call, reply);
      waiter.usage = waiter.usage.plus(billed);
      hopeful = budgets.settle(permit.hold, billed);
      queue.correct(waiter.call.tenant(), billed.tokens() - permit.cost);
      limits.settle(permit, reply, now);
      boolean answered = reply instanceof Reply.Answered;
      prefixes.released(permit, answered, now).forEach(queue::add);
      replied |= !(reply instanceof Reply.Broken);
      tally.took(now - permit.sentAt);
      stalledSince = answered ? Long.MAX_VALUE : stalledSince;
      next = follows(permit, reply, now);
      settled(permit, reply, next, now);
      pump(now);
    } finally {
      leave();
    }
    FlightRecord.attempt(id, permit, reply);
    hopeful.forEach(Lane::nudge);
    return next;
  }

  void abandon(Permit<?> permit) {
    List<Lane> hopeful = List.of();
    lock.lock();
    try {
      if (!permit.settled) {
        permit.settled = true;
        long now = time.nanos();
        hopeful = budgets.settle(permit.hold, Usage.NONE);
        queue.correct(permit.waiter.call.tenant(), -permit.cost);
        limits.abandon(permit, now);
        prefixes.released(permit, false, now).forEach(queue::add);
        tally.errored++;
        pump(now);
      }
    } finally {
      leave();
    }
    hopeful.forEach(Lane::nudge);
  }

  <T> void withdraw(Waiter<T> waiter) {
    Permit<?> granted = null;
    lock.lock();
    try {
      if (waiter.answer instanceof Admission.Granted<T>(Permit<T> permit)) {
        granted = permit;
      } else if (waiter.answer == null) {
        takeOut(waiter);
        refuse(waiter, new Refusal.ShuttingDown());
        pump(time.nanos());
      }
    } finally {
      leave();
    }
    if (granted != null) {
      abandon(granted);
    }
  }

  /** Something settled in a budget that calls of this lane wait for. */
  private void nudge() {
    lock.lock();
    try {
      unaffordable.forEach(queue::add);
      unaffordable.clear();
      pump(time.nanos());
    } finally {
      leave();
    }
  }

  private void ring() {
    lock.lock();
    try {
      armedFor = Long.MAX_VALUE;
      pump(time.nanos());
    } finally {
      leave();
    }
  }

  /** Nothing starts any more; what is in flight may end. */
  void drain() {
    lock.lock();
    try {
      closing = true;
      refuseAll(new Refusal.ShuttingDown());
    } finally {
      leave();
    }
  }

  void awaitIdle() throws InterruptedException {
    lock.lock();
    try {
      while (limits.inFlight() > 0) {
        idle.await();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- who goes next ----

  /** Spares a call the queue when nobody is in it. */
  private boolean goesAtOnce(Waiter<?> waiter, long now) {
    var call = waiter.call;
    boolean free =
        queue.size() == 0
            && call.cachePrefix().isEmpty()
            && limits.anyCall(now) <= now
            && limits.thisCall(waiter, now) <= now;
    if (free
        && budgets.hold(call.account(), call.estimate(), false, this)
            instanceof Budgets.Room.Held(var hold)) {
      grant(waiter, hold, now);
      return true;
    }
    return false;
  }

  private void pump(long now) {
    prefixes.overdue(now).forEach(queue::add);
    while (!pausing.isEmpty() && pausing.peek().notBefore <= now) {
      queue.add(pausing.remove());
    }
    expire(now);
    soonest = Long.MAX_VALUE;
    while (queue.size() > 0) {
      long any = limits.anyCall(now);
      if (any > now) {
        if (!settings.waitsOutRests() && limits.breaker().state() == Breaker.State.OPEN) {
          refuseAll(new Refusal.Resting(Duration.ofNanos(limits.breaker().until() - now)));
          break;
        }
        var head = queue.head();
        if (head != null) {
          waitsFor(head, limits.binding(), now);
        }
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
    int seen = 0;
    for (var line : queue.lines()) {
      for (var waiter : line.waiters) {
        if (prefixes.follows(waiter, now)) {
          queue.remove(waiter);
          waitsFor(waiter, Constraint.LEADER, now);
          return true;
        }
        long until = limits.thisCall(waiter, now);
        if (until <= now) {
          return decide(waiter, now);
        }
        if (until == Long.MAX_VALUE) {
          var why = limits.excludes(waiter.call).orElseThrow();
          takeOut(waiter);
          refuse(waiter, why);
          return true;
        }
        waitsFor(waiter, limits.binding(), now);
        soonest = Math.min(soonest, until);
        if (waiter.overtakenBy >= size(waiter) || ++seen > Queue.DEEP) {
          return false;
        }
      }
    }
    return false;
  }

  /** All limits agree; the budget has the last word. */
  private boolean decide(Waiter<?> waiter, long now) {
    var call = waiter.call;
    switch (budgets.hold(call.account(), call.estimate(), waiter.attempts > 0, this)) {
      case Budgets.Room.Held(var hold) -> {
        for (var line : queue.lines()) {
          if (line.waiters.contains(waiter)) {
            line.waiters.headSet(waiter).forEach(first -> first.overtakenBy += size(waiter));
            break;
          }
          line.waiters.forEach(first -> first.overtakenBy += size(waiter));
        }
        queue.remove(waiter);
        waiting--;
        grant(waiter, hold, now);
      }
      case Budgets.Room.Later() -> {
        queue.remove(waiter);
        unaffordable.add(waiter);
        waitsFor(waiter, Constraint.BUDGET, now);
      }
      case Budgets.Room.Never(var why) -> {
        if (feed.heard()) {
          feed.add(new Event.BudgetSpent(id, why));
        }
        takeOut(waiter);
        refuse(waiter, why);
      }
    }
    return true;
  }

  private <T> void grant(Waiter<T> waiter, Budgets.@Nullable Hold hold, long now) {
    waitsFor(waiter, Constraint.TURN, now);
    boolean probing = limits.breaker().state() != Breaker.State.CLOSED;
    var permit = limits.charge(waiter, hold, now);
    queue.charge(waiter.call.tenant(), permit.cost);
    prefixes.admitted(permit, now);
    tally.attempts++;
    tally.retried += permit.number > 1 ? 1 : 0;
    stalledSince = probing ? stalledSince : Long.MAX_VALUE;
    if (feed.heard()) {
      var waited = Duration.ofNanos(now - waiter.enteredAt);
      feed.add(new Event.Admitted(id, waiter.number, waiter.call.name(), permit.number, waited));
    }
    answer(waiter, new Admission.Granted<>(permit));
  }

  private static long size(Waiter<?> waiter) {
    return Math.max(1, waiter.call.estimate().most());
  }

  // ---- what follows a reply ----

  private <T> Next<T> follows(Permit<T> permit, Reply<T> reply, long now) {
    var waiter = permit.waiter;
    int retries = settings.retries().maxRetries();
    switch (reply) {
      case Reply.Answered<T>(var value, var usage, var signals) -> {
        limits.succeeded(permit, true, now);
        tally.completed++;
        accelerations = 0;
        return new Next.Ended<>(new Outcome.Done<>(value, waiter.usage, waiter.attempts));
      }
      case Reply.Rejected<T>(var message, var advice, var whole, var until) -> {
        limits.succeeded(permit, false, now);
        if (whole) {
          shut = new Refusal.LaneShut(message, advice);
          shutUntil = now + until.map(Duration::toNanos).orElse(SHUT_FOR);
          refuseAll(shut);
        }
        return gaveUp(permit, reply, message + ": " + advice);
      }
      case Reply.Throttled<T>(var message, var signals) -> {
        limits.succeeded(permit, false, now);
        var dimension = limits.throttled(permit, signals, now);
        tally.throttledBy(dimension);
        var wait = signals.retryAfter().orElse(Duration.ZERO);
        if (feed.heard()) {
          feed.add(new Event.Throttled(id, waiter.number, signals.exceeded(), wait));
        }
        if (signals.acceleration() && wait.isZero() && !limits.paused(now)) {
          limits.pause(now + settings.retries().pause(accelerations++, random));
        }
        return retries == 0
            ? gaveUp(permit, reply, message + ": allow retries, and it waits for the limit")
            : again(permit, reply, 0, false, now);
      }
      case Reply.Overloaded<T>(var message, var signals) -> {
        return failed(permit, reply, message, signals, now);
      }
      case Reply.Broken<T>(var message, var sent) -> {
        return failed(permit, reply, message, Signals.NONE, now);
      }
      case Reply.CutShort<T>(var message, var usage, var signals) -> {
        return failed(permit, reply, message, Signals.NONE, now);
      }
    }
  }

  private <T> Next<T> failed(
      Permit<T> permit, Reply<T> reply, String message, Signals signals, long now) {
    var waiter = permit.waiter;
    waiter.failures += limits.failed(permit, now) ? 1 : 0;
    if (!replied && tally.attempts >= UNREACHABLE_AFTER) {
      shut = new Refusal.LaneShut("never reached: " + message, "check the address and the network");
      shutUntil = now + SHUT_FOR;
      refuseAll(shut);
      return gaveUp(permit, reply, "never reached: " + message + ": check the address");
    }
    int retries = settings.retries().maxRetries();
    if (retries == 0 || waiter.failures > retries) {
      return gaveUp(
          permit, reply, message + ": after " + waiter.attempts + " attempts; try again later");
    }
    long hint = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    long pause = settings.retries().pause(Math.max(0, waiter.failures - 1), random);
    return again(permit, reply, Math.max(hint, hint > 0 ? 0 : pause), true, now);
  }

  private <T> Next<T> again(Permit<T> permit, Reply<T> reply, long pause, boolean retry, long now) {
    var waiter = permit.waiter;
    if (closing) {
      tally.errored++;
      return new Next.Ended<>(new Outcome.Refused<>(new Refusal.ShuttingDown(), waiter.attempts));
    }
    if (shut != null && now < shutUntil) {
      return gaveUp(permit, reply, shut.toString());
    }
    if (now + pause >= waiter.deadline) {
      return gaveUp(permit, reply, "no answer within " + waiter.call.within().orElseThrow());
    }
    waiter.answer = null;
    waiter.retrying = retry;
    waiter.notBefore = now + pause;
    waiter.waitsSince = now;
    waiter.waitsFor = Constraint.TURN;
    waiting++;
    if (pause > 0) {
      waiter.waitsFor = Constraint.RETRY;
      pausing.add(waiter);
    } else {
      queue.add(waiter);
    }
    if (waiter.deadline != Long.MAX_VALUE && !byDeadline.contains(waiter)) {
      byDeadline.add(waiter);
    }
    return new Next.Again<>();
  }

  private <T> Next<T> gaveUp(Permit<T> permit, Reply<T> reply, String why) {
    tally.errored++;
    var waiter = permit.waiter;
    return new Next.Ended<>(
        new Outcome.GaveUp<>(why, Optional.of(reply), waiter.usage, waiter.attempts));
  }

  /** What an attempt used, or may have used. */
  private static Usage billed(Call<?> call, Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> answered -> answered.usage();
      case Reply.CutShort<?> cut -> cut.usage();
      case Reply.Broken<?> broken when broken.sent() -> {
        var most = Usage.of(call.estimate().input(), call.estimate().maxOutput());
        yield call.estimate().cost().map(most::costing).orElse(most);
      }
      case Reply.Broken<?> broken -> Usage.NONE;
      case Reply.Throttled<?> throttled -> Usage.NONE;
      case Reply.Overloaded<?> overloaded -> Usage.NONE;
      case Reply.Rejected<?> rejected -> Usage.NONE;
    };
  }

  private void settled(Permit<?> permit, Reply<?> reply, Next<?> next, long now) {
    if (limits.inFlight() == 0) {
      idle.signalAll();
    }
    if (!feed.heard()) {
      return;
    }
    var waiter = permit.waiter;
    var took = Duration.ofNanos(now - permit.sentAt);
    var kind = reply.getClass().getSimpleName();
    feed.add(new Event.Settled(id, waiter.number, permit.number, kind, took));
    feed.add(
        switch (next) {
          case Next.Again<?>() ->
              new Event.Retrying(
                  id,
                  waiter.number,
                  permit.number + 1,
                  Duration.ofNanos(Math.max(0, waiter.notBefore - now)));
          case Next.Ended<?>(var outcome) ->
              new Event.Finished(id, waiter.number, waiter.call.name(), outcome);
        });
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
    if (waiting >= settings.mostWaiting()) {
      return Optional.of(new Refusal.QueueFull(waiting));
    }
    return limits.excludes(call);
  }

  /** Refuses those whose time is over. */
  private void expire(long now) {
    while (!byDeadline.isEmpty() && byDeadline.peek().deadline <= now) {
      var late = byDeadline.remove();
      if (late.answer == null) {
        takeOut(late);
        refuse(late, new Refusal.TooLate(late.call.within().orElseThrow()));
      }
    }
  }

  private void refuseAll(Refusal why) {
    var everybody = new ArrayList<Waiter<?>>(waiting);
    for (var head = queue.head(); head != null; head = queue.head()) {
      queue.remove(head);
      everybody.add(head);
    }
    everybody.addAll(pausing);
    pausing.clear();
    everybody.addAll(unaffordable);
    unaffordable.clear();
    everybody.addAll(prefixes.clear());
    waiting = 0;
    everybody.forEach(waiter -> refuse(waiter, why));
  }

  private void takeOut(Waiter<?> waiter) {
    boolean found =
        queue.remove(waiter)
            || pausing.remove(waiter)
            || unaffordable.remove(waiter)
            || prefixes.remove(waiter);
    assert found : "a waiter is in exactly one place";
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

  private void waitsFor(Waiter<?> waiter, Constraint constraint, long now) {
    tally.waited(waiter.waitsFor, now - waiter.waitsSince);
    waiter.waitsFor = constraint;
    waiter.waitsSince = now;
  }

  private <T> void answer(Waiter<T> waiter, Admission<T> admission) {
    waiter.answer = admission;
    waiter.nextWoken = woken;
    woken = waiter;
  }

  /** Sets the one alarm to the next moment at which something can change by itself. */
  private void arm(long now) {
    long next = Math.min(soonest, prefixes.next());
    if (!pausing.isEmpty()) {
      next = Math.min(next, pausing.peek().notBefore);
    }
    stall(next, now);
    if (!byDeadline.isEmpty()) {
      next = Math.min(next, byDeadline.peek().deadline);
    }
    nextWake = next;
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
    if (settings.maxWait().isEmpty() || waiting == 0) {
      stalledSince = Long.MAX_VALUE;
    } else if (limits.inFlight() == 0 && next != Long.MAX_VALUE && next > now) {
      stalledSince = Math.min(stalledSince, now);
      if (next - stalledSince > settings.maxWait().get().toNanos()) {
        parkedFor = next - now;
      }
    }
  }

  /** How long this lane still cannot admit, where that is longer than allowed; else 0. */
  long parkedFor() {
    return parkedFor;
  }

  boolean waits() {
    lock.lock();
    try {
      return waiting > 0;
    } finally {
      lock.unlock();
    }
  }

  void refuseParked(Duration left) {
    lock.lock();
    try {
      refuseAll(new Refusal.Parked(left));
      parkedFor = 0;
    } finally {
      leave();
    }
  }

  /** Releases the lock, then does what was decided under it. */
  private void leave() {
    var first = woken;
    woken = null;
    boolean stuck = parkedFor > 0;
    lock.unlock();
    // Woken in the order in which they were decided.
    Waiter<?> inOrder = null;
    while (first != null) {
      var next = first.nextWoken;
      first.nextWoken = inOrder;
      inOrder = first;
      first = next;
    }
    while (inOrder != null) {
      var next = inOrder.nextWoken;
      inOrder.nextWoken = null;
      inOrder.wake.run();
      inOrder = next;
    }
    feed.deliver();
    if (stuck) {
      parked.run();
    }
  }

  // ---- for people ----

  <T> Admission<T> look(Waiter<T> waiter) {
    lock.lock();
    try {
      var decided = waiter.answer;
      if (decided != null) {
        return decided;
      }
      long left = nextWake - time.nanos();
      boolean known = waiter == queue.head() && nextWake != Long.MAX_VALUE && left > 0;
      return new Admission.Wait<>(
          waiter.waitsFor, known ? Optional.of(Duration.ofNanos(left)) : Optional.empty());
    } finally {
      lock.unlock();
    }
  }

  LaneSnapshot snapshot() {
    lock.lock();
    try {
      long now = time.nanos();
      var head = queue.head() == null ? pausing.peek() : queue.head();
      boolean known = head != null && nextWake != Long.MAX_VALUE && nextWake > now;
      return new LaneSnapshot(
          id,
          waiting,
          limits.inFlight(),
          limits.slots(now),
          limits.breaker().state(),
          Optional.ofNullable(head).map(waiter -> waiter.waitsFor),
          known ? Optional.of(Duration.ofNanos(nextWake - now)) : Optional.empty(),
          limits.gauges(now),
          limits.pacePerSecond(),
          tally.metrics());
    } finally {
      lock.unlock();
    }
  }

  Memory.OfLane memory() {
    lock.lock();
    try {
      return limits.memory(time.nanos(), time.wall());
    } finally {
      lock.unlock();
    }
  }
}
