package dev.flyball.scheduler;

import java.util.List;
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
