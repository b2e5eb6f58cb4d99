package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchSettings;
import dev.flyball.cli.option.ConcurrencyOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.InputSpool;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.cli.screen.CheckProgressLine;
import dev.flyball.cli.screen.EstimatePage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.llm.Timeouts;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.review.run.ReviewState;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.BadInput;
import dev.flyball.run.BadSettings;
import dev.flyball.run.EstimateJson;
import dev.flyball.run.Estimation;
import dev.flyball.run.ExitCode;
import dev.flyball.run.ForecastInputs;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball estimate}: what a run would take and cost, before anything is sent. */
@Command(
    name = "estimate",
    sortOptions = false,
    description = {
      "Says what a file of prompts, or a review, would take and cost. Nothing is sent and no key is"
          + " needed.",
      "The real scheduler runs it in virtual time, against the limits that earlier runs have"
          + " learned or that an account of a known size has."
    },
    footer = {
      "",
      "  flyball estimate questions.jsonl",
      "  flyball estimate questions.jsonl --limits anthropic-build --concurrency 50",
      "  flyball estimate questions.jsonl --model claude-haiku-4-5 --json",
      "  flyball estimate .                         what a review of this folder would be",
      "  flyball estimate --diff main...HEAD        and of a change"
    })
final class ShowEstimate implements Callable<Integer>, ConfigBeforeChange.Reviewing {
  private static final long EVERY = 2_000;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private HistoryOptions history;

  @Parameters(
      paramLabel = "IN.jsonl|PATH",
      arity = "0..1",
      description =
          "The file of prompts, - for standard input; or the folder of a review. A change needs"
              + " none.")
  private @Nullable String input;

