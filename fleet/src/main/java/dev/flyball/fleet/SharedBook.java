package dev.flyball.fleet;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Priority;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The book of one lane of a fleet: a scheduler that has everybody's calls.
 *
 * <p>It begins with what was learned of the lane and with the lane's past, of which each replica
 * tells what it knows. That is played again: each attempt goes at the moment at which it went, and
 * is settled when its reply was there. So the book is the one that the lane's last keeper had, or
 * that a process kept which was alone. What is still under way at the end of that waits for its
 * replica to claim it; if nobody does, it was lost with a process that is gone.
 *
 * <p>Under the keeper's lock.
 */
final class SharedBook {
  private static final int MOST_IN_FLIGHT = 1 << 14;
  private static final int MOST_TOLD = 1000;
  private static final int MOST_KEPT = 500;
  private static final long KEPT = 300_000_000_000L;
  private static final long CLAIMED_WITHIN = 10_000_000_000L;

  /** Replicas try again, and ask for each attempt. */
  private static final RetryPolicy NO_RETRIES =
      new RetryPolicy(0, RetryPolicy.USUAL.base(), RetryPolicy.USUAL.cap(), 1);

  /** An attempt of a process, whoever is keeper. */
  private record Name(String who, long number) {}

  /** Something that can happen to an attempt once. */
  private record Event(Name attempt, Class<?> what) {}

  /** Something that has happened. */
  private record Happened(long at, Name attempt, FleetMessage.OfPast what) {}

  /** A clock that is behind while the past is played again. Alarms ring on time. */
  private static final class BookTime implements Time {
    private final Time time;
    private volatile long behind;

    BookTime(Time time) {
      this.time = time;
    }

    @Override
    public long nanos() {
      return time.nanos() - behind;
    }

    @Override
    public Instant wall() {
      return time.wall().minusNanos(behind);
    }

    @Override
    public Alarm alarm(long at, Runnable ring) {
      return time.alarm(at, ring);
    }
  }

  private final LaneId id;
  private final BookTime time;
  private final Flyball flyball;
  private final LanePast past = new LanePast(MOST_KEPT, KEPT);
  private final Map<Name, Permit<String>> unclaimed = new HashMap<>();
  private final Set<Event> known = new HashSet<>();
  private final List<Happened> toPlay = new ArrayList<>();
  private boolean begun;
  private int untold;
  boolean toldSoon;
  boolean toldBefore;
  boolean waitsForSlots;

  /** A book that begins with what a replica knows of its lane. */
  SharedBook(FleetMessage.Open open, Time time) {
    this.id = open.id();
    this.time = new BookTime(time);
    this.flyball =
        Flyball.builder()
            .time(this.time)
            .retries(NO_RETRIES)
            .mostInFlight(MOST_IN_FLIGHT)
            .maxWait(ChronoUnit.FOREVER.getDuration())
            .profiles(lane -> open.profile())
            .memory(new LearnedLimits(Map.of(open.id(), open.learned())))
            .build();
  }

  LaneId id() {
    return id;
  }

  // ---- the past ----

  /**
   * A replica tells what it knows. Before the beginning all of it is to be played; later, only what
   * it has under way is taken in, because the rest was felt already.
   */
  void bring(List<FleetMessage.Past> told, List<Long> underWay) {
    long now = time.nanos();
    for (var one : told) {
      for (var happened : happened(one, now - Math.max(0, one.age()))) {
        boolean late = begun && !underWay.contains(happened.attempt().number());
        if (!late && known.add(new Event(happened.attempt(), happened.what().getClass()))) {
          if (begun) {
            play(happened);
          } else {
            toPlay.add(happened);
          }
        }
      }
    }
  }

  private static List<Happened> happened(FleetMessage.Past one, long at) {
    return switch (one.what()) {
      case FleetMessage.Went went -> List.of(happened(one, at, went.number()));
      case FleetMessage.Headers headers -> List.of(happened(one, at, headers.number()));
      case FleetMessage.Ended ended -> List.of(happened(one, at, ended.number()));
      case FleetMessage.Drop drop ->
          drop.numbers().stream().map(number -> happened(one, at, number)).toList();
    };
  }

  private static Happened happened(FleetMessage.Past one, long at, long number) {
    return new Happened(at, new Name(one.who(), number), one.what());
  }

  boolean hasBegun() {
    return begun;
  }

  /** All have told what they know: from now on it goes on. */
  void begin() {
    long now = time.nanos();
    toPlay.sort(Comparator.comparingLong(Happened::at));
    for (var each : toPlay) {
      time.behind = Math.max(0, now - each.at());
      play(each);
    }
    time.behind = 0;
    toPlay.clear();
    begun = true;
  }

