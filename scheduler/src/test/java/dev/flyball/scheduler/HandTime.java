package dev.flyball.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A clock for tests with real threads: it stands still until somebody moves its hands. */
final class HandTime implements Time {
  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Ring> rings =
      new PriorityQueue<>((one, other) -> Long.compare(one.at, other.at));
  private volatile long now;

  private static final class Ring {
    final long at;
    final Runnable what;

    Ring(long at, Runnable what) {
      this.at = at;
      this.what = what;
    }
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Instant wall() {
    return Instant.EPOCH.plusNanos(now);
  }

  @Override
  public Alarm alarm(long at, Runnable ring) {
    var alarm = new Ring(at, ring);
    lock.lock();
    try {
      rings.add(alarm);
    } finally {
      lock.unlock();
    }
    return () -> silence(alarm);
  }

  private void silence(Ring alarm) {
    lock.lock();
    try {
      rings.remove(alarm);
    } finally {
      lock.unlock();
    }
  }

  /** Moves the hands; whatever is due rings on this thread. */
  void pass(Duration time) {
    long until = now + time.toNanos();
    for (var ring = next(until); ring != null; ring = next(until)) {
      now = Math.max(now, ring.at);
      ring.what.run();
    }
    now = until;
  }

  private @Nullable Ring next(long until) {
    lock.lock();
    try {
      var first = rings.peek();
      return first == null || first.at > until ? null : rings.remove();
    } finally {
      lock.unlock();
    }
  }
}
