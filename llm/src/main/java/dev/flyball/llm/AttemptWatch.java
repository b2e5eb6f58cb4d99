package dev.flyball.llm;

import dev.flyball.call.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of one attempt, which is cut when one of them runs out.
 *
 * <p>A body has three of them beside the total, because bytes alone are no progress: a server that
 * sends a blank a second would hold an attempt for as long as it likes. So pieces count by what
 * they bring. <em>Useful</em> are the bytes of a plain answer that are no blanks, and whole events
 * of a stream that are neither comments nor pings.
 *
 * <ul>
 *   <li>Nothing at all for the idle time: the connection is dead.
 *   <li>Nothing useful for the time that a first byte may take: models that think, and providers
 *       with a queue, send pings, comments or blank lines for many minutes, and are as good as one
 *       that has not answered yet; no better either.
 *   <li>Something useful, but less than 64 bytes in each quarter of an idle time: it drips. One
 *       event of the slowest stream is longer than that, and a quarter in which a stream only pings
 *       is not one in which it drips.
 * </ul>
 *
 * The clock of a body ticks four times in its idle time, and nobody has to read the time.
 */
final class AttemptWatch implements AutoCloseable {
  private static final int TICKS = 4;
  private static final long LEAST = 64;
  private static final Duration CLOSING = Duration.ofMillis(500);
  private static final Duration ERROR = Duration.ofSeconds(10);

  private final ScheduledThreadPoolExecutor timer;
  private final Timeouts timeouts;
  private final Runnable cut;
  private final Duration idle;
  private final long silentTicks;
  private final Future<?> total;
  private volatile Future<?> step;
  private volatile boolean connected;
  private volatile int quiet;
  private volatile long useful;
  private long usefulBefore;
  private long silent;
  private int drips;
  private volatile @Nullable String ranOut;

  AttemptWatch(ScheduledThreadPoolExecutor timer, Timeouts timeouts, Runnable cut) {
    this.timer = timer;
    this.timeouts = timeouts;
    this.cut = cut;
    this.idle = lesser(timeouts.idle(), timeouts.firstByte());
    this.silentTicks = Math.max(TICKS, timeouts.firstByte().dividedBy(idle) * TICKS);
    this.total = after(timeouts.total(), "did not end");
    this.step = after(timeouts.connect(), "had no connection");
  }

  private static Duration lesser(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Future<?> after(Duration time, String failure) {
    return timer.schedule(() -> cut(failure, time), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cut(String failure, Duration time) {
    cut(failure + " within " + DurationText.of(time));
  }

  /** Ends the attempt now. */
  void cut(String why) {
    ranOut = why;
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
    long tick = Math.max(1, idle.toNanos() / TICKS);
    // Not at a fixed rate: after the whole process stood still, all ticks would come at once.
    step = timer.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
  }

  /** The status says what happened; its words may come for a moment yet. */
  void errorCame() {
    step.cancel(false);
    step = after(lesser(ERROR, idle), "did not end its error");
  }

  /** The answer has said that it is whole; only the end of the connection's talk is left. */
  void answerEnded() {
    step.cancel(false);
    step = after(lesser(idle, CLOSING), "stayed open");
  }

  /** So many useful bytes have come by now. */
  void pieceCame(long usefulNow) {
    quiet = 0;
    useful = usefulNow;
  }

  /** It is we who keep the provider waiting. */
  void keptWaiting() {
    pieceCame(useful + LEAST);
  }

  // Only the timer's thread counts up; a piece that comes just then gets one tick less.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void tick() {
    long came = useful - usefulBefore;
    usefulBefore += came;
    silent = came == 0 ? silent + 1 : 0;
    drips = came > 0 && came < LEAST ? drips + 1 : 0;
    if (++quiet > TICKS) {
      cut("stood still", idle);
    } else if (silent > silentTicks) {
      cut("sent only signs of life", timeouts.firstByte());
    } else if (drips > TICKS) {
      cut("only dripped", idle);
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
