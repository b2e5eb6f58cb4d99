package dev.flyball.scheduler;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts the attempt of a call whose time is over, and nothing else of its thread. */
final class AttemptDeadline implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Time.@Nullable Alarm alarm;
  private boolean ended;
  private boolean cut;

  AttemptDeadline(long deadline, Time time) {
    var thread = Thread.currentThread();
    alarm = deadline == Long.MAX_VALUE ? null : time.alarm(deadline, () -> cut(thread));
  }

  private void cut(Thread thread) {
    lock.lock();
    try {
      if (!ended) {
        cut = true;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The attempt is over; true when it was cut. An interrupt of ours is not left behind. */
  boolean end() {
    lock.lock();
    try {
      if (!ended && cut) {
        Thread.interrupted();
      }
      ended = true;
      return cut;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    end();
    if (alarm != null) {
      alarm.silence();
    }
  }
}
