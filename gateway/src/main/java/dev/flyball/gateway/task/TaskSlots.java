package dev.flyball.gateway.task;

import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * The room for tasks of this process: so many slots, and a queue with so many places.
 *
 * <p>One counter for all who ask, over whichever protocol. Check and increment are one step under
 * one lock, a slot is an object that can be given back once, and what is decided under the lock is
 * told outside of it. The limit is a checked number that may be replaced while tasks run: those
 * that run go on, and new ones wait until there is room below the new limit.
 *
 * <p>Who waits is served by turns of tenants: a tenant's next turn comes 1 ÷ weight after its last,
 * so that one who queues a hundred tasks does not shut out one who queues a single one.
 */
final class TaskSlots {
  private static final Duration UNKNOWN = Duration.ofSeconds(30);
  private static final double JITTER = 0.5;
  private static final int NEAR = 50;
  private static final int NOW_AND_THEN = 20;

  /** Whoever waits in the queue. Told outside of every lock, by any thread. */
  interface Turn {
    /** There is a slot now; it has to be given back. */
    void granted(Slot slot);

    /** The place in the queue has become this one. */
    void moved(Position position);

    /** Nothing more is let in. */
    void drained();
  }

  /**
   * Where somebody stands.
   *
   * @param place 1 is next
   * @param eta when it may be their turn, if that is known
   */
  record Position(int place, Optional<Duration> eta) {}

  /** The answer to whoever asks. */
  sealed interface Entry {}

  /** There is room. */
  record Granted(Slot slot) implements Entry {}

  /** There will be. */
  record Queued(Place place, Position position) implements Entry {}

  /** There is none, and no place to wait. */
  record Full(FullHouse house) implements Entry {}

  /** The same is running already. */
  record Running(String taskId) implements Entry {}

  /** Nothing new is let in. */
  record Draining(Duration retryAfter) implements Entry {}

  /**
   * What asks for room.
   *
   * @param key the same for requests that must not run at the same time
   */
  record Asking(String taskId, String key, Tenant tenant) {}

  private final Time time;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, String> running = new HashMap<>();
  private final Map<String, Integer> ofTenant = new HashMap<>();
  private final TreeSet<Place> queue =
      new TreeSet<>(
          Comparator.comparingDouble((Place place) -> place.tag)
              .thenComparingLong(place -> place.number));
  private final Map<String, Double> tags = new HashMap<>();
  private final DrainRate rate = new DrainRate();
  private int limit;
  private int mostQueued;
  private OptionalInt mostOfTenant;
  private int inFlight;
  private boolean draining;
  private double turn;
  private long numbers;
  private long steps;

  TaskSlots(
      TaskLimit limit,
      int mostQueued,
      OptionalInt mostOfTenant,
      Time time,
      RandomGenerator random) {
    this.limit = limit.tasks();
    this.mostQueued = mostQueued;
    this.mostOfTenant = mostOfTenant;
    this.time = time;
    this.random = random;
  }

  /** The room that one running task takes up. */
  final class Slot {
    private final Asking asking;
    private final long began;
    private boolean back;

    private Slot(Asking asking, long began) {
      this.asking = asking;
      this.began = began;
    }

    /** Gives it back; a second time does nothing. */
    void giveBack() {
      List<Runnable> told;
      lock.lock();
      try {
        if (back) {
          return;
        }
        back = true;
        inFlight--;
        rate.ended(began, time.nanos());
        left(asking);
        told = advance();
      } finally {
        lock.unlock();
      }
      told.forEach(Runnable::run);
    }
  }

  /** A place in the queue. */
  final class Place {
    private final Asking asking;
    private final Turn whose;
    private final double tag;
    private final long number;
    private final long since;

    private Place(Asking asking, Turn whose, double tag, long number, long since) {
      this.asking = asking;
      this.whose = whose;
      this.tag = tag;
      this.number = number;
      this.since = since;
    }

    /** Leaves the queue; false if it was left already, for a slot or because nothing goes on. */
    boolean leave() {
      List<Runnable> told;
      lock.lock();
      try {
        if (!queue.remove(this)) {
          return false;
        }
        left(asking);
        told = moves();
      } finally {
        lock.unlock();
      }
      told.forEach(Runnable::run);
      return true;
    }
  }

