package dev.flyball.fleet;

import dev.flyball.call.LaneId;
import dev.flyball.scheduler.SharedLimit;
import dev.flyball.scheduler.Time;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One who takes part in a fleet: a scheduler, whose lanes go by the departures that the keeper
 * gives. Alone it goes by its own limits, as if there were no fleet; cut off from the keeper, by
 * its part of what the fleet had learned.
 *
 * <p>Its lock is taken under those of lanes and never the other way round; lanes are told that
 * something changed and ask a little later.
 */
final class Replica implements SharedLimit {
  /** How a replica stands. */
  enum Standing {
    /** Nobody else is there. */
    ALONE,
    /** It goes by departures. */
    SHARING,
    /** It was in a fleet and cannot reach it. */
    CUT_OFF
  }

  /** The way to the keeper. Messages arrive in order or not at all, and sending never blocks. */
  @FunctionalInterface
  interface Post {
    void send(FleetMessage.ToKeeper message);
  }

  private static final long LOOK_EVERY = 500_000_000L;
  private static final Post NOWHERE = message -> {};

  final Time time;
  final ReentrantLock lock = new ReentrantLock();
  private final String who;
  private final String name;
  private final double weight;
  private final Map<LaneId, ReplicaLane> lanes = new LinkedHashMap<>();
  private final Consumer<Standing> news;
  private volatile Standing standing = Standing.ALONE;
  private Post post = NOWHERE;

  /** Whether the keeper is this process. */
  private boolean itself;

  /** What to do when the keeper is silent. */
  private Runnable lost = () -> {};

  /** How long it takes from asking to a departure at most, where many wait, in seconds. */
  private volatile double roundTrip;

  private long silence = Long.MAX_VALUE;
  private long heard;
  private boolean watching;
  private boolean pinged;
  private int count = 1;
  private int rank;

  /** When it was cut off. */
  private long cutOffAt;

  /** How long departures may still be under way that others have. */
  private long settling;

  /**
   * A replica that is alone.
   *
   * @param who a name that nobody else has or will have
   * @param name host and process, for people
   * @param weight of its share
   * @param news is told when its standing changes; must not block
   */
  Replica(Time time, String who, String name, double weight, Consumer<Standing> news) {
    this.time = time;
    this.who = who;
    this.name = name;
    this.weight = weight;
    this.news = news;
  }

  @Override
  public OfLane open(LaneId id, SharedLane own) {
    lock.lock();
    try {
      var lane = new ReplicaLane(this, lanes.size(), id, own);
      lanes.put(id, lane);
      if (standing == Standing.SHARING) {
        // What the lane is made of is not to be asked while it opens.
        time.alarm(time.nanos(), () -> announce(lane));
      }
      return lane;
    } finally {
      lock.unlock();
    }
  }

  private void announce(ReplicaLane lane) {
    var learned = lane.learnedByItself();
    lock.lock();
    try {
      if (standing == Standing.SHARING && !lane.announced()) {
        post.send(lane.announce(learned, itself));
      }
    } finally {
      lock.unlock();
    }
    lane.changed();
  }

  Standing standing() {
    return standing;
  }

  int count() {
    return count;
  }

  int rank() {
    return rank;
  }

  String who() {
    return who;
  }

  /** How many calls more are to be asked for in time, of a lane in which so many go in a second. */
  int ahead(int inASecond) {
    return (int) (inASecond * roundTrip);
  }

  /** From asking to a departure it takes so many seconds at most now, where many wait. */
  void roundTrip(double seconds) {
    roundTrip = seconds;
  }

  long cutOffAt() {
    return cutOffAt + settling;
  }

  void send(FleetMessage.ToKeeper message) {
    post.send(message);
  }

  // ---- who is there; told without any lock ----

  /** Nobody else is there. */
  void alone() {
    stand(Standing.ALONE, () -> count = 1);
  }

  /**
   * A keeper can be talked to.
   *
   * @param way to it
   * @param seconds how long it takes at most from asking to a departure that may be had at once
   * @param silent how long it may say nothing, though it was asked, until it counts as lost
   * @param whenLost what to do then; not under a lock
   */
  void join(Post way, double seconds, long silent, Runnable whenLost) {
    join(way, seconds, silent, whenLost, false);
  }

  /**
   * This process is keeper now, and takes part in its own fleet.
   *
   * @param way to its keeper
   * @param seconds how long it takes at most from asking to a departure that may be had at once
   */
  void joinItself(Post way, double seconds) {
    join(way, seconds, Long.MAX_VALUE, () -> {}, true);
  }

