package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.RampPlan;
import dev.flyball.call.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All lanes of one scheduler, and what concerns them together. Lanes open on first need. */
final class Lanes {
  /** The settings of a {@link Flyball}; its builder says what each means. */
  record Settings(
      int mostInFlight,
      OptionalInt mostInFlightInAll,
      int mostWaiting,
      Duration maxWait,
      RetryPolicy retries,
      RetryPolicy.Breaker breaker,
      boolean waitsOutRests,
      boolean pacing,
      Optional<RampPlan> ramp,
      Function<LaneId, LaneProfile> profiles,
      Optional<SharedLimit> sharedLimit,
      LearnedLimits memory,
      Time time,
      RandomGenerator random) {
    /** How long nothing may be answered, where nobody says otherwise. */
    static final Duration USUAL_WAIT = Duration.ofMinutes(15);

    /** Longer than any wait, and fits the clock. */
    static final Duration FOR_EVER = Duration.ofDays(365 * 100);

    Settings {
      if (mostInFlight < 1 || mostWaiting < 1) {
        var caps = mostInFlight + " and " + mostWaiting;
        throw new IllegalArgumentException(
            "at least 1 call may be in flight and 1 wait, but the caps were " + caps);
      }
      if (mostInFlightInAll.isPresent() && mostInFlightInAll.getAsInt() < 1) {
        throw new IllegalArgumentException(
            "at least 1 call of all lanes may be in flight, but the cap was "
                + mostInFlightInAll.getAsInt());
      }
      if (!maxWait.isPositive()) {
        throw new IllegalArgumentException("the longest wait is above 0, but was " + maxWait);
      }
      maxWait = maxWait.compareTo(FOR_EVER) > 0 ? FOR_EVER : maxWait;
    }
  }

  private final Settings settings;
  private final EventFeed feed;
  private final Budgets budgets;
  private final @Nullable SlotsInAll slots;
  private final @Nullable ParkedLanes parked;
  private final ConcurrentHashMap<LaneId, Lane> all = new ConcurrentHashMap<>();
  private volatile boolean closing;

  Lanes(Settings settings, EventFeed feed, Budgets budgets) {
    this.settings = settings;
    this.feed = feed;
    this.budgets = budgets;
    var most = settings.mostInFlightInAll();
    this.slots = most.isPresent() ? new SlotsInAll(most.getAsInt()) : null;
    boolean waitsForEver = settings.maxWait().equals(Settings.FOR_EVER);
    this.parked = waitsForEver ? null : new ParkedLanes();
  }

  Lane get(LaneId id) {
    var known = all.get(id);
    var lane = known != null ? known : all.computeIfAbsent(id, this::open);
    if (known == null && closing) {
      lane.drain();
    }
    return lane;
  }

  /** Gives a call its place in its lane, or in all of them. */
  <T> Waiter<T> enter(
      Call call, @Nullable Consumer<? super Waiter<T>> wake, @Nullable Waiter<?> earlier) {
    var first = get(call.lane());
    if (call.others().isEmpty()) {
      return first.enter(call, wake, earlier);
    }
    var any = new ArrayList<Lane>();
    any.add(first);
    call.others().forEach(other -> any.add(get(other)));
    return Waiter.AnyLane.enter(call, any, wake, earlier, settings.time().nanos());
  }

  /** Where a call would stand that came now, in the lane that could take it first. */
  Waiter.Place place(Call call) {
    var place = get(call.lane()).placeOf(call);
    for (var other : call.others()) {
      place = place.sooner(get(other).placeOf(call));
    }
    return place;
  }

  private Lane open(LaneId id) {
    return new Lane(id, settings, feed, budgets, slots, parked);
  }

  SchedulerSnapshot snapshot() {
    var lanes = new ArrayList<LaneSnapshot>();
    all.values().forEach(lane -> lanes.add(lane.snapshot()));
    lanes.sort(Comparator.comparing(lane -> lane.lane().toString()));
    var total = lanes.stream().map(LaneSnapshot::metrics).reduce(Metrics.NONE, Metrics::plus);
    return new SchedulerSnapshot(List.copyOf(lanes), budgets.snapshot(), total, feed.dropped());
  }

  /** What earlier runs have learned, and this one. */
  LearnedLimits memory() {
    var learned = new HashMap<>(settings.memory().lanes());
    all.forEach((id, lane) -> learned.put(id, lane.memory()));
    return new LearnedLimits(learned);
  }

  void drain() {
    closing = true;
    all.values().forEach(Lane::drain);
  }

  void awaitIdle() throws InterruptedException {
    for (var lane : all.values()) {
      lane.awaitIdle();
    }
  }

  /**
   * The watch over lanes that cannot admit for longer than allowed. When nothing is in flight in
   * any lane, and none will admit soon, nobody waits on. Lanes that are busy are counted and not
   * looked at.
   */
  static final class ParkedLanes {
    private final AtomicInteger busy = new AtomicInteger();
    private final Set<Lane> parked = ConcurrentHashMap.newKeySet();

    /** A lane has something in flight or will have soon, or has so no longer. Under its lock. */
    void busy(boolean is) {
      busy.addAndGet(is ? 1 : -1);
    }

    /** A lane's calls wait for longer than allowed, or do so no longer. Under its lock. */
    void parked(Lane lane, boolean is) {
      if (is) {
        parked.add(lane);
      } else if (!parked.isEmpty()) {
        parked.remove(lane);
      }
    }

    /** Called by a lane that is not busy, while no lock is held. */
    void refuse() {
      if (busy.get() > 0 || parked.isEmpty()) {
        return;
      }
      var lanes = List.copyOf(parked);
      long soonest =
          lanes.stream().mapToLong(Lane::parkedFor).filter(time -> time > 0).min().orElse(0);
      if (soonest > 0) {
        // Each of them comes here again as it leaves its lock, and then finds nobody.
        lanes.forEach(parked::remove);
        lanes.forEach(lane -> lane.refuseParked(Duration.ofNanos(soonest)));
      }
    }
  }
}
