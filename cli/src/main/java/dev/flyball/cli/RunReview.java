package dev.flyball.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.ProgressOptions;
import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.SamplingOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.cli.screen.CheckProgressLine;
import dev.flyball.cli.screen.Confirmation;
import dev.flyball.cli.screen.PlanPage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Review;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.run.PlanForecast;
import dev.flyball.review.run.PlanJson;
import dev.flyball.review.run.ReviewEnd;
import dev.flyball.review.run.ReviewRun;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.review.run.ReviewState;
import dev.flyball.review.run.StaticRemarks;
import dev.flyball.review.run.UnaskedReview;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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

  @SetBy(Who.USER)
  @Option(
      names = "--plan",
      description = "Says what would be asked, and what that takes and costs. Nothing is sent.")
  private boolean planOnly;

  @SetBy(Who.USER)
  @Option(names = "--show-prompts", description = "With --plan: every word that would be said.")
  private boolean showPrompts;

  @SetBy(Who.PROJECT)
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

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Remembers nothing, and takes nothing from memory.")
  private boolean noHistory;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--fail-on",
      paramLabel = "critical|major|minor|none",
      defaultValue = "critical",
      description =
          "Exit code 1 if anything is found that is at least so grave. (${DEFAULT-VALUE})")
  private String failOn;

  @SetBy(value = Who.PROJECT, words = true)
  @Option(
      names = "--format",
      paramLabel = "NAME[=FILE]",
      description =
          "How the review is written: terminal, markdown, json, sarif or annotations; with a file"
              + " it may be repeated.")
  private List<String> formats = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where it is written to.")
  private @Nullable String output;

  @SetBy(Who.USER)
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
      var settings = settings();
      Main.sayWhatMoved(spec, main.config(), !noHistory && progress.shown() != Shown.JSON);
      if (writeBaseline && which.isChange()) {
        throw new IllegalArgumentException(
            "--write-baseline: a baseline is of all there is, not of a change");
      }
      try (var subject = which.subject(folder, main.config().patch())) {
        return planOnly
            ? plan(subject, settings, outputs)
            : review(subject, settings, gate, outputs);
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
  private ReviewSettings settings() {
    progress.shown();
    return planning.settings(Optional.ofNullable(model), bounds.bounds(), asking.deliberate());
  }

  /** Nothing that is kept is opened before it is known that it is not in what is reviewed. */
  private RunSetup.Builder setup(Subject subject) throws IOException {
    var config = main.config();
    ReviewState.of(config.environment(), subject.root());
    return RunSetup.of(config.environment(), config.files())
        .provider(provider.choice(config.environment(), Main.warnings(spec)))
        .history(
            noHistory
                ? Optional.empty()
                : Optional.of(history.place(config.folder(), config.environment())))
        .warnings(Main.warnings(spec));
  }

  private int plan(Subject subject, ReviewSettings settings, ReviewOutputs outputs)
      throws IOException, SourceUnavailable, InterruptedException {
    var out = spec.commandLine().getOut();
    var terminal = Terminal.of(out, main.config().environment());
    try (var run = setup(subject).sendsNothing().open()) {
      boolean shown = outputs.screen() == ReviewOutputs.Format.TERMINAL;
      var setup = ReviewSetup.of(run, subject, settings);
      var plan = setup.plan(CheckProgressLine.reading(terminal, shown));
      var forecast = setup.forecast(plan, run.history().read());
      outputs.write(forecast, run.prices().version(), out, terminal);
      if (showPrompts) {
        PlanPage.prompts(plan, subject, out);
      }
      return ExitCode.DONE.code();
    } catch (HistoryUnavailable unavailable) {
      return unavailable(unavailable);
    }
  }

  private int unavailable(HistoryUnavailable unavailable) {
    spec.commandLine()
        .getErr()
        .println("flyball review: " + unavailable.getMessage() + " (or go on with --no-history)");
    return ExitCode.REFUSED.code();
  }

  /** Whether anybody can be asked: a provider was named, or there is a key. */
  private boolean hasModels() {
    var environment = main.config().environment();
    return provider.isChosen()
        || KEYS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
  }

  private int review(Subject subject, ReviewSettings settings, Gate gate, ReviewOutputs outputs)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var terminal = Terminal.of(spec.commandLine().getOut(), main.config().environment());
    var looked =
        StaticReview.on(subject, Runtime.getRuntime().availableProcessors(), checking(terminal));
    if (writeBaseline) {
      return baseline(subject, looked);
    }
    if (hasModels()) {
      return asked(subject, settings, looked, gate, outputs, terminal);
    }
    var unasked = UnaskedReview.of(subject, looked);
    var review = unasked.review();
    outputs.write(
        review, NullNode.getInstance(), looked::text, spec.commandLine().getOut(), terminal);
    remarks(subject, looked, unasked.known());
    return gate.stops(review) ? ExitCode.FAILED.code() : ExitCode.DONE.code();
  }

  private int asked(
      Subject subject,
      ReviewSettings settings,
      StaticReview looked,
      Gate gate,
      ReviewOutputs outputs,
      Terminal terminal)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var shown = progress.shown();
    var err = spec.commandLine().getErr();
    try (var accounts = new SimulatedAccounts();
        var run = setup(subject).local(accounts).open()) {
      var setup = ReviewSetup.of(run, subject, settings);
      var plan = setup.plan(CheckProgressLine.reading(terminal, shown == Shown.BAR));
      var past = run.history().read();
      if (!mayAsk(subject, setup, plan, past, terminal)) {
        return ExitCode.REFUSED.code();
      }
      // Only programs are told what was forecast; it is worked out while models are asked.
      var forecast =
          outputs.hasJson()
              ? CompletableFuture.supplyAsync(() -> Optional.of(setup.forecast(plan, past)))
              : CompletableFuture.completedFuture(Optional.<PlanForecast>empty());
      var started = run.time().wall();
      var asked = new ReviewRun(setup, plan);
      var screen = new ReviewWatch(subject.title(), setup, shown, terminal, err);
      ReviewEnd ended;
      var interrupts =
          new Interrupts(
              () -> screen.drain(asked::drain),
              () -> screen.drain(() -> asked.drain(RunBounds.DRAIN)),
              () -> {});
      try {
        ended = asked.run(looked, UnaskedReview.baseline(subject), screen);
      } finally {
        interrupts.close();
      }
      screen.close();
      var planned =
          forecast
              .join()
              .<JsonNode>map(each -> PlanJson.of(each, run.prices().version()))
              .orElse(NullNode.getInstance());
      boolean written = written(outputs, ended.review(), planned, asked, terminal);
      StaticRemarks.suppressed(subject, looked).forEach(err::println);
      ended.remarks().forEach(err::println);
      var exit = written ? ended.exit(gate, asking.allowIncomplete()) : ExitCode.INCOMPLETE;
      try {
        ended.remember(subject, setup.budget(), started, exit);
      } catch (HistoryUnavailable gone) {
        err.println("flyball review: this review is not remembered: " + gone.getMessage());
      }
      return exit.code();
    } catch (HistoryUnavailable unavailable) {
      return unavailable(unavailable);
    }
  }

  /** The answers are kept, whatever becomes of the report. */
  private boolean written(
      ReviewOutputs outputs, Review review, JsonNode plan, ReviewRun asked, Terminal terminal) {
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

  /** A whole repository may cost more than somebody thinks. */
  private boolean mayAsk(
      Subject subject,
      ReviewSetup setup,
      ReviewPlan plan,
      Optional<History> past,
      Terminal terminal)
      throws IOException {
    var settings = setup.settings();
    // A budget is consent where the user set it; a stranger's project may name one as well.
    boolean budgeted =
        settings.bounds().isBudgeted()
            && Stream.of("--budget-usd", "--budget-tokens")
                .anyMatch(each -> main.config().isUsers(spec, each));
    if (subject.isChange() || asking.yes() || budgeted) {
      return true;
    }
    var forecast = setup.forecast(plan, past);
    var page = new PlanPage(terminal).lines(forecast, setup.pricesVersion());
    return Confirmation.given(page, spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  private int baseline(Subject subject, StaticReview looked) throws IOException {
    var file = UnaskedReview.keep(subject, looked);
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
