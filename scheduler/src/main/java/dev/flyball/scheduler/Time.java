package dev.flyball.scheduler;

import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one seam at which the clock is read and waited for. A test brings its own. Thread-safe,
 * unless an implementation says otherwise.
 */
public interface Time {
  /** {@return nanoseconds of a clock that never goes back; only differences mean something} */
  long nanos();

  /** {@return the wall clock, for people; nothing is decided by it} */
  Instant wall();

  /**
   * Rings once, on some other thread, when {@link #nanos()} has reached a moment.
   *
   * @param at the moment; at once if it is past
   * @param ring what to do then; it is short and does not throw
   * @return the way to silence it
   */
  Alarm alarm(long at, Runnable ring);

  /** Something that will ring, unless it is silenced before. */
  @FunctionalInterface
  interface Alarm {
    /** Keeps it from ringing, if it has not begun to. */
    void silence();
  }

  /** {@return the machine's clock, with one daemon thread for all alarms of the process} */
  static Time system() {
    return SystemTime.ONLY;
  }

  /** The machine's clock. */
  final class SystemTime implements Time {
    private static final Time ONLY = new SystemTime();

    private final ScheduledThreadPoolExecutor ringer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("flyball-time").factory());

    private SystemTime() {
      ringer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public Instant wall() {
      return Instant.now();
    }

    @Override
    public Alarm alarm(long at, Runnable ring) {
      var alarm = ringer.schedule(ring, at - nanos(), TimeUnit.NANOSECONDS);
      return () -> alarm.cancel(false);
    }
  }
}
