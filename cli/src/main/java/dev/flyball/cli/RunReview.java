package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.cli.config.ConfigBeforeChange;
import dev.flyball.cli.demo.SimulatedAccounts;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.ProgressOptions;
import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.PullOptions;
import dev.flyball.cli.option.SamplingOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.cli.review.AskedReview;
import dev.flyball.cli.review.PullReading;
import dev.flyball.cli.review.PullReview;
import dev.flyball.cli.review.ReviewDelivery;
import dev.flyball.cli.review.ReviewOutputs;
import dev.flyball.cli.screen.PlanPage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.TerminalTraits.Channel;
import dev.flyball.cli.screen.WorkLine;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.PullRequest;
import dev.flyball.publish.PullRequests;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.review.run.ReviewState;
import dev.flyball.review.run.StaticRemarks;
import dev.flyball.review.run.UnaskedReview;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.HistoryHandle;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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

/**
 * {@code flyball review}: what is wrong with a folder or a change.
 *
 * <p>Long because a review with models, one without, a plan and a baseline share their options.
 */
@Command(
    name = "review",
    sortOptions = false,
    description = {
      "Reviews a folder or a change. Without a provider key it runs static checks only: defects in"
          + " eleven languages, workflows and Dockerfiles, copies, unused code and secrets.",
      "A review without a model never approves anything; if any part was not answered, the verdict"
          + " is `incomplete`."
    },
    footer = {
      "",
      "Exit codes: 0 nothing at or above --fail-on, 1 findings at or above it, 2 wrong usage or"
          + " input, 3 incomplete, 4 provider not reached or key refused, 130 aborted."
    })
