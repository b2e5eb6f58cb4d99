package dev.flyball.cli.queue;

import dev.flyball.call.Cost;
import dev.flyball.call.Reply;
import dev.flyball.cli.screen.Interrupts;
import dev.flyball.fleet.queue.ClaimedEntry;
import dev.flyball.fleet.queue.EntryEnd;
import dev.flyball.fleet.queue.QueueWorkers;
import dev.flyball.fleet.queue.WorkQueue;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import dev.flyball.review.finding.SafeText;
import dev.flyball.run.ExitCode;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.RunRecorder;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One process that works on a queue: what it says on the way, what is remembered, and how it ends.
 */
public final class QueueProgress implements QueueWorkers.Watcher, AutoCloseable {
  private final WorkQueue queue;
  private final RunSetup run;
  private final WorkScheduler scheduler;
  private final PrintWriter err;
  private final Optional<RunRecorder> recorder;
  private final long started;
  private final AtomicReference<@Nullable String> closed = new AtomicReference<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong spent = new AtomicLong();
  private volatile @Nullable QueueWorkers workers;

  /**
   * One that begins.
   *
   * @param name of the queue
   */
  public QueueProgress(
      WorkQueue queue, String name, RunSetup run, WorkScheduler scheduler, PrintWriter err)
      throws HistoryUnavailable, InterruptedException {
    this.queue = queue;
    this.run = run;
    this.scheduler = scheduler;
    this.err = err;
    this.started = run.time().nanos();
    this.recorder =
        RunRecorder.begin(
            run.history(),
            RunStart.of("batch", "queue", run.providers().origin())
                .in("", "queue " + name)
                .asking("", "", new PriceBasis.Listed(run.prices().version())));
  }

  /** Who this is, for people. */
  public static String processName() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      host = "a machine";
    }
    return host + ", process " + ProcessHandle.current().pid();
  }

  /** Notes an attempt. */
  public void record(FinishedAttempt attempt) throws InterruptedException {
    if (attempt.reply() instanceof Reply.Answered<?>) {
      answered.incrementAndGet();
    }
    attempt.cost().ifPresent(cost -> spent.addAndGet(cost.micros()));
    if (recorder.isPresent()) {
      recorder.get().record(attempt);
    }
  }

  /** Nothing can be done any more: nothing is taken, and it is said why. */
  public void closed(String why) {
    if (closed.compareAndSet(null, why)) {
      err.println("flyball queue: nothing more is taken: " + SafeText.line(why));
      var all = workers;
      if (all != null) {
        all.drain();
      }
    }
  }

  /** Works until the end. */
  public int run(QueueDesk desk, QueueWorkers.Settings settings) throws InterruptedException {
    var all = new QueueWorkers(queue, desk, scheduler, settings, this, run.time());
    workers = all;
    QueueWorkers.Worked worked;
    var interrupts =
        new Interrupts(
            () -> {
              err.println(
                  "stopping: nothing new is taken; Ctrl+C again gives back what is in progress");
              all.drain();
            },
            all::stop,
            () -> {});
    try {
      worked = all.run();
    } finally {
      interrupts.close();
    }
    err.println(
        "done %,d, to be tried again %,d, dead letters %,d%s"
            .formatted(
                worked.done(),
                worked.later(),
                worked.dead(),
                worked.lost() > 0 ? ", lost to others %,d".formatted(worked.lost()) : ""));
    var exit =
        closed.get() != null
            ? ExitCode.INCOMPLETE
            : worked.dead() > 0 ? ExitCode.FAILED : ExitCode.DONE;
    if (recorder.isPresent()) {
      recorder
          .get()
          .end(
              Duration.ofNanos(run.time().nanos() - started),
              exit.code(),
              answered.get() + worked.dead(),
              answered.get(),
              worked.dead(),
              new Cost(spent.get()));
    }
    return exit.code();
  }

  @Override
  public void workers(int count, String why) {
    err.println("workers %,d: %s".formatted(count, why));
  }

  @Override
  public void ended(ClaimedEntry entry, EntryEnd end, WorkQueue.Settled settled) {
    scheduler.keepNowAndThen();
    var why =
        switch (end) {
          case EntryEnd.TryLater(var reason, var pause) -> reason;
          case EntryEnd.Hopeless(var reason) -> reason;
          case EntryEnd.Finished done -> "";
          case EntryEnd.GivenBack back -> "";
        };
    var key = SafeText.line(entry.key());
    switch (settled) {
      case DONE, READY -> {}
      case LATER -> err.println("later: %s: %s".formatted(key, SafeText.line(why)));
      case DEAD -> err.println("dead letter: %s: %s".formatted(key, SafeText.line(why)));
      case LOST -> err.println("lost to another worker: " + key);
    }
  }

  @Override
  public void paused(boolean paused) {
    err.println(
        paused
            ? "paused: less than a fifth of the limits is left"
            : "going on: the limits have recovered");
  }

  @Override
  public void trouble(Optional<String> why) {
    err.println(
        why.map(it -> "the queue cannot be reached: " + it)
            .orElse("the queue can be reached again"));
  }

  @Override
  public void close() {
    workers = null;
  }
}
