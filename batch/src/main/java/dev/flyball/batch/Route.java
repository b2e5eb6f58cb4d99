package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.llm.Provider;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.run.Destination;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one class of models, and the lanes that take from them: one for each key. Lines come
 * off one cursor, so whichever lane has room takes the next.
 */
final class Route {
  /** How many calls of a lane stand in the scheduler's queue, enough for it to choose from. */
  private static final int WAITING = 64;

  private static final int WAITING_OF_SEVERAL = 16;

  final String name;

  /** Whose prices count. */
  final String provider;

  /** How the provider counts. */
  final String style;

  final LaneProfile profile;
  final List<KeyLane> lanes;
  private final ReentrantLock lock = new ReentrantLock();
  private LineIndex.@Nullable Cursor cursor;
  private volatile boolean shut;

  Route(String name, String provider, String modelClass, Destination to, LaneProfile profile) {
    this.name = name;
    this.provider = provider;
    this.style = to.style();
    this.profile = profile;
    int waiting = to.providers().size() == 1 ? WAITING : WAITING_OF_SEVERAL;
    this.lanes =
        to.providers().stream()
            .map(each -> new KeyLane(to.lane(each, modelClass), each, profile, waiting))
            .toList();
  }

  /** The provider as the history names it, wherever it is. */
  String asked() {
    return lanes.getFirst().provider.endpoint().provider();
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

  /**
   * Whether a lane is not needed, because a key before it is of the same organisation; known when
   * both had a reply.
   */
  boolean merges(KeyLane lane) throws InterruptedException {
    lane.awaitFirstReply();
    for (var earlier : lanes.subList(0, lanes.indexOf(lane))) {
      earlier.awaitFirstReply();
      if (earlier.sharesLimits(lane)) {
        return true;
      }
    }
    return false;
  }

  /** Nothing more is taken; the provider refuses all of it. */
  void shut() {
    shut = true;
  }

  /** One lane of a route: its models under one key. */
  static final class KeyLane {
    final LaneId id;
    final Provider provider;
    final Semaphore waiting;
    final LeastTimeSum bound;
    private final AtomicBoolean replied = new AtomicBoolean();
    private final CountDownLatch known = new CountDownLatch(1);
    private volatile String organisation = "";
    private volatile @Nullable Thread feeder;

    KeyLane(LaneId id, Provider provider, LaneProfile profile, int waiting) {
      this.id = id;
      this.provider = provider;
      this.waiting = new Semaphore(waiting);
      this.bound = new LeastTimeSum(profile);
    }

    /** Whoever brings it lines. */
    void feeder(Thread thread) {
      feeder = thread;
    }

    /** No more lines are to be brought. */
    void stopFeeding() {
      var thread = feeder;
      if (thread != null) {
        thread.interrupt();
      }
    }

    boolean replied() {
      return replied.get();
    }

    /** Notes whose key it is. */
    void came(ReplyHead head) {
      if (replied.compareAndSet(false, true)) {
        organisation =
            head.first("anthropic-organization-id")
                .or(() -> head.first("openai-organization"))
                .orElse("");
        known.countDown();
      }
    }

    /** Whoever waits for the first reply need not wait on. */
    void give() {
      known.countDown();
    }

    private void awaitFirstReply() throws InterruptedException {
      known.await();
    }

    /** Whether both keys are of one organisation, and so share its limits. */
    boolean sharesLimits(KeyLane other) {
      return !organisation.isEmpty() && organisation.equals(other.organisation);
    }
  }
}