@Examples({
  "flyball review .",
  "flyball review src/Login.java web",
  "flyball review --diff main...HEAD",
  "git diff | flyball review --patch -",
  "flyball review . --format sarif=review.sarif --fail-on major",
  "flyball review --github acme/shop#12 --post"
})
final class RunReview implements Callable<Integer>, ConfigBeforeChange.Reviewing {
  private static final List<String> KEYS = List.of("ANTHROPIC_API_KEY", "OPENAI_API_KEY");

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      defaultValue = ".",
      description =
          "Folders or files; with a change, the folder of its repository. Default:"
              + " ${DEFAULT-VALUE}")
  private List<String> paths;

  @Mixin private SubjectOptions which;
  @Mixin private PullOptions pulls;

  @SetBy(Who.USER)
  @Option(
      names = "--plan",
      description =
          "Show what would be asked, how long it takes and what it costs. Nothing is sent.")
  private boolean planOnly;

  @SetBy(Who.USER)
  @Option(names = "--show-prompts", description = "With --plan: print the full prompts.")
  private boolean showPrompts;

  @SetBy(Who.PROJECT)
  @Option(names = "--model", paramLabel = "NAME", description = "The model for demanding lenses.")
  private @Nullable String model;

  @Mixin private PlanOptions planning;
  @Mixin private SamplingOptions asking;
  @Mixin private BoundOptions bounds;
  @Mixin private FleetOption fleet;
  @Mixin private ProviderOptions provider;
  @Mixin private HistoryOptions history;
  @Mixin private ProgressOptions progress;

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Do not record this run or use earlier ones.")
  private boolean noHistory;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--fail-on",
      paramLabel = "critical|major|minor|none",
      defaultValue = "critical",
      description = "Exit with 1 if a finding is at least this severe. Default: ${DEFAULT-VALUE}")
  private String failOn;

  @SetBy(value = Who.PROJECT, words = true)
  @Option(names = "--format", paramLabel = "NAME[=FILE]", description = ReviewOutputs.NAMES)
  private List<String> formats = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file.")
  private @Nullable String output;

  @SetBy(Who.USER)
  @Option(
      names = "--write-baseline",
      description = "Write all findings to .flyball/baseline.json; later reviews ignore them.")
  private boolean writeBaseline;

  @Override
  public SubjectOptions which() {
    return which;
  }

  @Override
  public String path() {
    return paths.getFirst();
  }

  @Override
  public Optional<PullOptions> pulls() {
    return Optional.of(pulls);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var folder = main.config().folder().resolve(path());
    try {
      var gate = Gate.of(failOn);
      var outputs = ReviewOutputs.of(formats, Optional.ofNullable(output), main.config().folder());
      var settings = settings();
      Main.sayWhatMoved(spec, main.config(), !noHistory && shown() != Shown.JSON);
      pulls.check(which.isChange());
      if (writeBaseline && (which.isChange() || pulls.isNamed())) {
        throw new IllegalArgumentException("--write-baseline needs a whole folder, not a change");
      }
      boolean onlyFolder = paths.size() == 1 && Files.isDirectory(folder);
      if (writeBaseline && !onlyFolder) {
        throw new IllegalArgumentException("--write-baseline needs one whole folder");
      }
      if ((which.isChange() || pulls.isNamed()) && !onlyFolder) {
        throw new IllegalArgumentException(
            "with a change, PATH is the folder of its repository, not " + String.join(" ", paths));
      }
      if (pulls.isList()) {
        return list();
      }
      if (pulls.isNamed()) {
        return pulled(folder, settings, gate, outputs);
      }
      var named = paths.stream().map(main.config().folder()::resolve).toList();
      try (var subject = which.subject(named, main.config().patch())) {
        return planOnly
            ? plan(subject, settings, outputs)
            : review(subject, settings, gate, outputs, Optional.empty());
      }
    } catch (HostTrouble trouble) {
      return trouble(trouble);
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

  /** One that is not to be looked at yet is no failure. */
  private int pulled(Path folder, ReviewSettings settings, Gate gate, ReviewOutputs outputs)
      throws HostTrouble, IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var name = pulls.name();
    pulls.place(main.config().environment());
    var reading =
        main.config().pull().orElseThrow(() -> new IllegalStateException(name + " is read first"));
    return switch (reading) {
      case PullReading.Failed(HostTrouble trouble) -> throw trouble;
      case PullReading.Read(PullRequest pull) -> {
        var unready = pulls.drafts() ? Optional.<String>empty() : pull.unready();
        if (unready.isPresent()) {
          spec.commandLine()
              .getErr()
              .println(
                  "%s %s: not reviewed; pass --drafts to review it anyway"
                      .formatted(pull.name(), unready.get()));
          yield ExitCode.DONE.code();
        }
        var err = spec.commandLine().getErr();
        try (var review = PullReview.open(pulls, pull, folder, main.config().environment(), err)) {
          var about = settings.about(review.purpose());
          if (planOnly) {
            yield plan(review.subject(), about, outputs);
          }
          if (hasModels()) {
            review.narrow(historyPlace());
          }
          yield review(review.subject(), about, gate, outputs, Optional.of(review));
        } catch (HistoryUnavailable unavailable) {
          yield unavailable(unavailable);
        }
      }
    };
  }

  /** The open pull requests that nobody has reviewed as they are. */
  private int list() throws HostTrouble, IOException, InterruptedException {
    var environment = main.config().environment();
    var repository = pulls.repository();
    try (var door = PullRequests.at(pulls.place(environment), environment);
        var past = HistoryHandle.of(historyPlace())) {
      for (var open :
          door.unreviewed(repository, pulls.drafts(), pull -> PullReview.isReviewed(past, pull))) {
        spec.commandLine()
            .getOut()
            .println("%s  %s".formatted(open.name(), SafeText.line(open.title())));
      }
    }
    return ExitCode.DONE.code();
  }

  private Optional<HistoryLocation> historyPlace() throws IOException {
    return noHistory
        ? Optional.empty()
        : Optional.of(history.place(main.config().folder(), main.config().environment()));
  }

  private int trouble(HostTrouble trouble) {
    spec.commandLine().getErr().println("flyball review: " + trouble.getMessage());
    return trouble.reason() == HostTrouble.Reason.UNREACHABLE
        ? ExitCode.UNREACHABLE.code()
        : ExitCode.REFUSED.code();
  }

  /** What cannot be is refused before anything is read, whether or not it would be needed. */
  private ReviewSettings settings() {
    shown();
    return planning.settings(Optional.ofNullable(model), bounds.bounds(), asking.deliberate());
  }

  /** Nothing that is kept is opened before it is known that it is not in what is reviewed. */
  private RunSetup.Builder setup(Subject subject) throws IOException {
    var config = main.config();
    ReviewState.of(config.environment(), subject);
    return RunSetup.of(config.environment(), config.files())
        .provider(provider.choice(config.environment(), Main.warnings(spec)))
        .history(historyPlace())
        .warnings(Main.warnings(spec))
        .fleet(fleet.place())
        .budgetScope(bounds.scope());
  }

  private int plan(Subject subject, ReviewSettings settings, ReviewOutputs outputs)
      throws IOException, SourceUnavailable, InterruptedException {
    var out = spec.commandLine().getOut();
    var terminal = Terminal.of(out, main.config().environment());
    try (var work = work(outputs.screen() == ReviewOutputs.Format.TERMINAL);
        var run = setup(subject).sendsNothing().open()) {
      var setup = ReviewSetup.of(run, subject, settings);
      var plan = setup.plan(work.reading());
      work.begin("rehearsing the review");
      var forecast = setup.forecast(plan, run.history().read());
      work.end();
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
        .println("flyball review: " + unavailable.getMessage() + " (or pass --no-history)");
    return ExitCode.REFUSED.code();
  }

  /** Whether anybody can be asked: a provider was named, or there is a key. */
  private boolean hasModels() {
    var environment = main.config().environment();
    return provider.isChosen()
        || KEYS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
  }

  private int review(
      Subject subject,
      ReviewSettings settings,
      Gate gate,
      ReviewOutputs outputs,
      Optional<PullReview> pull)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    var terminal = Terminal.of(spec.commandLine().getOut(), main.config().environment());
    // Whether or not anybody is asked: a name that is wrong here is wrong with a key too.
    ReviewSetup.lenses(subject, main.config().files(), settings.lenses());
    var looked = looked(subject);
    if (writeBaseline) {
      return baseline(subject, looked);
    }
    var delivery =
        new ReviewDelivery(
            subject,
            outputs,
            gate,
            pull,
            main.config().environment(),
            terminal,
            spec.commandLine().getOut(),
            spec.commandLine().getErr());
    if (hasModels()) {
      return asked(subject, settings, looked, delivery);
    }
    var unasked = UnaskedReview.of(subject, looked);
    var review = unasked.review();
    var exit = gate.stops(review) ? ExitCode.FAILED : ExitCode.DONE;
    var stored = delivery.keep(review, NullNode.getInstance(), looked::text, exit);
    delivery.write(stored, looked::text);
    remarks(subject, looked, unasked.known());
    return delivery.post(stored, exit).code();
  }

  private StaticReview looked(Subject subject)
      throws IOException, SourceUnavailable, InterruptedException {
    try (var work = work(true)) {
      work.title(subject.title());
      work.begin("looking for defects");
      int cores = Runtime.getRuntime().availableProcessors();
      return StaticReview.on(subject, main.config().rules(), cores, work.checking());
    }
  }

  /** What is under way on this machine; programs are told nothing of it. */
  private WorkLine work(boolean wanted) {
    var shown = shown();
    var line = spec.commandLine();
    return WorkLine.of(
        "flyball review",
        line.getErr(),
        main.config().environment(),
        wanted && (shown == Shown.BAR || shown == Shown.PLAIN));
  }

  private Shown shown() {
    return progress.shown(Channel.ERR, main.config().environment());
  }

  private int asked(
      Subject subject, ReviewSettings settings, StaticReview looked, ReviewDelivery delivery)
      throws IOException, SourceUnavailable, Baseline.Damaged, InterruptedException {
    // A budget is consent where the user set it; a stranger's project may name one as well.
    boolean budgeted =
        settings.bounds().isBudgeted()
            && Stream.of("--budget-usd", "--budget-tokens")
                .anyMatch(each -> main.config().isUsers(spec, each));
    var asked =
        new AskedReview(
            subject,
            settings,
            delivery,
            shown(),
            asking.yes() || budgeted,
            asking.allowIncomplete());
    try (var work = work(true);
        var accounts = new SimulatedAccounts();
        var run = setup(subject).local(accounts).open()) {
      return asked.run(run, looked, work).code();
    } catch (HistoryUnavailable unavailable) {
      return unavailable(unavailable);
    }
  }

  private int baseline(Subject subject, StaticReview looked) throws IOException {
    var file = UnaskedReview.keep(subject, looked);
    spec.commandLine()
        .getOut()
        .println(
            (looked.findings().size() == 1
                    ? "1 finding is now in the baseline, "
                    : looked.findings().size() + " findings are now in the baseline, ")
                + shown(file)
                + "; later reviews ignore what is in it");
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
        subject.isEmpty()
            ? which.nothing()
            : "no model was asked: put a key into ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a"
                + " --provider; --plan shows what that costs");
    StaticRemarks.suppressed(subject, looked).forEach(err::println);
    StaticRemarks.known(looked, known).forEach(err::println);
  }
}
