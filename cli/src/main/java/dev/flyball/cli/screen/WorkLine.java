package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.GREEN;

import dev.flyball.call.DurationText;
import dev.flyball.cli.screen.TerminalTraits.Channel;
import dev.flyball.review.check.CheckListener;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.scheduler.Time;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is done on this machine before, between and after calls, on standard error: a bar with the
 * time left on a terminal, a line now and then elsewhere. It draws by itself, so that whatever
 * takes long is seen to be under way, whether or not it counts.
 */
public final class WorkLine implements AutoCloseable {
  private static final long TICK_MILLIS = 100;
  private static final Duration WORTH_SHOWING = Duration.ofMillis(200);
  private static final Duration BEFORE_A_LINE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
  private static final Duration BEFORE_A_GUESS = Duration.ofSeconds(1);
  private static final double SURE = 0.03;
  private static final int BAR = 24;

  private final Terminal terminal;
  private final PrintWriter err;
  private final String name;
  private final boolean live;
  private final Time time = Time.system();
  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch closed = new CountDownLatch(1);
  private List<String> above = List.of();
  private String what = "";
  private long since;
  private long said;
  private long done;
  private long of;
  private boolean drawn;

  private WorkLine(Terminal terminal, PrintWriter err, String name, boolean live) {
    this.terminal = terminal;
    this.err = err;
    this.name = name;
    this.live = live;
  }

  /**
   * Nothing is under way yet.
   *
   * @param name of the command, before lines of a log
   * @param wanted whether anything is shown at all
   */
  public static WorkLine of(
      String name, PrintWriter err, Map<String, String> environment, boolean wanted) {
    var terminal = Terminal.of(Channel.ERR, err, environment);
    var line = new WorkLine(terminal, err, name, terminal.isLive());
    if (wanted) {
      Thread.ofVirtual().name("work").start(line::tick);
    }
    return line;
  }

  /** Says at once what this is about; on a terminal it goes with the line below it. */
  public WorkLine title(String title) {
    lock.lock();
    try {
      above = List.of(title);
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** Something begins, and what was under way before is over. */
  public void begin(String phase) {
    lock.lock();
    try {
      what = phase;
      since = time.nanos();
      said = since;
      done = 0;
      of = 0;
    } finally {
      lock.unlock();
    }
  }

  /** So much of it is done; whoever comes while it is drawn need not be seen. */
  public void at(long part, long whole) {
    if (lock.tryLock()) {
      try {
        done = part;
        of = whole;
      } finally {
        lock.unlock();
      }
    }
  }

  /** For whoever counts files that are read. */
  public SubjectReading.Progress reading() {
    return (part, whole) -> step("reading files", part, whole);
  }

  /** For whoever counts files that are checked. */
  public CheckListener checking() {
    return (step, part, whole) -> step(words(step), part, whole);
  }

  private static String words(CheckListener.Step step) {
    return switch (step) {
      case DEFECTS -> "looking for defects in Java";
      case RULES -> "looking for defects";
      case DUPLICATES -> "looking for copies";
    };
  }

  private void step(String phase, long part, long whole) {
    if (!phase.equals(what)) {
      begin(phase);
    }
    at(part, whole);
  }

  private void tick() {
    try {
      while (!closed.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
        lock.lock();
        try {
          show();
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void show() {
    if (closed.getCount() == 0) {
      return;
    }
    long now = time.nanos();
    var elapsed = Duration.ofNanos(now - since);
    if (live) {
      var lines = new ArrayList<>(above);
      if (!what.isEmpty() && elapsed.compareTo(WORTH_SHOWING) > 0) {
        lines.add(bar(elapsed));
      }
      if (drawn || !lines.isEmpty()) {
        drawn = true;
        terminal.draw(lines);
      }
    } else if (!what.isEmpty()
        && now - said > (said == since ? BEFORE_A_LINE : BETWEEN_LINES).toNanos()) {
      said = now;
      err.println(name + ": " + words(elapsed));
    }
  }

  private String bar(Duration elapsed) {
    return of == 0
        ? words(elapsed)
        : "%s  %s"
            .formatted(
                terminal.paint(GREEN, Terminal.bar((double) done / of, BAR)), words(elapsed));
  }

  private String words(Duration elapsed) {
    if (of == 0) {
      return "%s, %d s".formatted(what, elapsed.toSeconds());
    }
    double part = (double) done / of;
    var left =
        part < SURE || elapsed.compareTo(BEFORE_A_GUESS) < 0
            ? ""
            : ", about "
                + DurationText.of(
                    Duration.ofSeconds(
                        Math.max(1, Math.round(elapsed.toNanos() / 1e9 * (1 - part) / part))))
                + " left";
    return "%s: %.0f %%%s".formatted(what, Math.floor(100 * part), left);
  }

  @Override
  public void close() {
    end();
  }

  /** What was drawn is gone, and nothing more is drawn: others have the screen now. */
  public void end() {
    lock.lock();
    try {
      if (closed.getCount() > 0) {
        closed.countDown();
        if (drawn) {
          terminal.draw(List.of());
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