  private void join(Post way, double seconds, long silent, Runnable whenLost, boolean ofItself) {
    List<ReplicaLane> all;
    lock.lock();
    try {
      all = List.copyOf(lanes.values());
    } finally {
      lock.unlock();
    }
    var learned = new LinkedHashMap<ReplicaLane, dev.flyball.call.LearnedLimits.OfLane>();
    all.forEach(lane -> learned.put(lane, lane.learnedByItself()));
    stand(
        Standing.SHARING,
        () -> {
          post = way;
          itself = ofItself;
          roundTrip = seconds;
          lost = whenLost;
          silence = silent;
          heard = time.nanos();
          pinged = false;
          var opened =
              learned.entrySet().stream()
                  .map(each -> each.getKey().announce(each.getValue(), ofItself))
                  .toList();
          way.send(new FleetMessage.Hello(FleetMessage.VERSION, who, name, weight, opened));
        });
  }

  /**
   * The keeper cannot be talked to, or is silent.
   *
   * @param others how long departures may still be used that others have, in nanoseconds
   */
  void cutOff(long others) {
    if (standing == Standing.SHARING) {
      stand(
          Standing.CUT_OFF,
          () -> {
            post = NOWHERE;
            cutOffAt = time.nanos();
            settling = others;
            lanes.values().forEach(ReplicaLane::cutOff);
          });
    }
  }

  /**
   * The fleet could not be found; so many took part when it was there last.
   *
   * @param replicas with this one
   */
  void cutOffFromTheStart(int replicas) {
    stand(
        Standing.CUT_OFF,
        () -> {
          count = Math.max(1, replicas);
          rank = Math.floorMod(who.hashCode(), count);
          cutOffAt = time.nanos();
        });
  }

  private void stand(Standing next, Runnable change) {
    List<ReplicaLane> all;
    boolean isNews;
    lock.lock();
    try {
      isNews = standing != next;
      standing = next;
      change.run();
      all = List.copyOf(lanes.values());
    } finally {
      lock.unlock();
    }
    all.forEach(ReplicaLane::changed);
    if (isNews) {
      news.accept(next);
    }
  }

  /** The keeper says something. */
  void receive(FleetMessage.ToReplica message) {
    ReplicaLane changed = null;
    lock.lock();
    try {
      heard = time.nanos();
      pinged = false;
      if (standing == Standing.SHARING) {
        switch (message) {
          case FleetMessage.Members(var all, var place) -> {
            count = Math.max(1, all);
            rank = place;
          }
          case FleetMessage.Go(var handle, var departures) -> {
            changed = lane(handle);
            if (changed != null) {
              changed.given(departures);
            }
          }
          case FleetMessage.Standing stands -> {
            var lane = lane(stands.lane());
            if (lane != null) {
              lane.stands(stands);
            }
          }
          case FleetMessage.Again(var handle, var number) -> {
            var lane = lane(handle);
            if (lane != null) {
              lane.again(number);
            }
          }
          case FleetMessage.Shown shown -> {}
          case FleetMessage.Refused refused -> {}
        }
      }
    } finally {
      lock.unlock();
    }
    if (changed != null) {
      changed.changed();
    }
  }

  private @Nullable ReplicaLane lane(int handle) {
    for (var lane : lanes.values()) {
      if (lane.handle() == handle) {
        return lane;
      }
    }
    return null;
  }

  /** Something was asked: from now on the keeper is not to be silent for long. Under the lock. */
  void watch() {
    if (!watching && silence != Long.MAX_VALUE) {
      watching = true;
      heard = time.nanos();
      time.alarm(time.nanos() + LOOK_EVERY, this::lookAfterKeeper);
    }
  }

  private void lookAfterKeeper() {
    Runnable then = null;
    lock.lock();
    try {
      boolean asked = lanes.values().stream().anyMatch(ReplicaLane::expects);
      watching = asked && standing == Standing.SHARING;
      if (watching) {
        long quiet = time.nanos() - heard;
        if (pinged && quiet > silence) {
          watching = false;
          then = lost;
        } else {
          if (quiet > silence / 3) {
            pinged = true;
            post.send(new FleetMessage.Ping());
          }
          time.alarm(time.nanos() + LOOK_EVERY, this::lookAfterKeeper);
        }
      }
    } finally {
      lock.unlock();
    }
    if (then != null) {
      then.run();
    }
  }
}
