package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.RampPlan;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The front door: runs calls as fast as their lanes' limits allow and never faster.
 *
 * <p>{@link #run} blocks the caller's thread; give each call a virtual thread of its own. Lanes
 * open on first need and do not affect each other. Thread-safe.
 */
public final class Flyball implements AutoCloseable {
  private final Time time;
  private final Budgets budgets = new Budgets();
  private final Lanes lanes;

  private Flyball(Builder from) {
    var settings =
        new Lanes.Settings(
            from.mostInFlight,
            from.mostInFlightInAll,
            from.mostWaiting,
            from.maxWait,
            from.retries,
            from.waitsOutRests,
            from.pacing,
            from.ramp,
            from.profiles,
            from.sharedLimit,
            from.memory,
            from.time,
            from.random);
    this.time = from.time;
    this.lanes = new Lanes(settings, new EventFeed(from.listeners, from.listenersOn), budgets);
  }

  /** With nothing to tune. */
  public static Flyball create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs a call to its end: waits until its limits allow it, tries it, and tries again where that
   * helps. What can happen is in the outcome; whatever else {@link dev.flyball.call.Work} throws is
   * passed on.
   */
  public <T> Outcome<T> run(Call call, Work<T> work) throws InterruptedException {
    Waiter<T> waiter = lanes.get(call.lane()).enter(call, null);
    for (; ; ) {
      switch (waiter.await()) {
        case Admission.Refused<T>(var outcome) -> {
          return outcome;
        }
        case Admission.Granted<T>(var permit) -> {
          if (attempt(permit, work) instanceof NextStep.Ended<T>(var outcome)) {
            return outcome;
          }
        }
      }
    }
  }

  /** Runs a call and returns its answer, or throws {@link FlyballException} if it has none. */
  public <T> T answer(Call call, Work<T> work) throws InterruptedException {
    var outcome = run(call, work);
    return switch (outcome) {
      case Outcome.Done<T> done -> done.value();
      case Outcome.Refused<T> no -> throw new FlyballException(no.refusal().advice(), outcome);
      case Outcome.GaveUp<T> gaveUp -> throw new FlyballException(gaveUp.why(), outcome);
    };
  }

  /**
   * Waits until a call may go, for those who make the attempt themselves. The permit must be
   * settled; when that answers {@link NextStep.Again}, the next attempt comes from {@link #again}.
   */
  public <T> Admission.Decided<T> admit(Call call) throws InterruptedException {
    return lanes.get(call.lane()).<T>enter(call, null).await();
  }

  /** Waits for the next attempt of a call that is not over. */
  public <T> Admission.Decided<T> again(Permit<T> settled) throws InterruptedException {
    return settled.waiter.await();
  }

  /**
   * Gives a call its place and does not wait: {@code wake} is told, outside every lock, when {@link
   * Waiter#admission()} has changed. For event loops and for virtual time.
   */
  public <T> Waiter<T> enter(Call call, Runnable wake) {
    return lanes.get(call.lane()).enter(call, wake);
  }

  private <T> NextStep<T> attempt(Permit<T> permit, Work<T> work) throws InterruptedException {
    var lane = permit.waiter.lane;
    try (var cutter = new AttemptDeadline(permit.waiter.deadline(), time)) {
      Reply<T> reply;
      try {
        reply = work.attempt(permit);
      } catch (IOException broken) {
        reply = new Reply.Broken<>(String.valueOf(broken.getMessage()), true);
      } catch (InterruptedException interrupted) {
        if (!cutter.end()) {
          throw interrupted;
        }
        reply = new Reply.Broken<>("its time was over", true);
      }
      cutter.end();
      return permit.settle(reply);
    } finally {
      // Only what is not settled: an interrupt, or whatever else the work has thrown.
      lane.abandon(permit, true);
    }
  }

  /** The interrupt of an attempt whose call's time is over, and of nothing else of its thread. */
  private static final class AttemptDeadline implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Time.@Nullable Alarm alarm;
    private boolean ended;
    private boolean cut;

    AttemptDeadline(long deadline, Time time) {
      var thread = Thread.currentThread();
      alarm = deadline == Long.MAX_VALUE ? null : time.alarm(deadline, () -> cut(thread));
    }

    private void cut(Thread thread) {
      lock.lock();
      try {
        if (!ended) {
          cut = true;
          thread.interrupt();
        }
      } finally {
        lock.unlock();
      }
    }

    /** The attempt is over; true when it was cut. An interrupt of ours is not left behind. */
    boolean end() {
      lock.lock();
      try {
        if (!ended && cut) {
          Thread.interrupted();
        }
        ended = true;
        return cut;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      end();
      if (alarm != null) {
        alarm.silence();
      }
    }
  }

  /** Limits what an account, and its parts together, may use. */
  public Flyball budget(Account account, Budget budget) {
    budgets.set(account, budget);
    return this;
  }

  public SchedulerSnapshot snapshot() {
    return lanes.snapshot();
  }

  /** What has been learned, for the next {@link Builder#memory}. */
  public LearnedLimits memory() {
    return lanes.memory();
  }

  /** Lets nothing new start; what waits is refused, what is in flight goes on. */
  public void drain() {
    lanes.drain();
  }

  /** Drains, and waits until nothing is in flight. */
  @Override
  public void close() {
    drain();
    try {
      lanes.awaitIdle();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Every setting has a default that needs no thought; impossible ones are refused. */
  public static final class Builder {
    private int mostInFlight = 512;
    private OptionalInt mostInFlightInAll = OptionalInt.empty();
    private int mostWaiting = 1 << 21;
    private Duration maxWait = Lanes.Settings.FOR_EVER;
    private RetryPolicy retries = RetryPolicy.USUAL;
    private boolean waitsOutRests = true;
    private boolean pacing = true;
    private Optional<RampPlan> ramp = Optional.empty();
    private Function<LaneId, LaneProfile> profiles = lane -> LaneProfile.UNKNOWN;
    private Optional<SharedLimit> sharedLimit = Optional.empty();
    private Time time = Time.system();
    private RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final List<Consumer<? super Event>> listeners = new ArrayList<>();
    private Executor listenersOn = task -> Thread.ofVirtual().name("flyball-events").start(task);
    private LearnedLimits memory = LearnedLimits.NONE;

    private Builder() {}

    /** At most so many attempts of one lane at one time (512). */
    public Builder mostInFlight(int most) {
      mostInFlight = most;
      return this;
    }

    /** At most so many attempts of all lanes together at one time (no such limit). */
    public Builder mostInFlightInAll(int most) {
      mostInFlightInAll = OptionalInt.of(most);
      return this;
    }

    /** At most so many calls waiting in one lane (about two million); the next is refused. */
    public Builder mostWaiting(int most) {
      mostWaiting = most;
      return this;
    }

    /** How long nothing may be in flight while no lane can admit (for ever); then all end. */
    public Builder maxWait(Duration longest) {
      maxWait = longest;
      return this;
    }

    public Builder retries(RetryPolicy policy) {
      retries = policy;
      return this;
    }

    /** Refuses calls, with the time left, while a lane rests after failures. */
    public Builder refuseWhileResting() {
      waitsOutRests = false;
      return this;
    }

    /** Sends every call at once: for comparison only. */
    public Builder withoutPacing() {
      pacing = false;
      return this;
    }

    public Builder ramp(RampPlan plan) {
      ramp = Optional.of(plan);
      return this;
    }

    /** What is known of lanes before their first reply (nothing). */
    public Builder profiles(Function<LaneId, LaneProfile> known) {
      profiles = known;
      return this;
    }

    /** A limit that this scheduler keeps together with others (none). */
    public Builder sharedLimit(SharedLimit limit) {
      sharedLimit = Optional.of(limit);
      return this;
    }

    public Builder time(Time other) {
      time = other;
      return this;
    }

    public Builder random(RandomGenerator other) {
      random = other;
      return this;
    }

    /** Is told every {@link Event}, outside any lock, in order. */
    public Builder listener(Consumer<? super Event> listener) {
      listeners.add(listener);
      return this;
    }

    /** Where listeners are told (a virtual thread). */
    public Builder listenersOn(Executor executor) {
      listenersOn = executor;
      return this;
    }

    /** What an earlier run has learned. */
    public Builder memory(LearnedLimits earlier) {
      memory = earlier;
      return this;
    }

    public Flyball build() {
      return new Flyball(this);
    }
  }
}
