package dev.flyball.cli;

import dev.flyball.batch.LineAttempt;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.RetryPolicy;
import dev.flyball.cli.ProgressOptions.Shown;
import dev.flyball.history.record.RunEnding;
import dev.flyball.review.ask.AnswerJournal;
import dev.flyball.review.ask.Deliberation;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.Redaction;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.ClaimMerge;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.plan.Lens.Tier;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.LearnedFile;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A review that asks models: the plan is run, and what came of it is put together and judged. */
final class AskedReview {
  private static final int USUAL_IN_FLIGHT = 512;
  private static final int LOOKS_A_SECOND = 5;
  private static final int PLAIN_EVERY = 10 * LOOKS_A_SECOND;
  private static final String STOPPING =
      "stopping: nothing new starts, and what is in flight ends; Ctrl+C again aborts";
  private static final String RUNS = ".flyball/runs";

  /** How it may go. */
  record Terms(
      SamplingOptions options,
      BoundOptions bounds,
      OptionalLong budgetTokens,
      int reserve,
      Shown shown) {}

  /**
   * What came of it.
   *
   * @param remarks what people should know beside it
   * @param unreachable whether nobody was there to answer, or nobody let us in
   */
  record Ended(
      Review review,
      LearnedFile learned,
      List<String> remarks,
      boolean unreachable,
      Duration took,
      UnitRunner.Answers answers,
      Cost cost) {
    RunEnding ending(int exit) {
      long failed = answers.unanswered().size();
      return new RunEnding(
          took, exit, answers.asked(), Math.max(0, answers.asked() - failed), failed, cost);
    }
  }

  /**
   * What was found, put together.
   *
   * @param unsure how many were left out because nobody was sure enough of them
   */
  private record Judged(List<Finding> findings, long unsure) {}

  private final Subject subject;
  private final ReviewForecast forecast;
  private final Terms terms;
  private final Configuration config;
  private final Optional<RunRecorder> remembered;
  private final PrintWriter err;
  private final Time time = Time.system();
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Map<String, Optional<SourceText>> texts = new HashMap<>();

  AskedReview(
      Subject subject,
      ReviewForecast forecast,
      Terms terms,
      Configuration config,
      Optional<RunRecorder> remembered,
      PrintWriter err) {
    this.subject = subject;
    this.forecast = forecast;
    this.terms = terms;
    this.config = config;
    this.remembered = remembered;
    this.err = err;
  }

  Ended run(StaticReview looked, Baseline baseline, LearnedFile earlier, Terminal terminal)
      throws IOException, SourceUnavailable, InterruptedException {
    var plan = forecast.plan();
    var units = new ArrayList<>(plan.units());
    units.addAll(plan.beyond());
    var watch = new ReviewWatch(units, this::remember, time);
    var redaction = new Redaction();
    long started = time.nanos();
    var interrupts = new Interrupts(this::interrupt);
    try (var journal = AnswerJournal.in(folder());
        var flyball = flyball(earlier)) {
      var post = new ModelClient(subject, flyball, forecast.reviewers(), redaction, watch, time);
      var answers = asked(new UnitRunner(subject, post, journal, watch), watch, flyball, terminal);
      var judged = findings(looked, answers, baseline);
      var settled = settled(judged.findings, new Deliberation(post, journal));
      var took = Duration.ofNanos(time.nanos() - started);
      var coverage = coverage(units, answers);
      var findings = standing(judged.findings, settled.contradictions());
      var usage =
          new ReviewTotals(
                  watch,
                  flyball.snapshot().budgets().stream().findFirst(),
                  answers,
                  took,
                  interrupted.get(),
                  judged.unsure)
              .usage();
      var review =
          new Review(
              Verdict.of(findings, coverage),
              plan.scope().modeName(),
              coverage,
              findings,
              settled.contradictions(),
              Optional.of(usage));
      return new Ended(
          review,
          new LearnedFile(flyball.memory(), earlier.tokens()),
          remarks(answers, usage, redaction, settled),
          post.unreachable(),
          took,
          answers,
          watch.usage().cost());
    } finally {
      interrupts.close();
    }
  }

  private Flyball flyball(LearnedFile earlier) {
    var catalogue = config.catalogue();
    var style = catalogue.style(forecast.style());
    var flyball =
        Flyball.builder()
            .time(time)
            .mostInFlight(terms.bounds.concurrency().orElse(USUAL_IN_FLIGHT))
            .maxWait(terms.bounds.maxWait())
            .retries(RetryPolicy.USUAL.atMost(terms.bounds.maxRetries()))
            .profiles(lane -> style)
            .memory(earlier.lanes())
            .build();
    var money = terms.bounds.money();
    if (terms.budgetTokens.isPresent() || money.isPresent()) {
      flyball.budget(
          ModelClient.ACCOUNT, new Budget(terms.budgetTokens, money, terms.reserve / 100.0));
    }
    return flyball;
  }

  /** The same command finds the same folder. */
  private Path folder() {
    var name =
        subject.title()
            + "\0"
            + forecast.reviewers().values().stream()
                .map(reviewer -> reviewer.model())
                .sorted()
                .collect(Collectors.joining("\0"));
    var id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    return subject.root().resolve(RUNS).resolve(id.substring(0, 13));
  }

