package dev.flyball.review.run;

import dev.flyball.call.Estimate;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import dev.flyball.review.ask.AnswerJournal;
import dev.flyball.review.ask.Deliberation;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.Redaction;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.ask.SecondLook;
import dev.flyball.review.ask.UnitListener;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunRecorder;
import dev.flyball.run.file.StateFolder;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A review that asks models: the plan is run, and what came of it is put together and judged. It
 * may be drained from any thread, and what was answered is kept for the next run of the same
 * review.
 *
 * <p>Long because it is the one life of a review, from its first unit to what is remembered of it.
 */
public final class ReviewRun {
  private static final int LOOKS_A_SECOND = 5;

  private final ReviewSetup setup;
  private final ReviewPlan plan;
  private final @Nullable SharedScheduler shared;
  private final SubjectTexts texts;
  private final Time time;
  private final AtomicBoolean drained = new AtomicBoolean();
  private final AtomicLong cutAt = new AtomicLong(Long.MAX_VALUE);

  /** With a scheduler of its own. */
  public ReviewRun(ReviewSetup setup, ReviewPlan plan) {
    this(setup, plan, null);
  }

  private ReviewRun(ReviewSetup setup, ReviewPlan plan, @Nullable SharedScheduler shared) {
    this.setup = setup;
    this.plan = plan;
    this.shared = shared;
    this.texts = new SubjectTexts(setup.subject());
    this.time = setup.run().time();
  }

  /**
   * In a scheduler that others use too. Such a run cannot be drained: an interrupt of the thread
   * that runs it ends it at once, gives everything back, and keeps what was answered.
   */
  public static ReviewRun in(SharedScheduler shared, ReviewSetup setup, ReviewPlan plan) {
    return new ReviewRun(setup, plan, shared);
  }

  /** The text that a place counts its lines in, as far as it can be had. */
  public Optional<SourceText> text(Place.Lines place) {
    return texts.of(place);
  }

  /** Lets nothing new start; what is in flight ends, and the review is incomplete. */
  public void drain() {
    drained.set(true);
  }

  /** The same, and what is in flight after so long is cut. */
  public void drain(Duration within) {
    cutAt.accumulateAndGet(time.nanos() + within.toNanos(), Math::min);
    drain();
  }

  /**
   * Asks all units of the plan, and blocks until the last has ended. Of each attempt a record is
   * kept, if runs are remembered; what was learned of limits is kept for the next run.
   *
   * @param looked what the checks without a model have found
   * @param baseline what is known and put up with
   */
  public ReviewEnd run(StaticReview looked, Baseline baseline, ReviewListener listener)
      throws IOException, SourceUnavailable, InterruptedException, HistoryUnavailable {
    var subject = setup.subject();
    var units = new ArrayList<>(plan.units());
    units.addAll(plan.beyond());
    var recorder = RunRecorder.begin(setup.run().history(), start());
    var progress = new ReviewProgress(units, tried -> record(recorder, tried), time);
    var told = new Told(progress, listener);
    var redaction = new Redaction();
    long started = time.nanos();
    try (var journal = AnswerJournal.in(folder());
        var scheduler = scheduler()) {
      var client =
          new ModelClient(
              subject,
              scheduler.flyball(),
              scheduler.tenant(),
              scheduler.payer(),
              setup.reviewers(),
              redaction,
              told,
              time);
      Runnable look =
          () ->
              listener.look(
                  progress, scheduler.flyball().snapshot(), recorder.flatMap(RunRecorder::trouble));
      var runner = new UnitRunner(subject, client, journal, told);
      var parts = units.stream().filter(unit -> !unit.lenses().isEmpty()).toList();
      var answers = asked(runner, parts, progress, scheduler, look);
      var across = units.stream().filter(unit -> unit.lenses().isEmpty()).toList();
      if (!across.isEmpty()) {
        var known = PartFindings.of(answers.claims());
        answers =
            UnitRunner.together(
                answers,
                asked(
                    runner,
                    across.stream().map(unit -> unit.knowing(known)).toList(),
                    progress,
                    scheduler,
                    look));
      }
      var judge = new ReviewJudge(plan, texts);
      var judged = judge.findings(looked, answers, baseline);
      var seen = seen(judged.findings(), client, journal);
      var settled = settled(seen.findings(), new Deliberation(client, journal, room()));
      var coverage = judge.coverage(units, answers);
      var findings = ReviewJudge.standing(seen.findings(), settled.contradictions());
      var usage =
          new ReviewTotals(
                  progress,
                  scheduler.budget(),
                  answers,
                  Duration.ofNanos(time.nanos() - started),
                  drained.get(),
                  judged.unsure())
              .usage();
      if (scheduler.own()) {
        setup.run().keep(learned(scheduler.flyball()));
      }
      return new ReviewEnd(
          new Review(
              verdict(findings, coverage, units.isEmpty()),
              plan.scope().modeName(),
              coverage,
              findings,
              settled.contradictions(),
              Optional.of(usage)),
          usage,
          answers,
          remarks(answers, usage, redaction, seen, settled),
          client.unreachable(),
          client.turnedAway(),
          recorder);
    } catch (InterruptedException stopped) {
      ended(recorder, progress, Duration.ofNanos(time.nanos() - started));
      throw stopped;
    }
  }

