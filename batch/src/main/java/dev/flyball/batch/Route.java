package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.run.Destination;
import dev.flyball.run.KeyLanes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one class of models, and the lanes in which they go: one for each key. Lines come
 * off one cursor and stand in one queue, and whichever lane can admit the next one takes it.
 */
final class Route {
  /** How many calls stand in the scheduler's queue, enough for it to choose from. */
  private static final int WAITING = 64;

  final String name;

  /** Whose prices count. */
  final String provider;

  /** How the provider counts. */
  final String style;

  final LaneProfile profile;
  final KeyLanes keys;

  /** Room for lines that stand in the scheduler's queue and have not been sent. */
  final Semaphore waiting = new Semaphore(WAITING);

  private final Map<LaneId, LeastTimeSum> bounds = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private LineIndex.@Nullable Cursor cursor;
  private volatile boolean shut;
  private volatile @Nullable Thread feeder;

  Route(String name, String provider, String modelClass, Destination to, LaneProfile profile) {
    this.name = name;
    this.provider = provider;
    this.style = to.style();
    this.profile = profile;
    this.keys = new KeyLanes(to, modelClass);
  }

  /** The provider as the history names it, wherever it is. */
  String asked() {
    return keys.first().provider().endpoint().provider();
  }

  void open(LineIndex.Cursor from) {
    cursor = from;
  }

  /** The next line, which nobody else gets. */
  Optional<LineIndex.Entry> take() throws IOException {
    lock.lock();
    try {
      return shut || cursor == null ? Optional.empty() : cursor.next();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more is taken; the provider refuses all of it. */
  void shut() {
    shut = true;
  }

  /** Nobody brings it lines any more. */
  void stopFeeding() {
    var thread = feeder;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Whoever brings it lines. */
  void feeder(Thread thread) {
    feeder = thread;
  }

  /** The least time that what was answered in a lane could have taken. */
  LeastTimeSum bound(LaneId lane) {
    return bounds.computeIfAbsent(lane, first -> new LeastTimeSum(profile));
  }

  /** Whether any of its keys ever had a reply. */
  boolean replied() {
    return keys.all().stream().anyMatch(KeyLanes.KeyLane::replied);
  }

  List<LaneId> lanes() {
    return keys.all().stream().map(KeyLanes.KeyLane::id).toList();
  }

  boolean has(LaneId lane) {
    return lanes().contains(lane);
  }
}