  private UnitRunner.Answers asked(
      UnitRunner inquiry, ReviewWatch watch, Flyball flyball, Terminal terminal)
      throws InterruptedException, IOException {
    var ended = new AtomicReference<UnitRunner.@Nullable Answers>();
    var failed = new AtomicReference<@Nullable Throwable>();
    long deadline =
        terms.bounds.deadline().map(left -> time.nanos() + left.toNanos()).orElse(Long.MAX_VALUE);
    var asking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ended.set(inquiry.ask(watch.units()));
                  } catch (InterruptedException | RuntimeException | Error broken) {
                    failed.set(broken);
                  }
                });
    var state = new ReviewProgressFile(folder().resolve("progress.json"), watch, time.wall());
    var screen = new ReviewScreen(subject.title(), watch, terms.budgetTokens, this::lane, terminal);
    for (int look = 0; !asking.join(Duration.ofMillis(1_000 / LOOKS_A_SECOND)); look++) {
      if (interrupted.get() || time.nanos() > deadline) {
        flyball.drain();
      }
      show(look, screen, state, flyball, terminal);
      if (look % LOOKS_A_SECOND == 0) {
        state.write();
      }
    }
    state.write();
    if (terms.shown == Shown.BAR) {
      terminal.draw(List.of());
    }
    var answers = ended.get();
    if (answers == null) {
      throw new IllegalStateException("a defect in Flyball: please report it", failed.get());
    }
    return answers;
  }

  private LaneId lane(Tier tier) {
    return Optional.ofNullable(forecast.reviewers().get(tier)).orElseThrow().lane();
  }

  private void show(
      int look, ReviewScreen screen, ReviewProgressFile state, Flyball flyball, Terminal terminal) {
    switch (terms.shown) {
      case BAR -> {
        var notice =
            interrupted.get() ? Optional.of(STOPPING) : remembered.flatMap(RunRecorder::trouble);
        terminal.draw(screen.picture(flyball.snapshot(), notice));
      }
      case PLAIN -> {
        if (look % PLAIN_EVERY == PLAIN_EVERY - 1) {
          err.println(screen.line());
        }
      }
      case JSON -> {
        if (look % LOOKS_A_SECOND == 0) {
          err.println(state.counts());
        }
      }
      case NONE -> {}
    }
  }

  private void remember(Unit unit, ModelClient.Tried tried) {
    if (remembered.isEmpty()) {
      return;
    }
    try {
      remembered
          .get()
          .record(
              new LineAttempt(
                  tried.reviewer().lane(),
                  tried.reviewer().model(),
                  unit.name(),
                  tried.number(),
                  tried.reply(),
                  tried.estimate(),
                  (double) unit.input(),
                  tried.usage(),
                  tried.cost(),
                  tried.took(),
                  Map.of(),
                  time.wall()),
              unit.part());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first ends it in order, the second at once. */
  private void interrupt() {
    if (interrupted.getAndSet(true)) {
      Runtime.getRuntime().halt(ExitCode.ABORTED.code());
    }
    if (terms.shown != Shown.BAR) {
      err.println(STOPPING);
    }
  }

  private ReviewCoverage coverage(List<Unit> units, UnitRunner.Answers answers) {
    var plan = forecast.plan();
    var skipped =
        plan.scope().skipped().stream()
            .map(file -> new ReviewCoverage.Skipped(file.path(), file.why().text()))
            .toList();
    var unanswered = new ArrayList<String>();
    var open = new TreeSet<String>();
    for (var each : answers.unanswered()) {
      for (var what : each.what()) {
        open.add(what.replaceFirst("#.*", ""));
        unanswered.add(each.unit().part() + ": " + what + " (" + each.why() + ")");
      }
    }
    var files =
        units.stream()
            .flatMap(unit -> unit.files().stream())
            .distinct()
            .collect(Collectors.toSet());
    files.removeAll(open);
    int all = plan.scope().files() + skipped.size();
    return new ReviewCoverage(all, Math.min(all, files.size()), skipped, unanswered);
  }

  private Judged findings(StaticReview looked, UnitRunner.Answers answers, Baseline baseline) {
    var claims = new ArrayList<>(looked.claims());
    claims.addAll(answers.claims());
    var merged = ClaimMerge.of(claims);
    var sure = merged.stream().filter(ClaimMerge::isSureEnough).toList();
    var identified = Finding.identify(sure, this::text);
    return new Judged(
        baseline.apply(identified, path -> true).findings(), merged.size() - sure.size());
  }

  private Deliberation.Settled settled(List<Finding> findings, Deliberation deliberation)
      throws IOException, InterruptedException {
    var contradictions = Contradiction.among(findings);
    return terms.options.deliberate()
        ? deliberation.on(contradictions, this::text)
        : new Deliberation.Settled(contradictions, Optional.empty());
  }

  /** Those that were not overruled. */
  private static List<Finding> standing(List<Finding> findings, List<Contradiction> settled) {
    var overruled = new HashSet<String>();
    settled.forEach(pair -> pair.overruled().forEach(finding -> overruled.add(finding.id())));
    return findings.stream().filter(finding -> !overruled.contains(finding.id())).toList();
  }

  /** What a place counts its lines in. */
  Optional<SourceText> text(Place.Lines place) {
    return texts.computeIfAbsent(
        place.side() + place.path(),
        key -> {
          try {
            var content =
                place.side() == DiffSide.RIGHT
                    ? subject.text(place.path())
                    : subject.before(place.path());
            return content.map(text -> SourceText.of(place.path(), text));
          } catch (SourceUnavailable gone) {
            return Optional.empty();
          }
        });
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
    if (!forecast.plan().dropped().isEmpty()) {
      remarks.add(
          "not asked, because the budget is too small: "
              + String.join(", ", forecast.plan().dropped()));
    }
    if (!answers.unanswered().isEmpty()) {
      remarks.add("the same command asks what is missing, and only that");
    }
    return remarks;
  }
}