  @Mixin private SubjectOptions which;
  @Mixin private PlanOptions planning;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--limits",
      paramLabel = "ACCOUNT",
      description =
          "What if the account were this one, as in anthropic-build; if not said, what was learned"
              + " holds, else the account that customers start with.")
  private @Nullable String limits;

  @Mixin private ConcurrencyOption concurrency;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "What if every line asked this model.")
  private @Nullable String model;

  @SetBy(Who.PROJECT)
  @Option(names = "--no-cache", description = "What if no prompt were cached.")
  private boolean noCache;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--output-tokens",
      paramLabel = "N",
      description = "How long answers are, if you know.")
  private @Nullable Long outputTokens;

  @SetBy(Who.USER)
  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Who would answer, as for `flyball batch`; `simulated` is one of them.")
  private @Nullable String provider;

  @SetBy(Who.USER)
  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description = "The server that would answer, as for `flyball batch`.")
  private @Nullable String baseUrl;

  @SetBy(Who.USER)
  @Option(names = "--first", paramLabel = "N", description = "Only the first N lines.")
  private @Nullable Long first;

  @SetBy(Who.USER)
  @Option(names = "--skip-invalid", description = "Leaves out lines that cannot be sent.")
  private boolean skipInvalid;

  @SetBy(Who.PROJECT)
  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Takes nothing from earlier runs.")
  private boolean noHistory;

  @Override
  public SubjectOptions which() {
    return which;
  }

  @Override
  public String path() {
    return input == null ? "." : input;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (which.isChange() || Files.isDirectory(main.config().folder().resolve(path()))) {
      if (!which.isChange() && input == null) {
        throw new ParameterException(
            spec.commandLine(), "name a file of prompts, a folder to review, or a change");
      }
      return review();
    }
    var folder = Files.createTempDirectory("flyball-estimate");
    try {
      return estimate(folder);
    } catch (BadInput wrong) {
      spec.commandLine().getErr().println("flyball estimate: " + wrong.getMessage());
      return ExitCode.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw new ParameterException(spec.commandLine(), "there is no file " + missing.getFile());
    } finally {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private int review() throws IOException, InterruptedException {
    var config = main.config();
    var outputs =
        ReviewOutputs.of(json ? List.of("json") : List.of(), Optional.empty(), config.folder());
    try (var subject = which.subject(config.folder().resolve(path()), config.patch());
        var run = setup(subject)) {
      var terminal = Terminal.of(spec.commandLine().getOut(), config.environment());
      var settings = planning.settings(Optional.ofNullable(model), RunBounds.USUAL, false);
      var inputs = inputs(run);
      var setup = ReviewSetup.of(run, subject, settings, inputs);
      var plan = setup.plan(CheckProgressLine.reading(terminal, !json));
      outputs.write(
          setup.forecast(plan, inputs),
          setup.pricesVersion(),
          spec.commandLine().getOut(),
          terminal);
      return ExitCode.DONE.code();
    } catch (SourceUnavailable | PatchRefused wrong) {
      spec.commandLine().getErr().println("flyball estimate: " + wrong.getMessage());
      return ExitCode.REFUSED.code();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    } catch (NoSuchFileException missing) {
      throw new ParameterException(
          spec.commandLine(), "there is no file " + missing.getFile(), missing);
    }
  }

  /** Nothing that is kept is opened before it is known that it is not in what is reviewed. */
  private RunSetup setup(Subject subject) throws IOException {
    ReviewState.of(main.config().environment(), subject.root());
    return setup();
  }

  private RunSetup setup() throws IOException {
    var config = main.config();
    var choice =
        new ProviderChoice(
            Optional.ofNullable(provider),
            Optional.ofNullable(baseUrl),
            List.of(),
            Map.of(),
            Optional.ofNullable(limits),
            Timeouts.USUAL.firstByte(),
            false);
    return RunSetup.of(config.environment(), config.files())
        .provider(choice)
        .history(
            noHistory
                ? Optional.empty()
                : Optional.of(history.place(config.folder(), config.environment())))
        .warnings(Main.warnings(spec))
        .sendsNothing()
        .open();
  }

  private ForecastInputs inputs(RunSetup run) throws InterruptedException {
    return run.forecast(
        run.learned(),
        past(run),
        concurrency.most(),
        !noCache,
        outputTokens == null ? OptionalLong.empty() : OptionalLong.of(outputTokens),
        false);
  }

  private Optional<History> past(RunSetup run) throws InterruptedException {
    try {
      return run.history().read();
    } catch (HistoryUnavailable unavailable) {
      spec.commandLine()
          .getErr()
          .println("flyball estimate: without earlier runs: " + unavailable.getMessage());
      return Optional.empty();
    }
  }

  private int estimate(Path folder) throws IOException, BadInput, InterruptedException {
    try (var run = setup();
        var batch = Batch.prepare(run, settings(folder))) {
      batch.problems().forEach(this::leftOut);
      var terminal = Terminal.of(spec.commandLine().getOut(), main.config().environment());
      var inputs = inputs(run);
      var workload = batch.workload(Long.MAX_VALUE, progress(batch.left(), terminal));
      print(inputs.estimateAside(workload), terminal, run.prices().version());
    } catch (BadSettings wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
    return ExitCode.DONE.code();
  }

  private void leftOut(String problem) {
    spec.commandLine().getErr().println("flyball estimate: left out: " + problem);
  }

  private void print(Estimation estimation, Terminal terminal, String pricesVersion) {
    var out = spec.commandLine().getOut();
    if (json) {
      out.println(AsciiJson.pretty(EstimateJson.of(path(), estimation, pricesVersion)));
    } else {
      new EstimatePage(terminal).lines(path(), estimation, pricesVersion).forEach(out::println);
    }
    out.flush();
  }

  /** Counting very many lines takes a while; then somebody who waits is told how far it is. */
  private LongConsumer progress(long lines, Terminal terminal) {
    if (json || !Terminal.isThere() || lines < EVERY) {
      return read -> {};
    }
    return read -> {
      if (read == lines) {
        terminal.draw(List.of());
      } else if (read % EVERY == 0) {
        terminal.draw(List.of("counting tokens: %,d of %,d lines".formatted(read, lines)));
      }
    };
  }

  private BatchSettings settings(Path folder) throws IOException {
    check("--first", first == null || first >= 1, "at least 1 is expected, not " + first);
    check(
        "--output-tokens",
        outputTokens == null || outputTokens >= 0,
        "at least 0 is expected, not " + outputTokens);
    return BatchSettings.of(inputFile(folder), folder.resolve("answers.jsonl"))
        .asIf(Optional.ofNullable(model))
        .first(first == null ? Long.MAX_VALUE : first)
        .skipInvalid(skipInvalid);
  }

  private Path inputFile(Path folder) throws IOException {
    var name = path();
    var path = main.config().folder().resolve(name);
    if (!name.equals("-") && (Files.isRegularFile(path) || Files.notExists(path))) {
      return path;
    }
    check(
        "PATH",
        name.equals("-") || !InputSpool.isDevice(path),
        name + " is a device, which may have no end: name a file or a pipe");
    var file = folder.resolve("input.jsonl");
    try (var in = name.equals("-") ? System.in : Files.newInputStream(path)) {
      InputSpool.copy(in, file);
    }
    return file;
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), option + ": " + rule);
    }
  }
}
