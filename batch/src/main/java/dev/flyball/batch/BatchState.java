package dev.flyball.batch;

import dev.flyball.call.Account;
import dev.flyball.call.LaneId;
import dev.flyball.call.Usage;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.Providers;
import dev.flyball.run.RunSetup;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The state that the calls of one run share: scheduler, files, counts, and why it may end. */
final class BatchState implements AutoCloseable {
  static final Account ACCOUNT = Account.of("run");

  /** What ends a run though answers may be in memory only. */
  static final Set<StopReason.Kind> WRITES_NO_MORE =
      Set.of(StopReason.Kind.DISK, StopReason.Kind.INTERRUPTED, StopReason.Kind.DEADLINE);

  final BatchSettings settings;
  final InputLine.Plain plain;
  final Time time;
  final FileChannel input;
  final AnswerFile journal;
  final CostMeter costs;
  final FailureFile failures;
  final TokenCounter tokens;
  final AnswerLines answers;
  final Flyball flyball;
  final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  final AtomicLong completed = new AtomicLong();
  final AtomicLong errored = new AtomicLong();
  final AtomicReference<Usage> usage = new AtomicReference<>(Usage.NONE);

  /** Who is told of attempts; set before the first. */
  volatile FinishedAttempt.Listener recorder = FinishedAttempt.Listener.NOBODY;

  private final AtomicReference<@Nullable StopReason> stop = new AtomicReference<>();
  private final AtomicReference<@Nullable StopReason> shut = new AtomicReference<>();
  private final Map<String, String> refusedKeys = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
  private final AtomicLong cutAt = new AtomicLong(Long.MAX_VALUE);
  private final AtomicBoolean cut = new AtomicBoolean();

  /** Every feeder and every call; when the last has gone, the run has ended. */
  private final Phaser underway = new Phaser(1);

  BatchState(
      RunSetup setup,
      BatchSettings settings,
      InputLine.Plain plain,
      BatchPlan plan,
      CostMeter costs,
      LearnedFile earlier,
      FileChannel input,
      AnswerFile journal) {
    this.settings = settings;
    this.plain = plain;
    this.time = setup.time();
    this.input = input;
    this.journal = journal;
    this.costs = costs;
    this.failures = new FailureFile(settings.errors(), setup.providers().simulated());
    this.tokens = new TokenCounter(earlier.tokens());
    this.answers = new AnswerLines(setup.providers().simulated());
    this.errored.set(plan.failed());
    this.flyball = settings.bounds().scheduler(ACCOUNT, plan::profile, earlier.lanes(), setup);
  }

  /** Starts a feeder for each route; each takes lines while its queue has room. */
  void start(BatchPlan plan) throws IOException {
    failures.begin(settings.keepErrors());
    for (var route : plan.routes()) {
      underway.register();
      threads.execute(() -> feed(route));
    }
    underway.arriveAndDeregister();
  }

  private void feed(Route route) {
    route.feeder(Thread.currentThread());
    try {
      feedAll(route);
    } catch (IOException | BadInput gone) {
      end(
          StopReason.of(
              StopReason.Kind.INPUT, "the input cannot be read again: " + gone.getMessage()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error broken) {
      broken(broken);
    } finally {
      gone();
    }
  }

  private void feedAll(Route route) throws IOException, BadInput, InterruptedException {
    while (stop.get() == null) {
      journal.awaitRoom();
      route.waiting.acquire();
      var next = route.take();
      if (next.isEmpty() || stop.get() != null) {
        return;
      }
      new LineCall(this, route, next.get()).enter();
    }
  }

  void came() {
    underway.register();
  }

  void gone() {
    underway.arriveAndDeregister();
  }

  /** Waits for so long, or less if everything has ended; whether it has. */
  boolean ended(long millis) throws InterruptedException {
    try {
      underway.awaitAdvanceInterruptibly(0, millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    }
  }

  /** Ends the run for a reason: nothing new starts, what is in flight goes on. The first counts. */
  void end(StopReason why) {
    if (stop.compareAndSet(null, why)) {
      journal.release();
      flyball.drain();
    }
  }

  /** Ends the run for a reason; what is still in flight at a moment is cut then. */
  void end(StopReason why, long cutNanos) {
    cutAt.accumulateAndGet(cutNanos, Math::min);
    end(why);
  }

  /** Ends the run because somebody said so; what is still in flight at a moment is cut then. */
  void interrupt(long cutNanos) {
    end(StopReason.of(StopReason.Kind.INTERRUPTED, "interrupted"), cutNanos);
  }

  /** Cuts what is in flight, if its time has come; to be called often. */
  void cutWhenDue(long now, Providers providers) {
    if (now >= cutAt.get() && !cut.getAndSet(true)) {
      providers.cut("cut, because the run has ended");
    }
  }

  /** Whether what was in flight has been cut. */
  boolean isCut() {
    return cut.get();
  }

  /** The provider refuses a key, and others go on. */
  void keyRefused(LaneId lane, String message) {
    refusedKeys.putIfAbsent(lane.toString(), message);
  }

  /** What keeps the run from its end. */
  BatchReport.Hindrance hindrance() {
    return new BatchReport.Hindrance(
        why(), new TreeMap<>(refusedKeys), journal.trouble(), journal.unwritten());
  }

  /** A route was closed for a reason, which is why the run is incomplete when all else is done. */
  void shut(StopReason why) {
    shut.compareAndSet(null, why);
  }

  /** What should never happen; it is thrown when the rest has ended in order. */
  void broken(Throwable what) {
    defect.compareAndSet(null, what);
    end(StopReason.of(StopReason.Kind.INTERRUPTED, "a defect: " + what));
  }

  Optional<StopReason> stopped() {
    return Optional.ofNullable(stop.get());
  }

  /** Why something is left, if it is. */
  Optional<StopReason> why() {
    return stopped().or(() -> Optional.ofNullable(shut.get()));
  }

  /** What it has learned so far, and was known before. */
  LearnedFile learned() {
    return new LearnedFile(flyball.memory(), tokens.learned());
  }

  void complain() {
    if (defect.get() != null) {
      throw new IllegalStateException("a defect in Flyball: please report it", defect.get());
    }
  }

  @Override
  public void close() throws IOException {
    flyball.close();
    threads.close();
    failures.close();
  }
}
