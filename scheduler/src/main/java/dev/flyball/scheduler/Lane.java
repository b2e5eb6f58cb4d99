package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.ExpectedOutput;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one lane, under one lock.
 *
 * <p>Whatever happens (a call comes, headers are sighted, an attempt settles, the alarm rings) ends
 * in {@link #pump}: whoever can go, goes, and the lane's one alarm is set to the moment at which
 * that can change. A waiting call holds nothing. It parks by itself and is woken alone, after the
 * lock is released.
 *
 * <p>Long because everything here needs that lock: what is decided under it is elsewhere.
 */
final class Lane {
  private static final int TRIES = 1_000;

  private final LaneId id;
  private final Lanes.Settings settings;
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
  private final Dispatcher dispatcher;

  /** What a budget does when something settled in it that calls of this lane wait for. */
  private final Runnable budgetHasRoom = this::lookAtBudgetAgain;

  /** Whether those who share a limit were heard to have changed their minds, and not asked yet. */
  private final AtomicBoolean sharedLimitChanged = new AtomicBoolean();

  /** The moment to which {@link #alarm} is set; {@link Long#MAX_VALUE} after it rang. */
  private long armedFor = Long.MAX_VALUE;

  /** The alarm that was set last, whether it rang or not. */
  private Time.@Nullable Alarm alarm;

  /** How many calls were ever given a place. */
  private long numbers;

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
      Lanes.Settings settings,
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
      var departures =
          settings
              .sharedLimit()
              .map(limit -> new SharedDepartures(limit.open(id, new Shared())))
              .orElse(null);
      this.limits =
          new LaneLimits(id, settings, feed, outputs, slotInAll, departures, time.nanos());
      this.settlement = new Settlement(id, settings, limits, counters, feed);
      this.dispatcher =
          new Dispatcher(id, settings, feed, budgets, budgetHasRoom, limits, waiting, counters);
    } finally {
      lock.unlock();
    }
    if (!settings.pacing() && feed.heard()) {
      feed.add(new Event.LimitWarning(id, Event.Warning.PACING_IS_OFF, Optional.empty()));
    }
  }

  LaneId id() {
    return id;
  }

  // ---- what happens to a lane ----

  /**
   * Gives a call its place.
   *
   * @param earlier the place that it had elsewhere, and whose time it keeps
   */
  <T> Waiter<T> enter(
      Call call, @Nullable Consumer<? super Waiter<T>> wake, @Nullable Waiter<?> earlier) {
    acquire();
    try {
      long now = time.nanos();
      long entered = earlier == null ? now : earlier.enteredAt();
      var waiter = new Waiter<T>(call, this, wake, null, numbers++, entered);
      if (earlier != null) {
        waiter.waitsSince = now;
        waiter.waitEnds = earlier.waitEnds;
      }
      came(waiter);
      var refusal = turnsAway(waiter, now);
      if (refusal.isPresent()) {
        dispatcher.refuse(waiter, refusal.get());
      } else if (!dispatcher.goesAtOnce(waiter, now)) {
        waiting.add(waiter, false);
        pump(now);
      }
      return waiter;
    } finally {
      leave();
    }
  }

  private void came(Waiter<?> waiter) {
    counters.total++;
    if (feed.heard()) {
      feed.add(new Event.Queued(id, waiter.number, waiter.call.name()));
    }
  }

  /** A place for a call of several lanes, which does not stand in it yet. */
  <T> Waiter<T> place(
      Call call,
      @Nullable Consumer<? super Waiter<T>> wake,
      Waiter.AnyLane<T> anyLane,
      boolean first,
      long entered) {
    acquire();
    try {
      var place = new Waiter<T>(call, this, wake, anyLane, numbers++, entered);
      if (first) {
        came(place);
      }
      return place;
    } finally {
      leave();
    }
  }

  /** A call of several lanes waits, here as in the others, for its attempt after so many. */
  <T> void stand(Waiter<T> place, Waiter.AnyLane<T> call, int attempts) {
    locked(
        now -> {
          if (place.stands && !call.waits(place.attempts)) {
            // For an earlier attempt, which another lane has made.
            waiting.remove(place);
          }
          if (call.renew(place, attempts, now)) {
            limits.askAnew();
            standHere(place, now);
          }
          pump(now);
        });
  }

  private void standHere(Waiter<?> place, long now) {
    boolean pauses = place.waitsUntil > now;
    var refusal = turnsAway(place, now);
    if (refusal.isPresent()) {
      dispatcher.refuse(place, refusal.get());
    } else if (pauses || !dispatcher.goesAtOnce(place, now)) {
      waiting.add(place, pauses);
    }
  }

  /**
   * Takes out a call that another lane has taken, or that is over.
   *
   * @param decided gets those who have an answer now and may still stand in other lanes
   */
  void drop(Waiter<?> place, Waiter.AnyLane<?> call, Deque<Waiter<?>> decided) {
    acquire();
    try {
      if (place.stands && !call.waits(place.attempts)) {
        waiting.remove(place);
        pump(time.nanos());
      }
    } finally {
      release(decided);
    }
  }

  <T> NextStep<T> settle(Permit<T> permit, Reply<T> reply, boolean last) {
    List<Runnable> waitingForBudget;
    NextStep<T> next;
    var anyLane = permit.waiter.anyLane;
    acquire();
    try {
      if (permit.settled) {
        throw new IllegalStateException("a permit is settled exactly once: " + permit.waiter.call);
      }
      long now = time.nanos();
      var lesson = limits.settle(permit.charges, reply, now);
      waitingForBudget = end(permit, reply, now);
      permit.waiter.last = last;
      next = settlement.follows(permit, reply, lesson, now);
      var shut = settlement.takeShut();
      if (shut != null) {
        dispatcher.refuseAll(shut);
      }
      settlement.report(permit, reply, next, now);
      if (next instanceof NextStep.Again) {
        if (anyLane == null) {
          waiting.add(permit.waiter, permit.waiter.waitsUntil > now);
        } else {
          standHere(permit.waiter, now);
        }
      } else if (anyLane != null) {
        anyLane.over();
      }
      pump(now);
    } finally {
      leave();
    }
    if (anyLane != null && next instanceof NextStep.Again) {
      anyLane.standElsewhere(permit);
    }
    Settlement.AttemptEvent.record(id, permit, reply);
    waitingForBudget.forEach(Runnable::run);
    return next;
  }

  /** Ends an attempt, and its call, without a reply. */
  <T> void abandon(Permit<T> permit, boolean sent) {
    var waitingForBudget = new ArrayList<Runnable>(0);
    locked(
        now -> {
          if (!permit.settled) {
            limits.abandon(permit.charges, sent, now);
            waitingForBudget.addAll(end(permit, new Reply.Broken<>("abandoned", sent), now));
            dispatcher.refuse(permit.waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    waitingForBudget.forEach(Runnable::run);
  }

  /** Ends an attempt, and its call, whose answer nobody wants any more. */
  <T> void abandon(Permit<T> permit, Usage soFar) {
    var waitingForBudget = new ArrayList<Runnable>(0);
    locked(
        now -> {
          if (!permit.settled) {
            limits.abandon(permit.charges, soFar, now);
            var left = new Reply.CutShort<T>("nobody wants it any more", soFar, Signals.NONE);
            waitingForBudget.addAll(end(permit, left, now));
            dispatcher.refuse(permit.waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    waitingForBudget.forEach(Runnable::run);
  }

  /** What an attempt held is free again; returns who is to look at a budget again. */
  private List<Runnable> end(Permit<?> permit, Reply<?> reply, long now) {
    permit.settled = true;
    var waiter = permit.waiter;
    var billed = reply.billed(waiter.call.estimate());
    waiter.usage = waiter.usage.plus(billed);
    waiting.used(permit, billed.tokens());
    boolean answered = reply instanceof Reply.Answered;
    waiting.released(permit, answered, now);
    if (progress(permit, reply)) {
      dispatcher.progressed();
    }
    counters.took(now - permit.sentAt());
    if (limits.slots().inFlight() == 0) {
      idle.signalAll();
    }
    return budgets.settle(permit.hold, billed);
  }

  /** Whether the provider has worked on an attempt; to be turned away is no progress. */
  private static boolean progress(Permit<?> permit, Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> answered -> true;
      case Reply.Rejected<?> rejected -> true;
      case Reply.CutShort<?> cut -> !permit.charges.awaited();
      case Reply.Broken<?> broken -> broken.sent() && !permit.charges.awaited();
      case Reply.Throttled<?> throttled -> false;
      case Reply.Overloaded<?> overloaded -> false;
    };
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
          if (waiter.answer() == null) {
            if (waiter.stands) {
              waiting.remove(waiter);
            }
            dispatcher.refuse(waiter, new Refusal.Withdrawn());
            pump(now);
          }
        });
    if (waiter.answer() instanceof Admission.Granted<T>(var permit)) {
      permit.waiter.lane.abandon(permit, false);
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
      leaveOthers(release(null));
    }
  }

  /** This lane as those see it who share a limit with it. */
  private final class Shared implements SharedLimit.SharedLane {
    @Override
    public void changed() {
      askSharedLimitAgain();
    }

    @Override
    public LaneProfile profile() {
      return limits.profile();
    }

    @Override
    public LearnedLimits.OfLane remembered() {
      return settings.memory().of(id).orElse(LearnedLimits.OfLane.NOTHING);
    }

    @Override
    public LearnedLimits.OfLane learned() {
      return memory();
    }
  }

  /**
   * An attempt has gone elsewhere, whatever the limits say: it is charged here, and settled here.
   */
  <T> Permit<T> adopt(Call call) {
    acquire();
    try {
      long now = time.nanos();
      var waiter = new Waiter<T>(call, this, woken -> {}, null, numbers++, now);
      came(waiter);
      return dispatcher.adopt(waiter, now);
    } finally {
      leave();
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
          dispatcher.refuseAll(new Refusal.ShuttingDown());
        });
  }

  /** Nothing starts here any more, because somebody said so. */
  void shut(Refusal why) {
    locked(
        now -> {
          settlement.shutForGood(why);
          dispatcher.refuseAll(why);
        });
  }

  /** Nothing starts here until somebody says otherwise; calls wait. */
  void stop(boolean is) {
    locked(
        now -> {
          limits.stop(is);
          pump(now);
        });
  }

  void refuseParked(Duration left) {
    locked(now -> dispatcher.refuseAll(new Refusal.Parked(left)));
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

  // ---- who is turned away ----

  private Optional<Refusal> turnsAway(Waiter<?> waiter, long now) {
    var shut = settlement.turnsAway(now);
    if (shut.isPresent()) {
      return shut;
    }
    return waiting.count() >= settings.mostWaiting()
        ? Optional.of(new Refusal.QueueFull(waiting.count()))
        : limits.excludes(waiter);
  }

  // ---- waiting and waking ----

  /** Lets go whoever can, and sets the one alarm to the moment at which that can change. */
  private void pump(long now) {
    dispatcher.pump(now);
    long next = dispatcher.nextMoment();
    if (next < armedFor) {
      if (alarm != null) {
        alarm.silence();
      }
      armedFor = next;
      alarm = time.alarm(next, this::onAlarm);
    }
  }

  /** How long this lane still cannot admit, where that is longer than allowed; else 0. */
  long parkedFor() {
    return dispatcher.parkedFor();
  }

  /** Releases the lock, then does what was decided under it. */
  private void leave() {
    leaveOthers(release(null));
    if (slotsInAll != null) {
      slotsInAll.deliver();
    }
  }

  /**
   * Takes calls that have an answer out of the other lanes in which they stand. Others may get an
   * answer by that; they are next, so that lanes do not call each other deeper and deeper.
   */
  private static void leaveOthers(@Nullable Deque<Waiter<?>> decided) {
    while (decided != null && !decided.isEmpty()) {
      var waiter = decided.remove();
      if (waiter.anyLane != null) {
        waiter.anyLane.leaveOthers(waiter, decided);
      }
    }
  }

  /** Adds those who have an answer now and may still stand in other lanes, if there are any. */
  private @Nullable Deque<Waiter<?>> release(@Nullable Deque<Waiter<?>> known) {
    var decided = known;
    var first = dispatcher.takeWoken();
    if (slotInAll != null) {
      slotInAll.release();
    }
    boolean idle = parkedLanes != null && !watched(parkedLanes);
    lock.unlock();
    while (first != null) {
      var next = first.nextWoken;
      first.nextWoken = null;
      if (first.anyLane != null) {
        decided = decided == null ? new ArrayDeque<>() : decided;
        decided.add(first);
      }
      first.wake();
      first = next;
    }
    feed.deliver();
    if (parkedLanes != null && idle) {
      parkedLanes.refuse();
    }
    return decided;
  }

  /** Tells the watch how this lane stands; returns whether it is busy. */
  private boolean watched(Lanes.ParkedLanes watch) {
    boolean before = busy;
    busy = limits.slots().inFlight() > 0 || (waiting.count() > 0 && parkedFor() == 0);
    watch.parked(this, parkedFor() > 0);
    if (busy != before) {
      watch.busy(busy);
    }
    return busy;
  }

  // ---- for people ----

  <T> Admission<T> admissionOf(Waiter<T> waiter) {
    acquire();
    try {
      var decided = waiter.answer();
      return decided != null ? decided : new Admission.Wait<>(waiter.waitsFor, left(waiter));
    } finally {
      lock.unlock();
    }
  }

  /** Where a call stands that waits here. */
  Waiter.Place placeOf(Waiter<?> waiter) {
    acquire();
    try {
      return place(waiter.call, other -> Waiter.inOrder(other, waiter) < 0);
    } finally {
      lock.unlock();
    }
  }

  /** Where a call would stand that came now. */
  Waiter.Place placeOf(Call call) {
    acquire();
    try {
      long due = time.nanos() + call.priority().patience().toNanos();
      return place(call, other -> other.due <= due);
    } finally {
      lock.unlock();
    }
  }

  private Waiter.Place place(Call call, Predicate<Waiter<?>> before) {
    long now = time.nanos();
    var few = new ArrayList<Waiter<?>>();
    int ahead = waiting.ahead(call.tenant(), before, few);
    var place = limits.place(call, ahead, few, counters.meanLatency(), now);
    var head = waiting.next();
    return ahead == 0 || head == null || head.waitsUntil == Long.MAX_VALUE
        ? place
        : place.notBefore(Duration.ofNanos(Math.max(0, head.waitsUntil - now)), head.waitsFor);
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