  /**
   * Asks for a slot, or for a place in the queue.
   *
   * @param whose told what becomes of the place, perhaps before this returns
   */
  Entry enter(Asking asking, Turn whose) {
    lock.lock();
    try {
      var same = running.get(asking.key());
      if (same != null) {
        return new Running(same);
      }
      if (draining) {
        return new Draining(jittered(Duration.ofSeconds(2)));
      }
      var tenant = asking.tenant().name();
      int theirs = ofTenant.getOrDefault(tenant, 0);
      if (mostOfTenant.isPresent() && theirs >= mostOfTenant.getAsInt()) {
        return new Full(
            house(
                FullHouse.CapacityScope.TENANT, mostOfTenant.getAsInt(), theirs, queue.size() + 1));
      }
      if (inFlight < limit && queue.isEmpty()) {
        came(asking);
        return new Granted(slot(asking));
      }
      if (queue.size() >= mostQueued) {
        return new Full(house(FullHouse.CapacityScope.POD, limit, inFlight, queue.size() + 1));
      }
      came(asking);
      double tag = Math.max(turn, tags.getOrDefault(tenant, 0.0)) + 1 / asking.tenant().weight();
      tags.put(tenant, tag);
      var place = new Place(asking, whose, tag, numbers++, time.nanos());
      queue.add(place);
      return new Queued(place, position(queue.headSet(place, true).size()));
    } finally {
      lock.unlock();
    }
  }

  /** Whether anybody who asks now would be sent away; a look, and no promise. */
  Optional<FullHouse> full() {
    lock.lock();
    try {
      boolean room = (inFlight < limit && queue.isEmpty()) || queue.size() < mostQueued;
      return room
          ? Optional.empty()
          : Optional.of(house(FullHouse.CapacityScope.POD, limit, inFlight, queue.size() + 1));
    } finally {
      lock.unlock();
    }
  }

  /** Waiting was for nothing: what somebody is told whose patience in the queue is over. */
  FullHouse house() {
    lock.lock();
    try {
      return house(FullHouse.CapacityScope.POD, limit, inFlight, queue.size() + 1);
    } finally {
      lock.unlock();
    }
  }

  /** Lets in up to another limit from now on. */
  void change(TaskLimit other, int queued, OptionalInt tenant) {
    List<Runnable> told;
    lock.lock();
    try {
      limit = other.tasks();
      mostQueued = queued;
      mostOfTenant = tenant;
      told = advance();
    } finally {
      lock.unlock();
    }
    told.forEach(Runnable::run);
  }

  /** Lets nothing more in; who waits is told so, who runs goes on. */
  void drain() {
    var told = new ArrayList<Runnable>();
    lock.lock();
    try {
      draining = true;
      for (var place : queue) {
        left(place.asking);
        told.add(place.whose::drained);
      }
      queue.clear();
    } finally {
      lock.unlock();
    }
    told.forEach(Runnable::run);
  }

  boolean isDraining() {
    lock.lock();
    try {
      return draining;
    } finally {
      lock.unlock();
    }
  }

  /** How it stands. */
  TaskCounts.Room room() {
    lock.lock();
    try {
      long oldest = queue.stream().mapToLong(place -> place.since).min().orElse(time.nanos());
      return new TaskCounts.Room(
          inFlight, limit, queue.size(), Duration.ofNanos(time.nanos() - oldest));
    } finally {
      lock.unlock();
    }
  }

  private Slot slot(Asking asking) {
    inFlight++;
    long now = time.nanos();
    rate.began(now);
    return new Slot(asking, now);
  }

  private void came(Asking asking) {
    running.put(asking.key(), asking.taskId());
    ofTenant.merge(asking.tenant().name(), 1, Integer::sum);
  }

  private void left(Asking asking) {
    running.remove(asking.key(), asking.taskId());
    ofTenant.computeIfPresent(
        asking.tenant().name(), (name, count) -> count == 1 ? null : count - 1);
  }

  /** Gives slots to those who wait; returns whom to tell. */
  private List<Runnable> advance() {
    var told = new ArrayList<Runnable>();
    while (!queue.isEmpty() && inFlight < limit) {
      var next = queue.pollFirst();
      turn = next.tag;
      var slot = slot(next.asking);
      told.add(() -> next.whose.granted(slot));
    }
    if (!told.isEmpty()) {
      told.addAll(moves());
    }
    if (queue.isEmpty()) {
      tags.clear();
      turn = 0;
    }
    return told;
  }

  /** Those near the front hear of each step, the others now and then. */
  private List<Runnable> moves() {
    var told = new ArrayList<Runnable>();
    boolean all = ++steps % NOW_AND_THEN == 0;
    int at = 0;
    for (var place : queue) {
      if (++at > NEAR && !all) {
        break;
      }
      var position = position(at);
      told.add(() -> place.whose.moved(position));
    }
    return told;
  }

  private Position position(int place) {
    return new Position(place, rate.until(place, limit, time.nanos()));
  }

  private FullHouse house(FullHouse.CapacityScope scope, int most, int now, int ahead) {
    var wait = rate.until(ahead, limit, time.nanos()).map(this::jittered).orElse(UNKNOWN);
    return new FullHouse(scope, most, now, wait);
  }

  /** Up to half as long again, so that those who were sent away together do not come together. */
  private Duration jittered(Duration wait) {
    return wait.plusMillis((long) (wait.toMillis() * JITTER * random.nextDouble()));
  }
}
