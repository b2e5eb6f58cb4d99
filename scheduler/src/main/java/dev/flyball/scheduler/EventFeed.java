package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.limit.ReplyLessons;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The way of events from under the locks to listeners outside them, in order, on a thread of its
 * own. A listener that throws misses that event; when listeners are so slow that many events wait,
 * new ones are dropped and counted. Neither ever holds up a call.
 */
final class EventFeed {
  private static final int MOST_WAITING = 1 << 16;

  /** What a lane learned about its limits, as events for those who listen. */
  record LimitEvents(LaneId lane, EventFeed feed) implements ReplyLessons.Listener {
    @Override
    public void limitLearned(Dimension dimension, long limit) {
      if (feed.heard()) {
        feed.add(new Event.LimitLearned(lane, dimension, limit));
      }
    }

    @Override
    public void nearlyUsedUp(Dimension dimension) {
      if (feed.heard()) {
        var scarce = Optional.of(dimension);
        feed.add(new Event.LimitWarning(lane, Event.Warning.NEARLY_USED_UP, scarce));
      }
    }

    @Override
    public void concurrencyChanged(int limit) {
      if (feed.heard()) {
        feed.add(new Event.ConcurrencyChanged(lane, limit));
      }
    }

    @Override
    public void breakerChanged(BreakerState state) {
      if (feed.heard()) {
        feed.add(new Event.BreakerChanged(lane, state));
      }
    }
  }

  private final List<Consumer<? super Event>> listeners;
  private final Executor thread;
  private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicBoolean delivering = new AtomicBoolean();

  EventFeed(List<Consumer<? super Event>> listeners, Executor thread) {
    this.listeners = List.copyOf(listeners);
    this.thread = thread;
  }

  /** Whether anybody listens; events need not be made otherwise. */
  boolean heard() {
    return !listeners.isEmpty();
  }

  long dropped() {
    return dropped.get();
  }

  void add(Event event) {
    if (waiting.get() >= MOST_WAITING) {
      dropped.incrementAndGet();
    } else {
      waiting.incrementAndGet();
      events.add(event);
    }
  }

  /** Called outside every lock. */
  void deliver() {
    if (waiting.get() > 0 && delivering.compareAndSet(false, true)) {
      thread.execute(this::run);
    }
  }

  private void run() {
    for (var event = events.poll(); event != null; event = events.poll()) {
      waiting.decrementAndGet();
      var next = event;
      listeners.forEach(listener -> harmless(() -> listener.accept(next), "a listener"));
    }
    delivering.set(false);
    // What came between the last look and the flag would otherwise wait for the next event.
    deliver();
  }

  /** Runs what is not ours. Whatever it throws is logged, and that is all. */
  static void harmless(Runnable foreign, String what) {
    try {
      foreign.run();
    } catch (RuntimeException | Error broken) {
      logged(what, broken);
    }
  }

  static void logged(String what, Throwable broken) {
    System.getLogger("dev.flyball").log(System.Logger.Level.WARNING, what + " failed", broken);
  }
}
