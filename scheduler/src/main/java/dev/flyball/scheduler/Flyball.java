package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.RampPlan;
import dev.flyball.call.Refusal;
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
 * <p>Lanes open on first need and do not affect each other. Thread-safe. {@link #run}, {@link
 * #answer}, {@link #admit} and {@link #again} block the caller's thread until the call may go; give
 * each call a virtual thread of its own. {@link #enter} never blocks. No argument may be null.
 *
 * <p>Long because it has the settings, each with its default.
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
            from.breaker,
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

  /** {@return a scheduler with nothing to tune} */
  public static Flyball create() {
    return builder().build();
  }

  /** {@return settings that can be changed, for a scheduler of one's own} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs a call to its end: waits until its limits allow it, tries it, and tries again where that
   * helps. Blocks until then.
   *
   * @param <T> what an answer is
   * @param call where it goes, how large it is and who it is for
   * @param work how to try it once; run on this thread, once for each attempt. What it throws is
   *     passed on and ends the call, except an {@link IOException}, which is a broken attempt
   * @return how it ended; what can happen is in there
   * @throws InterruptedException if this thread was interrupted: the call is taken back, and an
   *     attempt in flight counts as sent
   */
  public <T> Outcome<T> run(Call call, Work<T> work) throws InterruptedException {
    Waiter<T> waiter = lanes.enter(call, null, null);
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

  /**
   * Runs a call as {@link #run} does, for those who want its answer or nothing.
   *
   * @param <T> what an answer is
   * @param call where it goes, how large it is and who it is for
   * @param work how to try it once
   * @return the answer
   * @throws FlyballException if it ended without one
   * @throws InterruptedException if this thread was interrupted
   */
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
   * settled or closed; when settling it answers {@link NextStep.Again}, the next attempt comes from
   * {@link #again}.
   *
   * @param <T> what an answer is
   * @param call where it goes, how large it is and who it is for
   * @return a permit, or why there is none
   * @throws InterruptedException if this thread was interrupted: the call is taken back
   */
  public <T> Admission.Decided<T> admit(Call call) throws InterruptedException {
    return lanes.<T>enter(call, null, null).await();
  }

  /**
   * Waits for the next attempt of a call that is not over. To be called by the thread that called
   * {@link #admit}.
   *
   * @param <T> what an answer is
   * @param settled the last permit, which answered {@link NextStep.Again}
   * @return a permit, or why there is none
   * @throws InterruptedException if this thread was interrupted: the call is taken back
   */
  public <T> Admission.Decided<T> again(Permit<T> settled) throws InterruptedException {
    return settled.waiter.await();
  }

  /**
   * Gives a call its place and does not wait. For event loops and for virtual time.
   *
   * @param <T> what an answer is
   * @param call where it goes, how large it is and who it is for
   * @param wake told, outside every lock, when {@link Waiter#admission()} has changed; by any
   *     thread, perhaps before this method returns. It must not block; what it throws is logged
   * @return the call's place
   */
  public <T> Waiter<T> enter(Call call, Runnable wake) {
    return lanes.enter(call, waiter -> wake.run(), null);
  }

  /**
   * Gives a call its place and does not wait, for those who want that place in hand when they are
   * told of it.
   *
   * @param <T> what an answer is
   * @param call where it goes, how large it is and who it is for
   * @param wake told as in {@link #enter(Call, Runnable)}, with the place that this method returns
   * @return the call's place
   */
  public <T> Waiter<T> enter(Call call, Consumer<? super Waiter<T>> wake) {
    return lanes.enter(call, wake, null);
  }

  /**
   * Gives a call another place for one that it had, in other lanes: it waits as if it had been
   * handed in there when it was handed in first. The earlier place must be decided or withdrawn.
   *
   * @param <T> what an answer is
   * @param call where it goes now
   * @param wake told as in {@link #enter(Call, Consumer)}
   * @param earlier the place that it had
   * @return the call's place
   */
  public <T> Waiter<T> enter(Call call, Consumer<? super Waiter<T>> wake, Waiter<?> earlier) {
    return lanes.enter(call, wake, earlier);
  }

  /**
   * {@return about where a call would stand if it came now, and how long it would wait: for those
   * who would rather know at once than wait in vain}
   *
   * @param call where it goes, how large it is and who it is for
   */
  public Waiter.Place place(Call call) {
    return lanes.place(call);
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

    /**
     * Drains, and waits until nothing is in flight. If the thread is interrupted meanwhile, it
     * returns at once and stays interrupted.
     */
    @Override
    public void close() {
      end();
      if (alarm != null) {
        alarm.silence();
      }
    }
  }

  /**
   * Limits what an account, and its parts together, may use. Holds for calls that are handed in
   * from then on.
   *
   * @param account who pays
   * @param budget the most it may use
   * @return this
   * @throws IllegalArgumentException if the account has a budget already
   */
  public Flyball budget(Account account, Budget budget) {
    budgets.set(account, budget);
    return this;
  }

  /**
   * Has an account, and its parts together, spend only what others elsewhere leave of a budget.
   * Holds for calls that are handed in from then on.
   *
   * @param account who pays
   * @param budget what is spent together
   * @return this
   * @throws IllegalArgumentException if there is a shared budget already
   */
  public Flyball sharedBudget(Account account, SharedBudget budget) {
    budgets.share(account, budget);
    return this;
  }

  /**
   * Forgets the budget of an account that makes no more calls, such as that of a part which is
   * over. What its calls in flight hold of other accounts is settled as before.
   *
   * @param account whose budget; nothing happens if it has none
   * @return this
   */
  public Flyball withoutBudget(Account account) {
    budgets.forget(account);
    return this;
  }

  /**
   * Takes in an attempt that has gone already, elsewhere and whatever the limits say: it is charged
   * as any other, and its reply is believed. Budgets are not asked.
   *
   * @param <T> what an answer is
   * @param call where it went and how large it is
   * @return a permit that stands for it, to be settled
   */
  public <T> Permit<T> adopt(Call call) {
    return lanes.get(call.lane()).adopt(call);
  }

  /**
   * Lets nothing more go in a lane, such as that of a key which turned out to be of no use. Calls
   * that may go in other lanes do; others are refused as {@link Refusal.LaneShut}, and so is what
   * comes later. What is in flight goes on.
   *
   * @param lane which one
   * @param why for people
   * @param remedy what to do instead, for people
   */
  public void shut(LaneId lane, String why, String remedy) {
    lanes.get(lane).shut(new Refusal.LaneShut(why, remedy));
  }

  /**
   * Lets nothing more go in a lane until {@link #resume}. Unlike in one that is {@link #shut},
   * calls wait; those that may go in other lanes do. What is in flight goes on.
   *
   * @param lane which one
   */
  public void pause(LaneId lane) {
    lanes.get(lane).stop(true);
  }

  /**
   * Lets a lane go on that was stopped by {@link #pause}.
   *
   * @param lane which one
   */
  public void resume(LaneId lane) {
    lanes.get(lane).stop(false);
  }

  /** {@return everything at about this moment; each lane is locked for a moment} */
  public SchedulerSnapshot snapshot() {
    return lanes.snapshot();
  }

  /** {@return what has been learned, and was known before, for the next {@link Builder#memory}} */
  public LearnedLimits memory() {
    return lanes.memory();
  }

  /**
   * Lets nothing new start: what waits is refused, what is in flight goes on, and so is what comes
   * later. Does not wait.
   */
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

  /**
   * The settings of a scheduler. Each has a default that needs no thought, given here in brackets;
   * impossible ones are refused by {@link #build}. Not thread-safe.
   */
  public static final class Builder {
    private int mostInFlight = 512;
    private OptionalInt mostInFlightInAll = OptionalInt.empty();
    private int mostWaiting = 1 << 21;
    private Duration maxWait = Lanes.Settings.USUAL_WAIT;
    private RetryPolicy retries = RetryPolicy.USUAL;
    private RetryPolicy.Breaker breaker = RetryPolicy.Breaker.USUAL;
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

    /**
     * Bounds the attempts of one lane at one time (512).
     *
     * @param most at least 1
     * @return this
     */
    public Builder mostInFlight(int most) {
      mostInFlight = most;
      return this;
    }

    /**
     * Bounds the attempts of all lanes together at one time (no bound). A call that waits for it
     * holds nothing; a slot that comes free goes to the lane that has waited for one longest.
     *
     * @param most at least 1
     * @return this
     */
    public Builder mostInFlightInAll(int most) {
      mostInFlightInAll = OptionalInt.of(most);
      return this;
    }

    /**
     * Bounds the calls that wait in one lane (about two million); the next is refused.
     *
     * @param most at least 1
     * @return this
     */
    public Builder mostWaiting(int most) {
      mostWaiting = most;
      return this;
    }

    /**
     * Bounds the time without progress (15 minutes): nothing was answered, and nothing is in flight
     * that could be, in any lane. What is sent and turned away meanwhile is no progress. Then all
     * who wait are refused as {@link dev.flyball.call.Refusal.Parked}, with the time after which
     * trying again makes sense; at once, where it is known that nothing can be sent for so long.
     *
     * @param longest above 0; {@code ChronoUnit.FOREVER.getDuration()} waits for ever
     * @return this
     */
    public Builder maxWait(Duration longest) {
      maxWait = longest;
      return this;
    }

    /**
     * Says how often failed calls are tried again ({@link RetryPolicy#USUAL}).
     *
     * @param policy the number of retries and the pauses before them
     * @return this
     */
    public Builder retries(RetryPolicy policy) {
      retries = policy;
      return this;
    }

    /**
     * Says when a lane rests after failures, and how long ({@link RetryPolicy.Breaker#USUAL}).
     *
     * @param policy the failures in a row, and the first rest
     * @return this
     */
    public Builder breaker(RetryPolicy.Breaker policy) {
      breaker = policy;
      return this;
    }

    /**
     * Refuses calls, with the time left, while a lane rests after failures (they wait).
     *
     * @return this
     */
    public Builder refuseWhileResting() {
      waitsOutRests = false;
      return this;
    }

    /**
     * Sends every call at once, whatever the limits are: for comparison only. Slots still count.
     *
     * @return this
     */
    public Builder withoutPacing() {
      pacing = false;
      return this;
    }

    /**
     * Lets traffic of each lane grow slowly (no ramp).
     *
     * @param plan where it starts and how fast it grows
     * @return this
     */
    public Builder ramp(RampPlan plan) {
      ramp = Optional.of(plan);
      return this;
    }

    /**
     * Says what is known of lanes before their first reply (nothing).
     *
     * @param known asked once for each lane, when it opens; must be quick and thread-safe
     * @return this
     */
    public Builder profiles(Function<LaneId, LaneProfile> known) {
      profiles = known;
      return this;
    }

    /**
     * Keeps a limit together with other schedulers (none).
     *
     * @param limit asked about every call, lane by lane
     * @return this
     */
    public Builder sharedLimit(SharedLimit limit) {
      sharedLimit = Optional.of(limit);
      return this;
    }

    /**
     * Brings a clock of one's own (the machine's).
     *
     * @param other the clock
     * @return this
     */
    public Builder time(Time other) {
      time = other;
      return this;
    }

    /**
     * Brings a source of randomness for pauses (a fresh one).
     *
     * @param other used under the locks of lanes, by several threads if there are several lanes
     * @return this
     */
    public Builder random(RandomGenerator other) {
      random = other;
      return this;
    }

    /**
     * Adds a listener (none).
     *
     * @param listener told every {@link Event}, outside any lock, in order. One that throws misses
     *     that event; one that is too slow misses some, which are counted
     * @return this
     */
    public Builder listener(Consumer<? super Event> listener) {
      listeners.add(listener);
      return this;
    }

    /**
     * Says where listeners are told (a virtual thread).
     *
     * @param executor runs one task at a time
     * @return this
     */
    public Builder listenersOn(Executor executor) {
      listenersOn = executor;
      return this;
    }

    /**
     * Brings what an earlier run has learned (nothing).
     *
     * @param earlier as {@link Flyball#memory} gave it
     * @return this
     */
    public Builder memory(LearnedLimits earlier) {
      memory = earlier;
      return this;
    }

    /**
     * {@return a scheduler with these settings}
     *
     * @throws IllegalArgumentException if one of them is impossible
     */
    public Flyball build() {
      return new Flyball(this);
    }
  }

  /**
   * Money that many schedulers spend together, in one process or in many. An attempt goes only when
   * this has set aside what it may cost, beside the scheduler's own budgets.
   */
  public interface SharedBudget {
    /** The answer to a hold. */
    sealed interface Room {
      /** It is set aside. */
      record Held() implements Room {}

      /** Not now, or that is not known yet: {@link #whenRoom} is told when it is worth asking. */
      record Later() implements Room {}

      /**
       * It will never fit.
       *
       * @param left what is left, in millionths of a dollar; below 0 if more was used than held
       */
      record Spent(long left) implements Room {}
    }

    /**
     * Sets aside what an attempt may cost. Called under a lock: it must not block, and must not
     * call the scheduler.
     *
     * @param micros in millionths of a dollar
     * @return whether there is so much
     */
    Room hold(long micros);

    /**
     * Replaces what was set aside by what was spent; under the same rules.
     *
     * @param held as it was handed to {@link #hold}
     * @param spent what the attempt has cost; 0 if it never went
     */
    void settle(long held, long spent);

    /**
     * Names who is to be told that it is worth asking again. Called once, before the first hold.
     *
     * @param told to be called under no lock that {@link #hold} takes; returns soon
     */
    void whenRoom(Runnable told);
  }
}
