package dev.flyball.llm;

import dev.flyball.call.Words;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches one attempt and cuts it when one of its clocks runs out. The idle clock ticks four times
 * in its time and is wound up by every piece that comes, so nobody has to read the time.
 */
final class Watch implements AutoCloseable {
  private static final int TICKS = 4;

  private final ScheduledThreadPoolExecutor timer;
  private final Timeouts timeouts;
  private final Runnable cut;
  private final Future<?> total;
  private volatile Future<?> step;
  private volatile int quietTicks;
  private volatile @Nullable String ranOut;

  Watch(ScheduledThreadPoolExecutor timer, Timeouts timeouts, Runnable cut) {
    this.timer = timer;
    this.timeouts = timeouts;
    this.cut = cut;
    this.total = after(timeouts.total(), "did not end");
    this.step = after(timeouts.firstByte(), "had no first byte");
  }

  private Future<?> after(Duration time, String what) {
    return timer.schedule(() -> cut(what, time), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cut(String what, Duration time) {
    ranOut = what + " within " + Words.of(time);
    cut.run();
  }

  /** The headers are there; from now on pieces must keep coming. */
  void headersCame() {
    step.cancel(false);
    long tick = timeouts.idle().toNanos() / TICKS;
    step = timer.scheduleAtFixedRate(this::tick, tick, tick, TimeUnit.NANOSECONDS);
  }

  void pieceCame() {
    quietTicks = 0;
  }

  // Only the timer's thread counts up; a piece that comes just then gets one tick less.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void tick() {
    if (++quietTicks > TICKS) {
      cut("stood still", timeouts.idle());
    }
  }

  /** Which clock ran out, if one did. */
  Optional<String> ranOut() {
    return Optional.ofNullable(ranOut);
  }

  @Override
  public void close() {
    total.cancel(false);
    step.cancel(false);
  }
}