  private void play(Happened one) {
    var name = one.attempt();
    past.add(time.nanos(), name.who(), one.what());
    untold++;
    if (one.what() instanceof FleetMessage.Went went) {
      var tenant = new Tenant(name.who(), 1);
      unclaimed.put(
          name, flyball.adopt(call(tenant, went.estimate(), went.kind(), Priority.NORMAL)));
      return;
    }
    var permit = unclaimed.get(name);
    if (permit == null) {
      return;
    }
    switch (one.what()) {
      case FleetMessage.Went went -> {}
      case FleetMessage.Headers headers -> permit.sighted(headers.signals());
      case FleetMessage.Ended ended -> {
        unclaimed.remove(name);
        permit.settle(FleetMessage.reply(ended));
      }
      case FleetMessage.Drop drop -> {
        unclaimed.remove(name);
        end(permit, drop.late());
      }
    }
  }

  private static void end(Permit<String> permit, boolean charged) {
    if (charged) {
      permit.lost();
    } else {
      permit.close();
    }
  }

  /** When nobody who was there under the last keeper can come any more. */
  long unclaimedUntil() {
    return time.nanos() + CLAIMED_WITHIN;
  }

  /** What nobody has claimed went, and nobody will know what became of it. */
  void giveUpUnclaimed() {
    unclaimed.values().forEach(Permit::lost);
    unclaimed.clear();
    known.clear();
  }

  /** The permits of a replica's attempts that are under way; of its others no more is known. */
  Map<Long, Permit<String>> claim(String who, List<Long> underWay) {
    var claimed = new HashMap<Long, Permit<String>>();
    for (var each : List.copyOf(unclaimed.keySet())) {
      if (each.who().equals(who)) {
        var permit = Objects.requireNonNull(unclaimed.remove(each));
        if (underWay.contains(each.number())) {
          claimed.put(each.number(), permit);
        } else {
          permit.lost();
        }
      }
    }
    return claimed;
  }

  /** Something happened that the next keeper should know of. */
  void happened(String who, FleetMessage.OfPast what) {
    past.add(time.nanos(), who, what);
    untold++;
  }

  // ---- what waits and goes ----

  private Call call(Tenant tenant, Estimate estimate, String kind, Priority priority) {
    return Call.to(id).estimated(estimate).kind(kind).priority(priority).on(tenant);
  }

  /** Gives a call that waits somewhere its place. */
  Waiter<String> enter(Tenant tenant, FleetMessage.Wanted wanted, Runnable wake) {
    long patience = Math.clamp(wanted.patienceMillis(), 0, Duration.ofDays(366).toMillis());
    var priority = new Priority(Duration.ofMillis(patience));
    return flyball.enter(call(tenant, wanted.estimate(), wanted.kind(), priority), wake);
  }

  void close() {
    flyball.drain();
  }

  // ---- what is told of it ----

  /**
   * How it stands.
   *
   * @param news what happened since it was told last
   * @param all what happened, as far as it is kept
   * @param tooMuch whether so much happened that the news are not all of it
   */
  record Report(
      LearnedLimits.OfLane learned,
      String waitsFor,
      List<FleetMessage.Past> news,
      List<FleetMessage.Past> all,
      boolean tooMuch) {
    /** For one of those who use the lane. */
    FleetMessage.Standing to(int lane, boolean knowsPast) {
      boolean anew = !knowsPast || tooMuch;
      return new FleetMessage.Standing(lane, learned, waitsFor, anew ? all : news, anew);
    }
  }

  Report report() {
    var learned = flyball.memory().of(id).orElse(LearnedLimits.OfLane.NOTHING);
    var snapshot = snapshot();
    var waits =
        snapshot == null
            ? Constraint.SHARED.name()
            : snapshot.waitingFor().map(Constraint::name).orElse(Constraint.SHARED.name());
    long now = time.nanos();
    boolean tooMuch = untold > MOST_TOLD;
    var report =
        new Report(learned, waits, past.told(now, untold), past.told(now, MOST_TOLD), tooMuch);
    untold = 0;
    return report;
  }

  private @Nullable LaneSnapshot snapshot() {
    var lanes = flyball.snapshot().lanes();
    return lanes.isEmpty() ? null : lanes.getFirst();
  }

  FleetView.Shared view() {
    var lane = snapshot();
    if (lane == null) {
      return new FleetView.Shared(
          id.toString(), 0, 0, Optional.empty(), Optional.empty(), List.of());
    }
    var limits = new ArrayList<FleetView.Limit>();
    for (var gauge : lane.gauges()) {
      limits.add(
          new FleetView.Limit(
              gauge.dimension().toString(),
              gauge.limit().orElse(0),
              gauge.perSecond(),
              gauge.level()));
    }
    if (lane.pacePerSecond() > 0) {
      limits.add(new FleetView.Limit("requests (felt)", 0, lane.pacePerSecond(), 0));
    }
    return new FleetView.Shared(
        id.toString(),
        lane.inFlight(),
        lane.waiting(),
        lane.waitingFor().map(Constraint::name),
        lane.waitLeft().map(left -> left.toMillis() / 1000.0),
        limits);
  }
}
