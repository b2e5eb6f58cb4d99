package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.PriceList;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
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
 */
public final class Batch implements AutoCloseable {
  private static final long TICK = 100;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

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
      BatchSettings settings,
      LearnedFile earlier,
      Time time,
      FileChannel input,
      AnswerFile journal,
      BatchPlan plan,
      BatchState run) {
    this.settings = settings;
    this.earlier = earlier;
    this.time = time;
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
  public static Batch prepare(
      BatchSettings settings,
      ProviderCatalogue catalogue,
      PriceList prices,
      LearnedFile earlier,
      Time time)
      throws IOException, BadInput {
    var open = new ArrayList<AutoCloseable>();
    try {
      var input = FileChannel.open(settings.input(), StandardOpenOption.READ);
      open.addFirst(input);
      var journal = AnswerFile.open(settings.output());
      open.addFirst(journal);
      var bill = new CostMeter(prices, catalogue, settings.simulated());
      var plan = BatchPlan.read(settings, catalogue, bill, time.wall(), input, journal.finished());
      open.addLast(plan);
      var run = new BatchState(settings, plan, bill, earlier, time, input, journal);
      return new Batch(settings, earlier, time, input, journal, plan, run);
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

  /** The lanes that its lines take. */
  public List<LaneId> lanes() {
    return plan.routes().stream()
        .flatMap(route -> route.lanes.stream())
        .map(lane -> lane.id)
        .toList();
  }

  /** How many lines are still to be asked. */
  public long left() {
    return plan.total() - plan.answered() - plan.failed();
  }

  /**
   * What is ahead, from what the lines say; nothing is sent.
   *
   * @param mostRead of more lines than these only some are read, and stand for the others
   * @param told how many lines have been read so far
   */
  public Workload ahead(long mostRead, LongConsumer told) throws IOException, BadInput {
    var means = new Workload.Means(input, settings.plain(), run.tokens, run.bill, time.wall());
    return Workload.read(plan, means, mostRead, told);
  }

  /**
   * Asks everything that is open. {@code tick} is told ten times a second how far it is, {@code
   * recorder} each attempt when it is over.
   */
  public BatchReport run(Consumer<BatchReport> tick, AttemptListener recorder)
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
    if (settings.deadline().isPresent()
        && now - startedNanos > settings.deadline().get().toNanos()) {
      run.end(
          StopReason.of(
              StopReason.Kind.DEADLINE, "the deadline has passed: the same command goes on"));
    }
    if (now - secondAt >= SECOND) {
      secondAt = now;
      journal.retry();
      sync();
      watchTrouble(now);
      run.failures.flush();
      progress(report());
    }
    if (run.stopped().isPresent()) {
      plan.routes().forEach(route -> route.lanes.forEach(Route.KeyLane::stopFeeding));
    }
    tick.accept(report());
  }

  private void sync() {
    try {
      journal.sync();
    } catch (IOException full) {
      // The next write says so too, and then it is acted upon.
      return;
    }
  }

  private void watchTrouble(long now) {
    troubleSince = journal.trouble().isEmpty() ? -1 : troubleSince < 0 ? now : troubleSince;
    if (troubleSince >= 0 && now - troubleSince > settings.maxWait().toNanos()) {
      run.end(
          StopReason.of(
              StopReason.Kind.DISK,
              "%s cannot be written (%s): make room, then run the same command again"
                  .formatted(settings.output(), journal.trouble().orElse(""))));
    }
  }

  private boolean gaveUpWriting() {
    var kind = run.stopped().map(StopReason::kind);
    return kind.equals(Optional.of(StopReason.Kind.DISK))
        || kind.equals(Optional.of(StopReason.Kind.INTERRUPTED));
  }

  /** Lets nothing new start and waits for what is in flight, as after a Ctrl+C. */
  public void drain() {
    run.end(
        StopReason.of(
            StopReason.Kind.INTERRUPTED, "interrupted: the same command goes on where it stopped"));
  }

  /** How it stands. */
  public BatchReport report() {
    var snapshot = run.flyball.snapshot();
    var memory = run.flyball.memory();
    var least = Duration.ZERO;
    var from = new LinkedHashMap<String, String>();
    for (var lane : snapshot.lanes()) {
      var felt =
          memory.of(lane.lane()).map(LearnedLimits.OfLane::pace).orElse(LearnedLimits.Felt.NOTHING);
      from.put(lane.lane().toString(), learnedFrom(lane, felt));
      var bound = least(lane, felt);
      least = bound.compareTo(least) > 0 ? bound : least;
    }
    return new BatchReport(
        startedAt,
        settings.simulated(),
        plan.total(),
        plan.answered() + run.completed.get(),
        plan.answered(),
        run.errored.get(),
        plan.invalid(),
        run.usage.get(),
        run.bill.costs(),
        Duration.ofNanos((endedNanos >= 0 ? endedNanos : time.nanos()) - startedNanos),
        least,
        snapshot,
        from,
        run.tokens.learned(),
        run.failures.kinds(),
        run.why(),
        journal.trouble(),
        journal.unwritten());
  }

  private Duration least(LaneSnapshot snapshot, LearnedLimits.Felt felt) {
    return plan.routes().stream()
        .flatMap(route -> route.lanes.stream())
        .filter(lane -> lane.id.equals(snapshot.lane()))
        .map(lane -> lane.bound.least(snapshot, felt, run.mostInFlight()))
        .findFirst()
        .orElse(Duration.ZERO);
  }

  private String learnedFrom(LaneSnapshot lane, LearnedLimits.Felt felt) {
    if (lane.gauges().stream().anyMatch(LaneSnapshot.Gauge::sighted)) {
      return "headers";
    }
    if (felt.perSecond() > 0) {
      return "refusals";
    }
    LaneId id = lane.lane();
    boolean remembered = earlier.lanes().of(id).isPresent();
    return remembered ? "an earlier run" : settings.profile().isPresent() ? "profile" : "nothing";
  }

  /** What this run has learned, to be kept for the next. */
  public LearnedFile learned() {
    return new LearnedFile(run.flyball.memory(), run.tokens.learned());
  }

  private void progress(BatchReport report) {
    try {
      var fresh = settings.beside(".progress.new");
      Files.write(fresh, report.json().toString().getBytes(StandardCharsets.UTF_8));
      Files.move(
          fresh,
          settings.progress(),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
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
