package dev.flyball.cli;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.cli.ProgressOptions.Shown;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunStart;
import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.plan.DigestStore;
import dev.flyball.review.plan.Lens;
import dev.flyball.review.select.FolderTree;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.PatchRefused;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.HistoryHandle;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.LearnedStore;
import dev.flyball.run.StateFolder;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball review}: what is wrong with a folder or a change. */
@Command(
    name = "review",
    sortOptions = false,
    description = {
      "Reviews a folder, or a change to it. Without a key of any provider it checks what can be"
          + " checked without a model.",
      "The verdict says what was seen: a review that asked no model never approves anything."
    },
    footer = {
      "",
      "  flyball review .",
      "  flyball review --diff main...HEAD",
      "  git diff | flyball review --patch -",
      "  flyball review . --format sarif=review.sarif --fail-on major"
    })
final class RunReview implements Callable<Integer>, ConfigBeforeChange.Reviewing {
  private static final List<String> KEYS = List.of("ANTHROPIC_API_KEY", "OPENAI_API_KEY");

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      defaultValue = ".",
      description = "The folder, or the one whose repository the change is in. (${DEFAULT-VALUE})")
  private String path;

  @Mixin private SubjectOptions which;

  @Option(
      names = "--plan",
      description = "Says what would be asked, and what that takes and costs. Nothing is sent.")
  private boolean planOnly;

  @Option(names = "--show-prompts", description = "With --plan: every word that would be said.")
  private boolean showPrompts;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model for lenses that need thought.")
  private @Nullable String model;

  @Mixin private PlanOptions planning;
  @Mixin private SamplingOptions asking;
  @Mixin private BoundOptions bounds;
  @Mixin private ProviderOptions provider;
  @Mixin private HistoryOptions history;
  @Mixin private ProgressOptions progress;

  @Option(names = "--no-history", description = "Remembers nothing, and takes nothing from memory.")
  private boolean noHistory;

  @Option(
      names = "--fail-on",
      paramLabel = "critical|major|minor|none",
      defaultValue = "critical",
      description =
          "Exit code 1 if anything is found that is at least so grave. (${DEFAULT-VALUE})")
  private String failOn;

  @Option(
      names = "--format",
      paramLabel = "NAME[=FILE]",
      description =
          "How the review is written: terminal, markdown, json, sarif or annotations; with a file"
              + " it may be repeated.")
  private List<String> formats = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where it is written to.")
  private @Nullable String output;

  @Option(
      names = "--write-baseline",
      description =
          "Keeps what is found in .flyball/baseline.json: later reviews know it and do not fail on"
              + " it.")
  private boolean writeBaseline;

  @Override
  public SubjectOptions which() {
    return which;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var folder = main.config().folder().resolve(path);
    try {
      var gate = Gate.of(failOn);
      var outputs = ReviewOutputs.of(formats, Optional.ofNullable(output), main.config().folder());
      check();
      if (writeBaseline && which.isChange()) {
        throw new IllegalArgumentException(
            "--write-baseline: a baseline is of all there is, not of a change");
      }
      try (var subject = which.subject(folder)) {
        return planOnly ? plan(subject, outputs) : review(subject, gate, outputs);
      }
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    } catch (SourceUnavailable | PatchRefused | Baseline.Damaged wrong) {
      spec.commandLine().getErr().println("flyball review: " + wrong.getMessage());
      return ExitCode.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw new ParameterException(
          spec.commandLine(), "there is no file " + missing.getFile(), missing);
    }
  }

  /** What cannot be is refused before anything is read, whether or not it would be needed. */
  private void check() {
    bounds.check();
    planning.check();
    progress.shown();
  }

  private int plan(Subject subject, ReviewOutputs outputs)
      throws IOException, SourceUnavailable, InterruptedException {
    var config = main.config();
    var out = spec.commandLine().getOut();
    var terminal = Terminal.of(out, config.environment());
    try (var to = provider.imagine();
        var past = past()) {
      boolean shown = outputs.screen() == ReviewOutputs.Format.TERMINAL;
      var forecast = forecast(subject, to, past, terminal, shown);
      outputs.write(forecast, config.prices().version(), out, terminal);
      if (showPrompts) {
        PlanPage.prompts(forecast.plan(), subject, out);
      }
      return ExitCode.DONE.code();
    } catch (HistoryUnavailable unavailable) {
      return unavailable(unavailable);
    }
  }

  private HistoryHandle past() {
    var config = main.config();
    return HistoryHandle.of(
        noHistory ? Optional.empty() : Optional.of(history.place(config.folder())));
  }

  private int unavailable(HistoryUnavailable unavailable) {
    spec.commandLine()
        .getErr()
        .println("flyball review: " + unavailable.getMessage() + " (or go on with --no-history)");
    return ExitCode.REFUSED.code();
  }

  private ReviewForecast forecast(
      Subject subject, ProviderOptions to, HistoryHandle past, Terminal terminal, boolean shown)
      throws IOException, SourceUnavailable, InterruptedException, HistoryUnavailable {
    var config = main.config();
    var now = Time.system().wall();
    to.with(config.environment(), config.catalogue());
    var earlier = earlier(to);
    return ReviewForecast.of(
        subject,
        new ReviewForecast.Desk(
            config,
            new ForecastInputs(
                to,
                config.catalogue(),
                earlier.lanes(),
                past.read(),
                bounds.concurrency(),
                true,
                OptionalLong.empty(),
                false),
            earlier,
            planning,
            Optional.ofNullable(model),
            CompletableFuture.completedFuture(
                DigestStore.of(
                    StateFolder.folder(config.environment()), FolderTree.top(subject.root()), now)),
            now),
        CheckProgressLine.reading(terminal, shown));
  }

  private LearnedFile earlier(ProviderOptions to) {
    return to.simulated() ? LearnedFile.NOTHING : lessons().read();
  }

  /** Whether anybody can be asked: a provider was named, or there is a key. */
  private boolean hasModels() {
    var environment = main.config().environment();
    return provider.isChosen()
        || KEYS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
  }

  private LearnedStore lessons() {
    return new LearnedStore(main.config().environment(), Main.warnings(spec));
  }

  private int review(Subject subject, Gate gate, ReviewOutputs outputs)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var terminal = Terminal.of(spec.commandLine().getOut(), main.config().environment());
    var looked =
        StaticReview.on(subject, Runtime.getRuntime().availableProcessors(), checking(terminal));
    if (writeBaseline) {
      return baseline(subject, looked);
    }
    if (hasModels()) {
      return asked(subject, looked, gate, outputs, terminal);
    }
    var known = baseline(subject).apply(looked.findings(), looked.texts()::containsKey);
    var review =
        new Review(
            Verdict.STATIC_ONLY,
            "static",
            looked.coverage(),
            known.findings(),
            List.of(),
            Optional.empty());
    outputs.write(
        review, NullNode.getInstance(), looked::text, spec.commandLine().getOut(), terminal);
    remarks(subject, looked, known);
    return gate.stops(review) ? ExitCode.FAILED.code() : ExitCode.DONE.code();
  }

  private int asked(
      Subject subject, StaticReview looked, Gate gate, ReviewOutputs outputs, Terminal terminal)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var config = main.config();
    var shown = progress.shown();
    try (var to = provider;
        var past = past()) {
      var forecast = forecast(subject, to, past, terminal, shown == Shown.BAR);
      if (!mayAsk(subject, forecast, terminal)) {
        return ExitCode.REFUSED.code();
      }
      var applies = subject.isChange() ? Lens.SubjectKind.CHANGE : Lens.SubjectKind.REPOSITORY;
      var terms =
          new AskedReview.Terms(
              asking, bounds, planning.budget(applies), planning.reserve(), shown);
      var remembered = remembered(subject, forecast, to, past);
      var started = Time.system().wall();
      var err = spec.commandLine().getErr();
      var asked = new AskedReview(subject, forecast, terms, config, remembered, err);
      var ended = asked.run(looked, baseline(subject), earlier(to), terminal);
      if (!to.simulated()) {
        lessons().keep(ended.learned());
      }
      var review = ended.review();
      var plan = PlanExport.json(forecast, config.prices().version());
      boolean written = written(outputs, review, plan, asked, terminal);
      StaticRemarks.suppressed(subject, looked).forEach(err::println);
      ended.remarks().forEach(err::println);
      int exit = (written ? exit(ended, gate) : ExitCode.INCOMPLETE).code();
      if (remembered.isPresent()) {
        try {
          var kept = ReviewRecord.of(subject, ended, terms.budgetTokens(), started);
          remembered.get().reviewed(kept);
        } catch (HistoryUnavailable gone) {
          err.println("flyball review: this review is not remembered: " + gone.getMessage());
        }
        remembered.get().end(ended.ending(exit));
      }
      return exit;
    } catch (HistoryUnavailable unavailable) {
      return unavailable(unavailable);
    }
  }

  /** The answers are kept, whatever becomes of the report. */
  private boolean written(
      ReviewOutputs outputs, Review review, JsonNode plan, AskedReview asked, Terminal terminal) {
    try {
      outputs.write(review, plan, asked::text, spec.commandLine().getOut(), terminal);
      return true;
    } catch (IOException full) {
      spec.commandLine()
          .getErr()
          .println(
              "flyball review: the report could not be written: %s; the answers are kept, and the same command writes it again"
                  .formatted(full.getMessage()));
      return false;
    }
  }

  private ExitCode exit(AskedReview.Ended ended, Gate gate) {
    if (ended.unreachable() && ended.answers().cached() == 0) {
      return ExitCode.UNREACHABLE;
    }
    var review = ended.review();
    return review.verdict() == Verdict.INCOMPLETE && !asking.allowIncomplete()
        ? ExitCode.INCOMPLETE
        : gate.stops(review) ? ExitCode.FAILED : ExitCode.DONE;
  }

  private Optional<RunRecorder> remembered(
      Subject subject, ReviewForecast forecast, ProviderOptions to, HistoryHandle past)
      throws HistoryUnavailable, InterruptedException {
    var store = past.write();
    if (store.isEmpty()) {
      return Optional.empty();
    }
    var reviewers = forecast.reviewers().values();
    var run =
        RunStart.of(
                "review",
                forecast.plan().scope().modeName(),
                to.simulated() ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL)
            .in(String.valueOf(subject.root().getFileName()), subject.title())
            .asking(
                reviewers.stream()
                    .map(each -> each.lane().provider())
                    .distinct()
                    .collect(joining(",")),
                reviewers.stream()
                    .map(each -> each.model())
                    .distinct()
                    .sorted()
                    .collect(joining(",")),
                new PriceBasis.Listed(main.config().prices().version()));
    return Optional.of(RunRecorder.begin(store.get(), run));
  }

  /** A whole repository may cost more than somebody thinks. */
  private boolean mayAsk(Subject subject, ReviewForecast forecast, Terminal terminal)
      throws IOException {
    boolean bounded =
        planning.isBounded() || bounds.money().isPresent() || asking.yes() || subject.isChange();
    var plan = new PlanPage(terminal).lines(forecast, main.config().prices().version());
    return bounded
        || Confirmation.given(plan, spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  private static Baseline baseline(Subject subject) throws SourceUnavailable, Baseline.Damaged {
    var text = subject.before(Baseline.PATH);
    return text.isPresent() ? Baseline.read(text.get(), Baseline.PATH) : Baseline.EMPTY;
  }

  private int baseline(Subject subject, StaticReview looked) throws IOException {
    var file = subject.root().resolve(Baseline.PATH);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, Baseline.of(looked.findings()).json());
    spec.commandLine()
        .getOut()
        .printf("%d findings are known from now on: %s%n", looked.findings().size(), shown(file));
    return ExitCode.DONE.code();
  }

  private Path shown(Path file) {
    var here = main.config().folder().toAbsolutePath().normalize();
    return file.startsWith(here) ? here.relativize(file) : file;
  }

  /** What is worth knowing beside the review itself goes where it disturbs no program. */
  private void remarks(Subject subject, StaticReview looked, Baseline.Applied known) {
    var err = spec.commandLine().getErr();
    err.println(
        "no model was asked: put a key into ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a"
            + " --provider; --plan shows what that costs");
    StaticRemarks.suppressed(subject, looked).forEach(err::println);
    StaticRemarks.known(looked, known).forEach(err::println);
  }

  private CheckListener checking(Terminal terminal) {
    return switch (progress.shown()) {
      case BAR -> CheckProgressLine.checking(terminal, true);
      case PLAIN -> plain();
      case JSON, NONE -> CheckListener.NONE;
    };
  }

  private CheckListener plain() {
    var err = spec.commandLine().getErr();
    return (step, done, of) -> {
      if (done == of) {
        err.println(CheckProgressLine.words(step) + ": " + of + " files");
      }
    };
  }
}
