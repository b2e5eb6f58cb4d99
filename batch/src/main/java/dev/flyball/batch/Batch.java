package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import dev.flyball.run.BadInput;
import dev.flyball.run.Estimation;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.ForecastCheck;
import dev.flyball.run.ForecastInputs;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunRecorder;
import dev.flyball.run.RunSetup;
import dev.flyball.run.StopReason;
import dev.flyball.run.Workload;
import dev.flyball.run.file.AtomicFile;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One run over a file of prompts.
 *
 * <p>{@link #prepare} reads everything and sends nothing. {@link #run} lets a feeder for each lane
 * bring open lines to the scheduler, a few dozen ahead of what may go, so that memory holds what is
 * in flight and not the file; each attempt has a virtual thread, which writes the answer.
 *
 * <p>Long because its settings, its report and its end are one life with one clock.
 */
public final class Batch implements AutoCloseable {
  private static final long TICK = 100;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Of more lines than these only some are read for the forecast beside a run. */
  private static final long FORECAST_READS = 2_000;

  /** Somebody who watches the input being checked. */
  public interface Checking {
    /** So many bytes are checked, of all. */
    void at(long bytes, long of);
  }

  private static final Optional<RunRecorder> NOBODY = Optional.empty();

  private final RunSetup setup;
  private final BatchSettings settings;
  private final LearnedFile earlier;
  private final Time time;
  private final FileChannel input;
  private final AnswerFile journal;
  private final BatchPlan plan;
  private final BatchState run;
  private long startedNanos;
  private Instant startedAt;
  private long endedNanos = -1;
  private long secondAt;
  private long troubleSince = -1;

  private Batch(
      RunSetup setup,
      BatchSettings settings,
      LearnedFile earlier,
      FileChannel input,
      AnswerFile journal,
      BatchPlan plan,
      BatchState run) {
    this.setup = setup;
    this.settings = settings;
    this.earlier = earlier;
    this.time = setup.time();
    this.input = input;
    this.journal = journal;
    this.plan = plan;
    this.run = run;
    this.startedAt = time.wall();
    this.startedNanos = time.nanos();
  }

  /**
   * Reads the input and what an earlier run has left, and sends nothing.
   *
   * @throws BadInput if something must be put right first
   */
  // What is opened here is closed by the batch, or below when there will be none.
  @SuppressWarnings("MustBeClosedChecker")
  public static Batch prepare(RunSetup setup, BatchSettings settings) throws IOException, BadInput {
    return prepare(setup, settings, (checked, of) -> {});
  }

  /** The same, for somebody who watches the input being checked. */
  public static Batch prepare(RunSetup setup, BatchSettings settings, Checking checking)
      throws IOException, BadInput {
    var open = new ArrayList<AutoCloseable>();
    OutputPlace.check(settings);
    try {
      var input = FileChannel.open(settings.input(), StandardOpenOption.READ);
      open.addFirst(input);
      var journal = AnswerFile.open(settings.output());
      open.addFirst(journal);
      var costs = setup.costs();
      var plain =
          new InputLine.Plain(
              settings.model(), settings.maxTokens(), setup.providers().spoken(), settings.asIf());
      var router =
          new Router(
              setup.providers(),
              setup.catalogue(),
              costs,
              setup.time().wall(),
              settings.bounds().budgetMoney().isPresent());
      var plan =
          BatchPlan.read(
              settings,
              LineIndex.Place.of(setup.environment(), settings.output()),
              plain,
              router,
              input,
              journal.finished(),
              checking);
      open.addLast(plan);
      var earlier = setup.learned();
      var run = new BatchState(setup, settings, plain, plan, costs, earlier, input, journal);
      return new Batch(setup, settings, earlier, input, journal, plan, run);
    } catch (IOException | BadInput | RuntimeException wrong) {
      for (var each : open) {
        try {
          each.close();
        } catch (Exception also) {
          wrong.addSuppressed(also);
        }
      }
      throw wrong;
    }
  }

  /** What was wrong with lines that are left out, for people. */
  public List<String> problems() {
    return plan.problems();
  }

  private List<LaneId> lanes() {
    return plan.routes().stream().flatMap(route -> route.lanes().stream()).toList();
  }

  /** How many lines are still to be asked. */
  public long left() {
    return plan.total() - plan.answered() - plan.failed();
  }

  /**
   * The calls that are ahead, from what the lines say; nothing is sent.
   *
   * @param mostRead of more lines than these only some are read, and stand for the others
   * @param told how many lines have been read so far
   */
  public Workload workload(long mostRead, LongConsumer told) throws IOException, BadInput {
    return new WorkloadReader(input, run.plain, run.tokens, run.costs, time.wall())
        .read(plan, mostRead, told);
  }

  /** The time and money that it would take, as it would really run; nothing is sent. */
  public Estimation estimate(Optional<History> past) throws IOException, BadInput {
    return inputs(past).estimateAside(workload(Long.MAX_VALUE, read -> {}));
  }

  private ForecastInputs inputs(Optional<History> past) {
    return setup.forecast(earlier, past, settings.bounds().concurrency());
  }

  /**
   * The end of a run.
   *
   * @param forecast what was forecast of it, held against what became of it
   * @param unremembered why the history has not all of it, if so
   */
  public record Ended(
      BatchReport report,
      Optional<ForecastCheck.Compared> forecast,
      Optional<String> unremembered) {}

  /** Who is told how far a run is, ten times a second. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * It stands so.
     *
     * @param trouble what stands in the way of remembering it, if anything
     */
    void look(BatchReport report, Optional<String> trouble);
  }

  /**
   * Asks everything that is open, remembers it, and keeps what was learned. Blocks until nothing is
   * in flight; {@link #drain} ends it early.
   *
   * @param title the input as the history names it
   */
  public Ended run(String title, Watcher watcher)
      throws IOException, InterruptedException, HistoryUnavailable {
    var recorder = left() > 0 ? RunRecorder.begin(setup.history(), start(title)) : NOBODY;
    var past = recorder.isPresent() ? setup.history().read() : Optional.<History>empty();
    var forecast =
        left() > 0
            ? ForecastCheck.start(
                () -> inputs(past).estimateAside(workload(FORECAST_READS, read -> {})))
            : ForecastCheck.NONE;
    var last =
        ask(
            report -> watcher.look(report, recorder.flatMap(RunRecorder::trouble)),
            recorder
                .<FinishedAttempt.Listener>map(each -> each::record)
                .orElse(FinishedAttempt.Listener.NOBODY));
    setup.keep(run.learned());
    boolean whole = last.skipped() == 0 && last.stop().isEmpty();
    var compared =
        whole
            ? forecast.compared(last.wall(), last.costs().known())
            : Optional.<ForecastCheck.Compared>empty();
    if (recorder.isPresent()) {
      var known = forecast.known();
      if (known.isPresent()) {
        recorder.get().expect(known.get());
      }
      recorder
          .get()
          .end(
              last.wall(),
              last.exit().code(),
              last.lanes().total().total(),
              last.completed() - last.earlier(),
              last.errored(),
              last.costs().priced());
    }
    return new Ended(last, compared, recorder.flatMap(RunRecorder::trouble));
  }

  private RunStart start(String title) {
    var origin = setup.providers().origin();
    return RunStart.of("batch", "batch", origin)
        .in("", title)
        .asking(
            String.join(",", plan.routes().stream().map(Route::asked).distinct().toList()),
            String.join(",", lanes().stream().map(LaneId::modelClass).distinct().toList()),
            new PriceBasis.Listed(setup.prices().version()));
  }

  private BatchReport ask(Consumer<BatchReport> tick, FinishedAttempt.Listener recorder)
      throws IOException, InterruptedException {
    run.recorder = recorder;
    startedAt = time.wall();
    startedNanos = time.nanos();
    secondAt = startedNanos;
    run.start(plan);
    while (!run.ended(TICK)) {
      round(tick);
    }
    endedNanos = time.nanos();
    while (journal.trouble().isPresent() && !gaveUpWriting()) {
      TimeUnit.MILLISECONDS.sleep(TICK);
      round(tick);
    }
    run.failures.flush();
    if (settings.ordered() && journal.unwritten().isEmpty()) {
      new AnswerOrdering(plan.index()).rewrite(journal, settings.output());
    }
    var last = report();
    progress(last);
    run.complain();
    return last;
  }

  /** What happens beside the calls, on the thread that waits for their end. */
  private void round(Consumer<BatchReport> tick) {
    long now = time.nanos();
    if (settings.bounds().deadline().isPresent()
        && now - startedNanos > settings.bounds().deadline().get().toNanos()) {
      run.end(
          StopReason.of(StopReason.Kind.DEADLINE, "the --deadline has passed"),
          startedNanos + settings.bounds().deadline().get().plus(RunBounds.GRACE).toNanos());
    }
    run.cutWhenDue(now, setup.providers());
    if (now - secondAt >= SECOND) {
      secondAt = now;
      journal.retry();
      journal.sync();
      watchTrouble(now);
      run.failures.flush();
      setup.keepNowAndThen(run::learned);
      progress(report());
    }
    if (run.stopped().isPresent()) {
      plan.routes().forEach(Route::stopFeeding);
    }
    tick.accept(report());
  }

  private void watchTrouble(long now) {
    troubleSince = journal.trouble().isEmpty() ? -1 : troubleSince < 0 ? now : troubleSince;
    if (isTroubleTooLong(now)) {
      run.end(
          StopReason.of(
              StopReason.Kind.DISK,
              "%s cannot be written (%s): make room, then run the same command again"
                  .formatted(settings.output(), journal.trouble().orElse(""))));
    }
  }

  private boolean isTroubleTooLong(long now) {
    return troubleSince >= 0 && now - troubleSince > settings.bounds().maxWait().toNanos();
  }

  private boolean gaveUpWriting() {
    return run.stopped()
            .map(StopReason::kind)
            .filter(BatchState.WRITES_NO_MORE::contains)
            .isPresent()
        || isTroubleTooLong(time.nanos());
  }

  /** Lets nothing new start and waits for what is in flight, as after a Ctrl+C. */
  public void drain() {
    run.interrupt(Long.MAX_VALUE);
  }

  /** The same, and what is in flight after so long is cut. */
  public void drain(Duration within) {
    run.interrupt(time.nanos() + within.toNanos());
  }

  /** How it stands. */
  public BatchReport report() {
    var snapshot = run.flyball.snapshot();
    var memory = run.flyball.memory();
    var figures = new LinkedHashMap<String, BatchReport.LaneFigures>();
    for (var lane : snapshot.lanes()) {
      var felt =
          memory.of(lane.lane()).map(LearnedLimits.OfLane::pace).orElse(LearnedLimits.Felt.NOTHING);
      figures.put(
          lane.lane().toString(),
          new BatchReport.LaneFigures(learnedFrom(lane, felt), least(lane, felt)));
    }
    return new BatchReport(
        startedAt,
        setup.providers().simulated(),
        new BatchReport.LineCounts(
            plan.total(),
            plan.answered() + run.completed.get(),
            plan.answered(),
            run.errored.get(),
            plan.invalid()),
        run.usage.get(),
        run.costs.costs(),
        Duration.ofNanos((endedNanos >= 0 ? endedNanos : time.nanos()) - startedNanos),
        snapshot,
        figures,
        run.tokens.learned(),
        run.failures.kinds(),
        run.hindrance());
  }

  private BatchReport.Bound least(LaneSnapshot snapshot, LearnedLimits.Felt felt) {
    return plan.routes().stream()
        .filter(route -> route.has(snapshot.lane()))
        .map(
            route ->
                route
                    .bound(snapshot.lane())
                    .least(snapshot, felt, settings.bounds().mostInFlight()))
        .findFirst()
        .orElse(BatchReport.Bound.NONE);
  }

  private String learnedFrom(LaneSnapshot lane, LearnedLimits.Felt felt) {
    if (lane.gauges().stream().anyMatch(LaneSnapshot.Gauge::sighted)) {
      return "headers";
    }
    if (felt.perSecond() > 0) {
      return "refusals";
    }
    return earlier.lanes().of(lane.lane()).isPresent()
        ? "an earlier run"
        : setup.providers().profile().isPresent() ? "profile" : "nothing";
  }

  private void progress(BatchReport report) {
    try {
      AtomicFile.replace(
          settings.progress(),
          BatchReportJson.of(report).toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException full) {
      // Only a view of the run; what matters is written elsewhere.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    run.close();
    journal.close();
    input.close();
    plan.close();
  }
}
