package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.batch.Attempted;
import dev.flyball.call.Cost;
import dev.flyball.history.Ending;
import dev.flyball.limit.Budget;
import dev.flyball.limit.RetryPolicy;
import dev.flyball.llm.Learned;
import dev.flyball.meaning.Meaning;
import dev.flyball.review.ask.Inquiry;
import dev.flyball.review.ask.Journal;
import dev.flyball.review.ask.Redaction;
import dev.flyball.review.check.StaticLens;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Coverage;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Merge;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.Side;
import dev.flyball.review.finding.Text;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.source.Subject;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A review that asks models: the plan is run, and what came of it is put together and judged. */
final class AskedReview {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int USUAL_IN_FLIGHT = 512;
  private static final int LOOKS_A_SECOND = 5;
  private static final String RUNS = ".flyball/runs";

  /**
   * How it may go.
   *
   * @param picture whether the screen is drawn while it runs
   */
  record Terms(
      AskingOptions options,
      OptionalInt concurrency,
      OptionalLong budgetTokens,
      int reserve,
      boolean picture) {}

  /**
   * What came of it.
   *
   * @param remarks what people should know beside it
   * @param answered whether any unit has an answer
   */
  record Ended(
      Review review,
      Learned learned,
      List<String> remarks,
      boolean answered,
      Duration took,
      Inquiry.Answers answers,
      Cost cost) {
    Ending ending(int exit) {
      long failed = answers.unanswered().size();
      return new Ending(
          took, exit, answers.asked(), Math.max(0, answers.asked() - failed), failed, cost);
    }
  }

  private final Subject subject;
  private final ReviewForecast forecast;
  private final Terms terms;
  private final Config config;
  private final Optional<Remembered> remembered;
  private final Time time = Time.system();
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Map<String, Optional<Text>> texts = new HashMap<>();
  private final Meaning meaning = new Meaning();

  AskedReview(
      Subject subject,
      ReviewForecast forecast,
      Terms terms,
      Config config,
      Optional<Remembered> remembered) {
    this.remembered = remembered;
    this.subject = subject;
    this.forecast = forecast;
    this.terms = terms;
    this.config = config;
  }

  Ended run(StaticLens looked, Baseline baseline, Learned earlier, Terminal terminal)
      throws IOException, SourceUnavailable, InterruptedException {
    var plan = forecast.plan();
    var units = new ArrayList<>(plan.units());
    units.addAll(plan.beyond());
    long budget = terms.budgetTokens.orElse(0);
    var screen = new ReviewScreen(units, budget, this::remember);
    var redaction = new Redaction();
    long started = time.nanos();
    Inquiry.Answers answers;
    Learned learned;
    var folder = folder();
    var interrupts = new Interrupts(this::interrupt);
    try (var journal = Journal.in(folder);
        var flyball = flyball(earlier)) {
      var inquiry =
          new Inquiry(subject, flyball, forecast.reviewers(), journal, redaction, screen, time);
      answers = asked(inquiry, units, screen, flyball, folder, terminal);
      learned = new Learned(flyball.memory(), earlier.tokens());
    } finally {
      interrupts.close();
    }
    var took = Duration.ofNanos(time.nanos() - started);
    var coverage = coverage(units, answers);
    var findings = findings(looked, answers, baseline);
    var review =
        new Review(
            Verdict.of(findings, coverage),
            plan.modeName(),
            coverage,
            findings,
            usage(screen, took, answers),
            Optional.of(PlanExport.json(forecast, config.prices().version())));
    return new Ended(
        review,
        learned,
        remarks(answers, redaction),
        answers.asked() + answers.cached() > answers.unanswered().size(),
        took,
        answers,
        screen.usage().cost());
  }

