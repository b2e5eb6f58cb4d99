package dev.flyball.fleet;

import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.SharedLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One replica's part of a lane: the calls it has asked departures for, those it was given, and what
 * is under way.
 *
 * <p>A departure is for whoever is first in order among the calls that are no larger than the one
 * it was asked for. So a call that comes later and is more urgent takes the next one, and who tries
 * again keeps nobody waiting. One that nobody used within {@link #LATE} of its moment is given up.
 */
final class ReplicaLane implements SharedLimit.OfLane {
  /** How late a departure may be used. */
  static final long LATE = 250_000_000L;

  /** Of its own attempts a replica tells a new keeper no more. */
  private static final int MOST_OWN = 100;

  private static final long RECENT = 30_000_000_000L;
  private static final int MOST_OF_ALL = 500;
  private static final long PAST = 300_000_000_000L;

  private static final long ASK_AGAIN_AFTER = 1_000_000_000L;

  /** Added to all patience, in milliseconds, so that who has waited longer is before the others. */
  private static final long AGE = 30L * 24 * 3600 * 1000;

  private static final int DEEP = 32;
  private static final int DEEPEST = 512;

  /** A call that was asked for. */
  private record Asked(AttemptKey key, FleetMessage.Wanted wanted) {}

  /** An attempt that went at a moment. */
  private record Gone(FleetMessage.Went went, long at) {}

  private final Replica replica;
  private final int handle;
  private final LaneId id;
  private final SharedLimit.SharedLane own;

  private final Map<Long, Asked> asked = new LinkedHashMap<>();
  private final GivenDepartures departures = new GivenDepartures();
  private final Map<AttemptKey, Gone> gone = new LinkedHashMap<>();

  /** What all have done, as far as it was told, or as far as there was nobody else. */
  private final LanePast past = new LanePast(MOST_OF_ALL, PAST);

  /** What this replica has done since there were others. */
  private final LanePast mine = new LanePast(MOST_OWN, RECENT);

  private long numbers;
  private boolean announced;
  private Optional<LearnedLimits.OfLane> learned = Optional.empty();
  private volatile Constraint waitsFor = Constraint.SHARED;

  /** Nothing is asked before then. */
  private long quietUntil = Long.MIN_VALUE;

  /** How many departures came in this second, and in the one before. */
  private long second;

  private int given;
  private int givenBefore;

  private @Nullable SafeShare safe;

  ReplicaLane(Replica replica, int handle, LaneId id, SharedLimit.SharedLane own) {
    this.replica = replica;
    this.handle = handle;
    this.id = id;
    this.own = own;
  }

  int handle() {
    return handle;
  }

  void changed() {
    own.changed();
  }

  boolean announced() {
    return announced;
  }

  /** Not to be called under a lock. */
  LearnedLimits.OfLane learnedByItself() {
    return own.learned();
  }

  // ---- under the replica's lock ----

  /**
   * What a keeper is told who knows nothing of this lane.
   *
   * @param byItself what the lane had learned alone
   * @param itself whether the keeper is this process: only it is told what went before
   */
  FleetMessage.Open announce(LearnedLimits.OfLane byItself, boolean itself) {
    announced = true;
    asked.clear();
    departures.clear();
    safe = null;
    long now = replica.time.nanos();
    var told = new ArrayList<FleetMessage.Past>();
    if (itself) {
      told.addAll(past.told(now));
    }
    told.addAll(mine.told(now));
    var underWay = new ArrayList<Long>();
    for (var each : gone.values()) {
      underWay.add(each.went().number());
      told.add(new FleetMessage.Past(now - each.at(), replica.who(), each.went()));
    }
    boolean first = itself && past.isWhole() && learned.isEmpty();
    var before = first ? own.remembered() : learned.orElse(byItself);
    return new FleetMessage.Open(handle, id, own.profile(), before, told, underWay);
  }

  private void happened(FleetMessage.OfPast what, long now) {
    (holds() ? mine : past).add(now, replica.who(), what);
  }

  void cutOff() {
    announced = false;
    asked.clear();
    departures.clear();
    safe = null;
  }

  /** The pace while it is cut off, by what the fleet had learned, or what was remembered of it. */
  private SafeShare safely() {
    var pace = safe;
    if (pace == null) {
      var known = learned.orElseGet(own::remembered);
      pace = new SafeShare(replica, own.profile(), known, replica.cutOffAt());
      safe = pace;
    }
    return pace;
  }

  boolean expects() {
    return !asked.isEmpty() || !gone.isEmpty();
  }

  void given(List<FleetMessage.Departure> came) {
    long now = replica.time.nanos();
    for (var departure : came) {
      var wanted = asked.remove(departure.number());
      if (wanted == null) {
        drop(List.of(departure.number()), false);
        continue;
      }
      long at = departure.at() == 0 ? now : departure.at();
      var estimate = wanted.wanted().estimate();
      departures.add(new GivenDepartures.Given(departure.number(), at, wanted.key(), estimate));
      count(now);
    }
  }

  private void count(long now) {
    long in = now / 1_000_000_000L;
    if (in != second) {
      givenBefore = in == second + 1 ? given : 0;
      given = 0;
      second = in;
    }
    given++;
  }

  void again(long number) {
    if (asked.remove(number) != null) {
      quietUntil = replica.time.nanos() + ASK_AGAIN_AFTER;
      replica.time.alarm(quietUntil, own::changed);
    }
  }

  void stands(FleetMessage.Standing standing) {
    learned = Optional.of(standing.learned());
    var waits = standing.waitsFor();
    waitsFor = waits.equals(Constraint.TURN.name()) ? Constraint.SHARED : new Constraint(waits);
    if (standing.anew()) {
      past.forget();
    }
    past.add(standing.past(), replica.time.nanos());
  }

  private void tell(FleetMessage.ToKeeper message) {
    if (replica.standing() == Replica.Standing.SHARING) {
      replica.send(message);
      if (message instanceof FleetMessage.Ended) {
        replica.watch();
      }
    }
  }

  private void drop(List<Long> dropped, boolean late) {
    replica.send(new FleetMessage.Drop(handle, dropped, late));
  }

  // ---- under the lane's lock, which is taken first ----

  @Override
  public boolean holds() {
    return replica.standing() != Replica.Standing.ALONE;
  }

  @Override
  public boolean paces(dev.flyball.call.Dimension dimension) {
    return true;
  }

  @Override
  public int deep() {
    return Math.min(DEEPEST, DEEP + replica.ahead(Math.max(given, givenBefore)));
  }

  @Override
  public Constraint waitsFor() {
    return waitsFor;
  }

  @Override
  public Optional<LearnedLimits.OfLane> learned() {
    replica.lock.lock();
    try {
      return holds() ? learned : Optional.empty();
    } finally {
      replica.lock.unlock();
    }
  }

  @Override
  public List<OptionalLong> moments(List<SharedLimit.SharedCall> next, int waiting, long now) {
    replica.lock.lock();
    try {
      if (replica.standing() == Replica.Standing.CUT_OFF) {
        return safely().moments(next, gone.size(), now);
      }
      giveUpLate(now);
      departures.match(next);
      ask(next, waiting, now);
      return next.stream().map(AttemptKey::of).map(departures::moment).toList();
    } finally {
      replica.lock.unlock();
    }
  }

  private void giveUpLate(long now) {
    var late = departures.late(now - LATE);
    if (!late.isEmpty()) {
      drop(late, true);
    }
  }

  /** Asks departures for those who have none, and asks no longer for those who are gone. */
  private void ask(List<SharedLimit.SharedCall> next, int waiting, long now) {
    if (now < quietUntil || replica.standing() != Replica.Standing.SHARING || !announced) {
      return;
    }
    var free = new ArrayList<>(asked.values());
    var calls = new ArrayList<FleetMessage.Wanted>(0);
    for (var one : next) {
      var key = AttemptKey.of(one);
      if (departures.has(key)) {
        continue;
      }
      var own = GivenDepartures.first(free, it -> it.key().equals(key));
      var covers =
          own == null
              ? GivenDepartures.first(free, it -> GivenDepartures.fits(one, it.wanted().estimate()))
              : own;
      if (covers != null) {
        free.remove(covers);
        continue;
      }
      var call = one.call();
      long patience = AGE + (one.due() - now) / 1_000_000;
      var ask = new FleetMessage.Wanted(numbers++, call.estimate(), call.kind(), patience);
      calls.add(ask);
      asked.put(ask.number(), new Asked(key, ask));
    }
    if (!calls.isEmpty()) {
      replica.send(new FleetMessage.Ask(handle, calls));
      replica.watch();
    }
    if (waiting == next.size() && !free.isEmpty()) {
      var surplus = free.stream().map(it -> it.wanted().number()).toList();
      surplus.forEach(asked::remove);
      drop(surplus, false);
    }
  }

  @Override
  public void departed(SharedLimit.SharedCall call, long now) {
    replica.lock.lock();
    try {
      var key = AttemptKey.of(call);
      var departure = departures.take(key);
      long number = departure == null ? numbers++ : departure.number();
      if (safe != null) {
        safe.departed(call.call(), now);
      }
      var size = call.call().estimate();
      var went = new FleetMessage.Went(handle, number, size, call.call().kind());
      gone.put(key, new Gone(went, now));
      happened(went, now);
    } finally {
      replica.lock.unlock();
    }
  }

  @Override
  public void sighted(SharedLimit.SharedCall call, Signals signals, long now) {
    replica.lock.lock();
    try {
      var under = gone.get(AttemptKey.of(call));
      if (under != null) {
        var headers = new FleetMessage.Headers(handle, under.went().number(), signals);
        happened(headers, now);
        tell(headers);
      }
    } finally {
      replica.lock.unlock();
    }
  }

  @Override
  public void settled(SharedLimit.SharedCall call, Reply<?> reply, long now) {
    replica.lock.lock();
    try {
      var over = gone.remove(AttemptKey.of(call));
      if (over == null) {
        return;
      }
      var ended = FleetMessage.ended(handle, over.went().number(), reply);
      happened(ended, now);
      tell(ended);
      if (safe != null) {
        safe.settled(reply);
      }
    } finally {
      replica.lock.unlock();
    }
  }

  @Override
  public void givenBack(SharedLimit.SharedCall call, long now) {
    replica.lock.lock();
    try {
      var over = gone.remove(AttemptKey.of(call));
      if (over != null) {
        var dropped = new FleetMessage.Drop(handle, List.of(over.went().number()), false);
        happened(dropped, now);
        tell(dropped);
      }
    } finally {
      replica.lock.unlock();
    }
  }
}
