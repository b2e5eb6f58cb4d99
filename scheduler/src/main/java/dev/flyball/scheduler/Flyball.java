package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.limit.Budget;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Settings settings;
  private final Time time;
  private final RandomGenerator random;
  private final Feed feed;
  private final Memory memory;
  private final Budgets budgets = new Budgets();
  private final ConcurrentHashMap<LaneId, Lane> lanes = new ConcurrentHashMap<>();
  private volatile boolean closing;

  private Flyball(Builder builder) {
    this.settings =
        new Settings(
            builder.mostInFlight,
            builder.mostWaiting,
            builder.maxWait,
            builder.retries,
            builder.waitsOutRests,
            builder.pacing,
            builder.ramp,
            builder.profiles);
    this.time = builder.time == null ? Time.system() : builder.time;
    this.random = builder.random;
    this.feed = new Feed(builder.listeners, builder.listenersOn);
    this.memory = builder.memory;
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
  public <T> Outcome<T> run(Call<T> call) throws InterruptedException {
    var waiter = enter(call);
    while (true) {
      switch (waiter.await()) {
        case Admission.Refused<T>(var refused) -> {
          return refused;
        }
        case Admission.Granted<T>(var permit) -> {
          if (attempt(permit) instanceof Next.Ended<T>(var outcome)) {
            return outcome;
          }
        }
        case Admission.Wait<T> wait -> throw new AssertionError("awaited, and still " + wait);
      }
    }
  }

  /** Runs a call and returns its answer, or throws {@link FlyballException} if it has none. */
  public <T> T answer(Call<T> call) throws InterruptedException {
    var outcome = run(call);
    return switch (outcome) {
      case Outcome.Done<T>(var value, var usage, var attempts) -> value;
      case Outcome.Refused<T>(var refusal, var attempts) ->
          throw new FlyballException(refusal.toString(), outcome);
      case Outcome.GaveUp<T>(var why, var last, var usage, var attempts) ->
          throw new FlyballException(why, outcome);
    };
  }

  /**
   * Waits until a call may go, for those who make the attempt themselves. The permit must be
   * settled; when that answers {@link Next.Again}, the call's next attempt comes from {@link
   * #again}.
   */
  public <T> Admission<T> admit(Call<T> call) throws InterruptedException {
    return enter(call).await();
  }

  /** Waits for the next attempt of a call that is not over. */
  public <T> Admission<T> again(Permit<T> settled) throws InterruptedException {
    return settled.waiter.await();
  }

  /**
   * Gives a call its place and does not wait: {@code wake} is told, outside every lock, when {@link
   * Waiter#admission()} has changed. For event loops and for virtual time.
   */
  public <T> Waiter<T> enter(Call<T> call, Runnable wake) {
    return lane(call.lane()).enter(call, wake);
  }

  private <T> Waiter<T> enter(Call<T> call) {
    var thread = Thread.currentThread();
    return enter(call, () -> java.util.concurrent.locks.LockSupport.unpark(thread));
  }

  private Lane lane(LaneId id) {
    var lane = lanes.get(id);
    if (lane != null) {
      return lane;
    }
    lane =
        lanes.computeIfAbsent(
            id,
            unused ->
                new Lane(
                    id, settings, memory.of(id), time, random, budgets, feed, this::refuseParked));
    if (closing) {
      lane.drain();
    }
    return lane;
  }

  private <T> Next<T> attempt(Permit<T> permit) throws InterruptedException {
    try (permit;
        var cutter = new Cutter(permit.waiter.deadline)) {
      Reply<T> reply;
      try {
        reply = permit.waiter.call.work().attempt(permit);
      } catch (IOException broken) {
        reply = new Reply.Broken<>(String.valueOf(broken.getMessage()), true);
      } catch (InterruptedException interrupted) {
        if (!cutter.end()) {
          permit.settle(new Reply.Broken<>("interrupted", true));
          throw interrupted;
        }
        reply = new Reply.Broken<>("its time was over", true);
      }
      cutter.end();
      return permit.settle(reply);
    }
  }

  /** Interrupts the attempt of a call whose time is over, and nothing else of its thread. */
  private final class Cutter implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Time.@Nullable Alarm alarm;
    private boolean ended;
    private boolean cut;

    Cutter(long deadline) {
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
      if (alarm == null) {
        return false;
      }
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

  /** When no lane that has work can admit for longer than allowed, all that waits is refused. */
  private void refuseParked() {
    long soonest = Long.MAX_VALUE;
    for (var lane : lanes.values()) {
      long left = lane.parkedFor();
      if (left == 0 && lane.waits()) {
        return;
      }
      soonest = left == 0 ? soonest : Math.min(soonest, left);
    }
    if (soonest != Long.MAX_VALUE) {
      var left = Duration.ofNanos(soonest);
      lanes.values().forEach(lane -> lane.refuseParked(left));
    }
  }

  public Snapshot snapshot() {
    var all = new ArrayList<LaneSnapshot>();
    lanes.values().forEach(lane -> all.add(lane.snapshot()));
    all.sort((one, other) -> one.lane().toString().compareTo(other.lane().toString()));
    var total = all.stream().map(LaneSnapshot::metrics).reduce(Metrics.NONE, Metrics::plus);
    return new Snapshot(List.copyOf(all), budgets.snapshot(), total, feed.dropped());
  }

  /** What has been learned, for the next {@link Builder#memory}. */
  public Memory memory() {
    var all = new HashMap<>(memory.lanes());
    lanes.forEach((id, lane) -> all.put(id, lane.memory()));
    return new Memory(all);
  }

  /** Lets nothing new start; what waits is refused, what is in flight goes on. */
  public void drain() {
    closing = true;
    lanes.values().forEach(Lane::drain);
  }

  /** Drains, and waits until nothing is in flight. */
  @Override
  public void close() {
    drain();
    try {
      for (var lane : lanes.values()) {
        lane.awaitIdle();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Every setting has a default that needs no thought; impossible ones are refused. */
  public static final class Builder {
    private int mostInFlight = Settings.MOST_IN_FLIGHT;
    private int mostWaiting = Settings.MOST_WAITING;
    private Optional<Duration> maxWait = Optional.empty();
    private RetryPolicy retries = RetryPolicy.USUAL;
    private boolean waitsOutRests = true;
    private boolean pacing = true;
    private Optional<Ramp.Plan> ramp = Optional.empty();
    private Function<LaneId, LaneProfile> profiles = lane -> LaneProfile.UNKNOWN;
    private @Nullable Time time;
    private RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final List<Consumer<? super Event>> listeners = new ArrayList<>();
    private Executor listenersOn = task -> Thread.ofVirtual().name("flyball-events").start(task);
    private Memory memory = Memory.NONE;

    private Builder() {}

    /** At most so many attempts of one lane at one time (512). */
    public Builder mostInFlight(int most) {
      mostInFlight = most;
      return this;
    }

    /** At most so many calls waiting in one lane (about two million); the next is refused. */
    public Builder mostWaiting(int most) {
      mostWaiting = most;
      return this;
    }

    /** How long nothing may be in flight while no lane can admit (for ever). */
    public Builder maxWait(Duration longest) {
      maxWait = Optional.of(longest);
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

    public Builder ramp(Ramp.Plan plan) {
      ramp = Optional.of(plan);
      return this;
    }

    /** What is known of lanes before their first reply (nothing). */
    public Builder profiles(Function<LaneId, LaneProfile> known) {
      profiles = known;
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
    public Builder memory(Memory earlier) {
      memory = earlier;
      return this;
    }

    public Flyball build() {
      return new Flyball(this);
    }
  }
}