  private Flyball flyball(Learned earlier) {
    var catalogue = config.catalogue();
    var style = catalogue.style(forecast.style());
    var flyball =
        Flyball.builder()
            .time(time)
            .mostInFlight(terms.concurrency.orElse(USUAL_IN_FLIGHT))
            .maxWait(terms.options.maxWait())
            .retries(RetryPolicy.USUAL.atMost(terms.options.maxRetries()))
            .profiles(lane -> style)
            .memory(earlier.lanes())
            .build();
    var money = terms.options.budget();
    if (terms.budgetTokens.isPresent() || money.isPresent()) {
      flyball.budget(Inquiry.ACCOUNT, new Budget(terms.budgetTokens, money, terms.reserve / 100.0));
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

  private Inquiry.Answers asked(
      Inquiry inquiry,
      List<Unit> units,
      ReviewScreen screen,
      Flyball flyball,
      Path folder,
      Terminal terminal)
      throws InterruptedException, IOException {
    var ended = new AtomicReference<Inquiry.@Nullable Answers>();
    var failed = new AtomicReference<@Nullable Throwable>();
    long deadline =
        terms.options.deadline().map(left -> time.nanos() + left.toNanos()).orElse(Long.MAX_VALUE);
    var asking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ended.set(inquiry.ask(units));
                  } catch (InterruptedException | RuntimeException | Error broken) {
                    failed.set(broken);
                  }
                });
    var states = new ReviewState(folder.resolve("progress.json"), units, time.wall());
    int looks = 0;
    while (!asking.join(Duration.ofMillis(1_000 / LOOKS_A_SECOND))) {
      if (interrupted.get() || time.nanos() > deadline) {
        flyball.drain();
      }
      if (terms.picture) {
        terminal.draw(screen.picture(subject.title(), flyball.snapshot(), terminal));
      }
      if (looks++ % LOOKS_A_SECOND == 0) {
        states.write(screen);
      }
    }
    states.write(screen);
    if (terms.picture) {
      terminal.draw(List.of());
    }
    var answers = ended.get();
    if (answers == null) {
      throw new IllegalStateException("a defect in Flyball: please report it", failed.get());
    }
    return answers;
  }

  private void remember(Unit unit, Inquiry.Tried tried) {
    if (remembered.isEmpty()) {
      return;
    }
    try {
      remembered
          .get()
          .record(
              new Attempted(
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
              ReviewForecast.part(unit));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first ends it in order, the second at once. */
  private void interrupt() {
    if (interrupted.getAndSet(true)) {
      Runtime.getRuntime().halt(Exit.ABORTED.code());
    }
  }

  private Coverage coverage(List<Unit> units, Inquiry.Answers answers) {
    var plan = forecast.plan();
    var skipped =
        plan.skipped().stream()
            .map(file -> new Coverage.Skipped(file.path(), file.why().text()))
            .toList();
    var unanswered = new ArrayList<String>();
    var open = new TreeSet<String>();
    for (var each : answers.unanswered()) {
      for (var what : each.what()) {
        open.add(what.replaceFirst("#.*", ""));
        unanswered.add(ReviewForecast.part(each.unit()) + ": " + what + " (" + each.why() + ")");
      }
    }
    if (plan.dropped().stream().anyMatch(this::isRequired)) {
      unanswered.add("lenses without room in the budget: " + String.join(", ", plan.dropped()));
    }
    var files =
        units.stream()
            .flatMap(unit -> unit.files().stream())
            .distinct()
            .collect(Collectors.toSet());
    files.removeAll(open);
    int all = plan.files() + skipped.size();
    return new Coverage(all, Math.min(all, files.size()), skipped, unanswered);
  }

  private boolean isRequired(String lens) {
    return forecast.plan().units().stream()
        .flatMap(unit -> unit.lenses().stream())
        .anyMatch(each -> each.name().equals(lens) && each.required());
  }

  private List<Finding> findings(StaticLens looked, Inquiry.Answers answers, Baseline baseline) {
    var claims = new ArrayList<Claim>();
    looked.findings().forEach(finding -> claims.add(finding.claim()));
    claims.addAll(answers.claims());
    var merged = Merge.of(claims, meaning).stream().filter(Merge::isSureEnough).toList();
    var identified = Finding.identify(merged, this::text);
    return baseline.apply(identified, path -> true).findings();
  }

  /** What a place counts its lines in. */
  Optional<Text> text(Place.Lines place) {
    return texts.computeIfAbsent(
        place.side() + place.path(),
        key -> {
          try {
            var content =
                place.side() == Side.RIGHT
                    ? subject.text(place.path())
                    : subject.before(place.path());
            return content.map(text -> Text.of(place.path(), text));
          } catch (SourceUnavailable gone) {
            return Optional.empty();
          }
        });
  }

  private ObjectNode usage(ReviewScreen screen, Duration took, Inquiry.Answers answers) {
    var used = screen.usage();
    var node = NODES.objectNode();
    if (terms.budgetTokens.isPresent()) {
      long most = terms.budgetTokens.getAsLong();
      node.put("maxTokens", most);
      node.put("usedTokens", used.tokens());
      node.put("remainingTokens", Math.max(0, most - used.tokens()));
      node.put("percentUsed", Math.round(1_000.0 * used.tokens() / most) / 10.0);
    } else {
      node.putNull("maxTokens").put("usedTokens", used.tokens());
      node.putNull("remainingTokens").putNull("percentUsed");
    }
    node.put("costUsd", used.cost().toString().substring(1));
    node.put("durationMs", took.toMillis());
    var byLens = node.putObject("byLens");
    screen.byLens().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(lens -> byLens.put(lens.getKey(), lens.getValue().tokens()));
    double seconds = Math.max(1, took.toMillis()) / 1e3;
    node.put("tokensPerSecond", Math.round(used.tokens() / seconds));
    node.put("endedBy", endedBy(answers));
    node.put("asked", answers.asked()).put("cached", answers.cached());
    node.put("droppedFindings", answers.lost());
    return node;
  }

  private String endedBy(Inquiry.Answers answers) {
    if (answers.unanswered().isEmpty()) {
      return "completion";
    }
    if (interrupted.get()) {
      return "interrupt";
    }
    var causes = answers.unanswered().stream().map(Inquiry.Unanswered::cause).toList();
    return causes.contains(Inquiry.Cause.BUDGET)
        ? "budget"
        : causes.contains(Inquiry.Cause.STOPPED) ? "deadline" : "failures";
  }

  private List<String> remarks(Inquiry.Answers answers, Redaction redaction) {
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
    meaning
        .failure()
        .ifPresent(reason -> remarks.add("findings were compared by their words: " + reason));
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
