package dev.flyball.review.run;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import dev.flyball.review.ask.AnswerJournal;
import dev.flyball.review.ask.Deliberation;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.Redaction;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.source.SourceUnavailable;
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
 */
public final class ReviewRun {
  private static final int LOOKS_A_SECOND = 5;

  private final ReviewSetup setup;
  private final ReviewPlan plan;
  private final SubjectTexts texts;
  private final Time time;
  private final AtomicBoolean drained = new AtomicBoolean();
  private final AtomicLong cutAt = new AtomicLong(Long.MAX_VALUE);

  public ReviewRun(ReviewSetup setup, ReviewPlan plan) {
    this.setup = setup;
    this.plan = plan;
    this.texts = new SubjectTexts(setup.subject());
    this.time = setup.run().time();
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
    var redaction = new Redaction();
    long started = time.nanos();
    try (var journal = AnswerJournal.in(folder());
        var flyball = scheduler()) {
      var client = new ModelClient(subject, flyball, setup.reviewers(), redaction, progress, time);
      var answers =
          asked(
              new UnitRunner(subject, client, journal, progress),
              progress,
              flyball,
              () ->
                  listener.look(
                      progress, flyball.snapshot(), recorder.flatMap(RunRecorder::trouble)));
      var judge = new ReviewJudge(plan, texts);
      var judged = judge.findings(looked, answers, baseline);
      var settled = settled(judged.findings(), new Deliberation(client, journal));
      var coverage = judge.coverage(units, answers);
      var findings = ReviewJudge.standing(judged.findings(), settled.contradictions());
      var usage =
          new ReviewTotals(
                  progress,
                  flyball.snapshot().budgets().stream().findFirst(),
                  answers,
                  Duration.ofNanos(time.nanos() - started),
                  drained.get(),
                  judged.unsure())
              .usage();
      setup.run().keep(learned(flyball));
      return new ReviewEnd(
          new Review(
              units.isEmpty()
                  ? Verdict.ofNothingAsked(coverage, subject.hasSource())
                  : Verdict.of(findings, coverage),
              plan.scope().modeName(),
              coverage,
              findings,
              settled.contradictions(),
              Optional.of(usage)),
          usage,
          answers,
          remarks(answers, usage, redaction, settled),
          client.unreachable(),
          recorder);
    }
  }

  private RunStart start() {
    var reviewers = setup.reviewers().values();
    return RunStart.of(
            "review",
            plan.scope().modeName(),
            setup.run().providers().simulated() ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL)
        .in(String.valueOf(setup.subject().root().getFileName()), setup.subject().title())
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

  private Flyball scheduler() {
    var profile = setup.profile();
    var settings = setup.settings();
    return settings
        .bounds()
        .tokens(setup.budget())
        .reserve(settings.reserve() / 100.0)
        .scheduler(ModelClient.ACCOUNT, lane -> profile, setup.learned().lanes(), time);
  }

  /** The same review finds the same folder. */
  private StateFolder folder() {
    var subject = setup.subject();
    var models = setup.reviewers().values().stream().map(Reviewer::model).sorted();
    return setup
        .state()
        .folder(
            ReviewState.print(
                subject.root()
                    + "\0"
                    + subject.title()
                    + "\0"
                    + models.collect(Collectors.joining("\0"))));
  }

  private UnitRunner.Answers asked(
      UnitRunner runner, ReviewProgress progress, Flyball flyball, Runnable look)
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
                    ended.set(runner.ask(progress.units()));
                  } catch (InterruptedException | RuntimeException | Error broken) {
                    failed.set(broken);
                  }
                });
    var file = new ReviewProgressFile(folder(), progress);
    for (int looks = 0; !asking.join(Duration.ofMillis(1_000 / LOOKS_A_SECOND)); looks++) {
      if (drained.get() || time.nanos() > deadline) {
        flyball.drain();
      }
      if (time.nanos() > cutAt.get() || time.nanos() > late) {
        setup.run().providers().cut("cut, because the run has ended");
      }
      look.run();
      if (looks % LOOKS_A_SECOND == 0) {
        file.write();
        setup.run().keepNowAndThen(() -> learned(flyball));
      }
    }
    file.write();
    var answers = ended.get();
    if (answers == null) {
      throw new IllegalStateException("a defect in Flyball: please report it", failed.get());
    }
    return answers;
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
      Deliberation.Settled settled) {
    var remarks = new ArrayList<String>();
    if (answers.cached() > 0) {
      remarks.add("%,d units were answered before and not asked again".formatted(answers.cached()));
    }
    if (redaction.count() > 0) {
      remarks.add("%,d secrets were removed from what was sent".formatted(redaction.count()));
    }
    if (answers.lost() > 0) {
      remarks.add(
          "%,d findings were dropped: what they quote is nowhere".formatted(answers.lost()));
    }
    if (usage.unsure() > 0) {
      remarks.add("%,d findings were left out: not sure enough".formatted(usage.unsure()));
    }
    settled.failed().ifPresent(why -> remarks.add("the contradictions were not settled: " + why));
    if (usage.overspent() > 0) {
      remarks.add(
          "%,d tokens more than the budget: answers were %,d tokens larger than estimated"
              .formatted(usage.overspent(), usage.underestimated()));
    }
    if (!plan.dropped().isEmpty()) {
      remarks.add(
          "not asked, because the budget is too small: " + String.join(", ", plan.dropped()));
    }
    if (!answers.unanswered().isEmpty()) {
      remarks.add("the same command asks what is missing, and only that");
    }
    return remarks;
  }
}
