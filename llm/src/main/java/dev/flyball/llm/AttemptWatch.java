package dev.flyball.llm;

import dev.flyball.call.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of one attempt, which is cut when one of them runs out. The idle clock ticks four
 * times in its time and is wound up by every piece that comes, so nobody has to read the time.
 */
final class AttemptWatch implements AutoCloseable {
  private static final int TICKS = 4;
  private static final Duration CLOSING = Duration.ofMillis(500);

  private final ScheduledThreadPoolExecutor timer;
  private final Timeouts timeouts;
  private final Runnable cut;
  private final Future<?> total;
  private volatile Future<?> step;
  private volatile boolean connected;
  private volatile int quietTicks;
  private volatile @Nullable String ranOut;

  AttemptWatch(ScheduledThreadPoolExecutor timer, Timeouts timeouts, Runnable cut) {
    this.timer = timer;
    this.timeouts = timeouts;
    this.cut = cut;
    this.total = after(timeouts.total(), "did not end");
    this.step = after(timeouts.connect(), "had no connection");
  }

  private Future<?> after(Duration time, String failure) {
    return timer.schedule(() -> cut(failure, time), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cut(String failure, Duration time) {
    ranOut = failure + " within " + DurationText.of(time);
    cut.run();
  }

  /** The connection is there, and now something is sent on it. */
  void connected() {
    connected = true;
    step.cancel(false);
    step = after(timeouts.firstByte(), "had no first byte");
  }

  /** Whether anything may have been sent. */
  boolean hasConnected() {
    return connected;
  }

  /** The headers are there; from now on pieces must keep coming. */
  void headersCame() {
    step.cancel(false);
    long tick = Math.max(1, timeouts.idle().toNanos() / TICKS);
    // Not at a fixed rate: after the whole process stood still, all ticks would come at once.
    step = timer.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
  }

  /** The answer has said that it is whole; only the end of the connection's talk is left. */
  void answerEnded() {
    step.cancel(false);
    var rest = timeouts.idle().compareTo(CLOSING) < 0 ? timeouts.idle() : CLOSING;
    step = after(rest, "stayed open");
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
