package dev.flyball.cli.screen;

import dev.flyball.review.check.CheckListener;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.scheduler.Time;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The progress of a review's work on this machine, on one line that is drawn over. */
public final class CheckProgressLine {
  private static final long NANOS_A_LOOK = 100_000_000;

  private final Terminal terminal;
  private final Time time = Time.system();
  private final ReentrantLock lock = new ReentrantLock();
  private String over = "";
  private long next;

  private CheckProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /** While files are read and measured, if somebody looks. */
  public static SubjectReading.Progress reading(Terminal terminal, boolean wanted) {
    if (!wanted || !Terminal.isThere()) {
      return SubjectReading.Progress.NONE;
    }
    var progress = new CheckProgressLine(terminal);
    return (done, of) -> progress.at("reading", done, of);
  }

  /** While they are checked. */
  public static CheckListener checking(Terminal terminal, boolean wanted) {
    if (!wanted || !Terminal.isThere()) {
      return CheckListener.NONE;
    }
    var progress = new CheckProgressLine(terminal);
    return (step, done, of) -> progress.at(words(step), done, of);
  }

  public static String words(CheckListener.Step step) {
    return switch (step) {
      case DEFECTS -> "looking for defects";
      case DUPLICATES -> "comparing";
      case USES -> "looking for what nobody uses";
    };
  }

  /** Whoever comes while another draws need not be seen. */
  private void at(String what, int done, int of) {
    if (done == of) {
      lock.lock();
    } else if (!lock.tryLock()) {
      return;
    }
    try {
      long now = time.nanos();
      if (done == of) {
        over = what;
        terminal.draw(List.of());
      } else if (now >= next && !what.equals(over)) {
        next = now + NANOS_A_LOOK;
        terminal.draw(List.of("%s: %,d of %,d files".formatted(what, done, of)));
      }
    } finally {
      lock.unlock();
    }
  }
}