  /** Of a run that was ended from outside, what is known of it is remembered. */
  private static void ended(
      Optional<RunRecorder> recorder, ReviewProgress progress, Duration took) {
    var units = progress.units();
    long failed = units.stream().filter(unit -> progress.state(unit) == UnitState.ERROR).count();
    try {
      if (recorder.isPresent()) {
        recorder
            .get()
            .end(
                took,
                ExitCode.INCOMPLETE.code(),
                progress.over(),
                progress.over() - failed,
                failed,
                progress.usage().cost());
      }
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whoever is told of units: the progress, and then whoever watches. */
  private record Told(ReviewProgress progress, ReviewListener listener) implements UnitListener {
    @Override
    public void state(Unit unit, UnitState state, String why) {
      progress.state(unit, state, why);
      listener.unit(unit, state);
    }

    @Override
    public void tried(Unit unit, FinishedAttempt attempt, Estimate held) {
      progress.tried(unit, attempt, held);
    }

    @Override
    public void found(Unit unit, List<Claim> claims) {
      progress.found(unit, claims);
      listener.found(unit, claims);
    }
  }

  private Verdict verdict(List<Finding> findings, ReviewCoverage coverage, boolean nothing) {
    if (nothing) {
      return Verdict.ofNothingAsked(coverage, setup.subject().hasSource());
    }
    return setup.run().providers().simulated() && coverage.complete()
        ? Verdict.SIMULATED
        : Verdict.of(findings, coverage);
  }

  private SecondLook.Seen seen(List<Finding> findings, ModelClient client, AnswerJournal journal)
      throws IOException, SourceUnavailable, InterruptedException {
    if (!setup.settings().verify() || drained.get()) {
      return new SecondLook.Seen(findings, 0, 0, Optional.empty());
    }
    var models =
        setup.reviewers().values().stream().map(Reviewer::model).collect(Collectors.toSet());
    return new SecondLook(client, journal, texts::of, models, room()).at(findings);
  }

  /** What an answer of the leading model may have. */
  private long room() {
    return setup.room(Tier.LEAD).output();
  }

  private RunStart start() {
    var reviewers = setup.reviewers().values();
    return RunStart.of(
            ReviewSetup.COMMAND, plan.scope().modeName(), setup.run().providers().origin())
        .in(
            setup
                .subject()
                .address()
                .orElseGet(() -> String.valueOf(setup.subject().root().getFileName())),
            setup.subject().title())
        .asking(
            reviewers.stream()
                .map(each -> each.keys().first().provider().endpoint().provider())
                .distinct()
                .collect(Collectors.joining(",")),
            reviewers.stream()
                .map(Reviewer::model)
                .distinct()
                .sorted()
                .collect(Collectors.joining(",")),
            new PriceBasis.Listed(setup.run().prices().version()));
  }

  private ReviewScheduler scheduler() {
    return shared == null
        ? ReviewScheduler.own(setup, plan)
        : ReviewScheduler.in(shared, setup, plan);
  }

  /** The same review finds the same folder. */
  private StateFolder folder() {
    var subject = setup.subject();
    var models = setup.reviewers().values().stream().map(Reviewer::model).sorted();
    return setup
        .state()
        .folder(
            ReviewState.print(
                subject.address().orElseGet(() -> subject.root().toString())
                    + "\0"
                    + subject.title()
                    + "\0"
                    + models.collect(Collectors.joining("\0"))
                    + (shared == null ? "" : "\0\0" + shared.journal())));
  }

  private UnitRunner.Answers asked(
      UnitRunner runner,
      List<Unit> units,
      ReviewProgress progress,
      ReviewScheduler scheduler,
      Runnable look)
      throws InterruptedException, IOException {
    var ended = new AtomicReference<UnitRunner.@Nullable Answers>();
    var failed = new AtomicReference<@Nullable Throwable>();
    long deadline =
        setup
            .settings()
            .bounds()
            .deadline()
            .map(left -> time.nanos() + left.toNanos())
            .orElse(Long.MAX_VALUE);
    long late = deadline == Long.MAX_VALUE ? deadline : deadline + RunBounds.GRACE.toNanos();
    var asking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ended.set(runner.ask(units));
                  } catch (InterruptedException | RuntimeException | Error broken) {
                    failed.set(broken);
                  }
                });
    var file = new ReviewProgressFile(folder(), progress);
    try {
      for (int looks = 0; !asking.join(Duration.ofMillis(1_000 / LOOKS_A_SECOND)); looks++) {
        if (drained.get() || time.nanos() > deadline) {
          scheduler.drain();
        }
        if (scheduler.own() && (time.nanos() > cutAt.get() || time.nanos() > late)) {
          setup.run().providers().cut("cut, because the run has ended");
        }
        look.run();
        if (looks % LOOKS_A_SECOND == 0) {
          file.write();
          if (scheduler.own()) {
            setup.run().keepNowAndThen(() -> learned(scheduler.flyball()));
          }
        }
      }
    } finally {
      // Whatever ends this thread early ends all of its units, before the journal is closed.
      asking.interrupt();
      joinFully(asking);
    }
    file.write();
    var answers = ended.get();
    if (answers == null) {
      throw new IllegalStateException("a defect in Flyball: please report it", failed.get());
    }
    return answers;
  }

  /** Waits for a thread that was told to end; an interrupt meanwhile is kept for later. */
  private static void joinFully(Thread ending) {
    boolean interrupted = false;
    while (ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private LearnedFile learned(Flyball flyball) {
    return new LearnedFile(flyball.memory(), setup.learned().tokens());
  }

  private static void record(Optional<RunRecorder> recorder, FinishedAttempt tried) {
    try {
      if (recorder.isPresent()) {
        recorder.get().record(tried);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Deliberation.Settled settled(List<Finding> findings, Deliberation deliberation)
      throws IOException, SourceUnavailable, InterruptedException {
    var contradictions = Contradiction.among(findings);
    return setup.settings().deliberate()
        ? deliberation.on(contradictions, texts::of)
        : new Deliberation.Settled(contradictions, Optional.empty());
  }

  private List<String> remarks(
      UnitRunner.Answers answers,
      ReviewUsage usage,
      Redaction redaction,
      SecondLook.Seen seen,
      Deliberation.Settled settled) {
    var remarks = new ArrayList<String>();
    if (answers.cached() > 0) {
      remarks.add(counted(answers.cached(), "unit") + " answered in an earlier run");
    }
    if (redaction.count() > 0) {
      remarks.add(counted(redaction.count(), "secret") + " removed from what was sent");
    }
    if (answers.lost() > 0) {
      remarks.add(counted(answers.lost(), "finding") + " dropped: the quote is not in the code");
    }
    if (usage.unsure() > 0) {
      remarks.add(counted(usage.unsure(), "finding") + " left out: low confidence");
    }
    if (seen.looked() > 0) {
      remarks.add(
          "second look at %s, %,d refuted"
              .formatted(counted(seen.looked(), "critical or major finding"), seen.refuted()));
    }
    seen.failed().ifPresent(why -> remarks.add("no second look at some findings: " + why));
    settled.failed().ifPresent(why -> remarks.add("the contradictions were not settled: " + why));
    if (usage.excess().overspent() > 0) {
      remarks.add(
          "%,d tokens more than the budget: answers were %,d tokens larger than estimated"
              .formatted(usage.excess().overspent(), usage.excess().underestimated()));
    }
    if (!usage.dropped().isEmpty()) {
      remarks.add(
          "not asked in full, because the budget is too small: "
              + String.join(", ", usage.dropped()));
    }
    if (usage.excess().uncertain() > 0) {
      remarks.add(
          "up to %,d of these tokens were used by attempts that were cut off"
              .formatted(usage.excess().uncertain()));
    }
    if (!answers.unanswered().isEmpty()) {
      remarks.add("run the same command to ask only what is missing");
    }
    return remarks;
  }

  private static String counted(long count, String what) {
    return "%,d %s%s".formatted(count, what, count == 1 ? "" : "s");
  }
}
