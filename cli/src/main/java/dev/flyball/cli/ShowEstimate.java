package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchSettings;
import dev.flyball.cli.config.ConfigBeforeChange;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.ConcurrencyOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.InputSpool;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.cli.review.ReviewOutputs;
import dev.flyball.cli.screen.EstimatePage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.WorkLine;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.llm.Timeouts;
import dev.flyball.llm.TrustedAuthorities;
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
      "Forecasts time, tokens and cost of a file of prompts or of a review. Nothing is sent and no"
          + " key is needed.",
      "The real scheduler runs it in virtual time, against the limits learned in earlier runs, or"
          + " those of a known account."
    },
    footer = {"", "Exit codes: 0, or 2 for wrong usage or input."})
@Examples({
  "flyball estimate questions.jsonl",
  "flyball estimate questions.jsonl --limits anthropic-build --concurrency 50",
  "flyball estimate questions.jsonl --model claude-haiku-4-5 --json",
  "flyball estimate --diff main...HEAD        a review of a change"
})
final class ShowEstimate implements Callable<Integer>, ConfigBeforeChange.Reviewing {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private HistoryOptions history;

  @Parameters(
      paramLabel = "IN.jsonl|PATH",
      arity = "0..1",
      description =
          "A file of prompts, - for standard input, or a folder to review. Not needed for a"
              + " change.")
  private @Nullable String input;

  @Mixin private SubjectOptions which;
  @Mixin private PlanOptions planning;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--limits",
      paramLabel = "ACCOUNT",
      description =
          "Limits of this account, such as anthropic-build. Default: what was learned, else the"
              + " account that new customers get.")
  private @Nullable String limits;

  @Mixin private ConcurrencyOption concurrency;

  @SetBy(Who.PROJECT)
  @Option(names = "--model", paramLabel = "NAME", description = "Assume this model for every line.")
  private @Nullable String model;

  @SetBy(Who.PROJECT)
  @Option(names = "--no-cache", description = "Assume no prompt caching.")
  private boolean noCache;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--output-tokens",
      paramLabel = "N",
      description = "Assume answers of this many tokens.")
  private @Nullable Long outputTokens;

  @SetBy(Who.USER)
  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "The provider, as for `flyball batch`.")
  private @Nullable String provider;

  @SetBy(Who.USER)
  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description = "The server, as for `flyball batch`.")
  private @Nullable String baseUrl;

  @SetBy(Who.USER)
  @Option(names = "--first", paramLabel = "N", description = "Only the first N lines.")
  private @Nullable Long first;

  @SetBy(Who.USER)
  @Option(names = "--skip-invalid", description = "Skip invalid lines.")
  private boolean skipInvalid;

  @SetBy(Who.PROJECT)
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Ignore earlier runs.")
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
    try (var work = work();
        var subject = which.subject(List.of(config.folder().resolve(path())), config.patch());
        var run = setup(subject)) {
      var settings = planning.settings(Optional.ofNullable(model), RunBounds.USUAL, false);
      var inputs = inputs(run);
      var setup = ReviewSetup.of(run, subject, settings, inputs);
      var plan = setup.plan(work.reading());
      work.begin("rehearsing the review");
      var forecast = setup.forecast(plan, inputs);
      work.end();
      outputs.write(
          forecast,
          setup.pricesVersion(),
          spec.commandLine().getOut(),
          Terminal.of(spec.commandLine().getOut(), config.environment()));
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
            TrustedAuthorities.USUAL,
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
    try (var work = work();
        var run = setup();
        var batch = prepare(run, folder, work)) {
      batch.problems().forEach(this::leftOut);
      var terminal = Terminal.of(spec.commandLine().getOut(), main.config().environment());
      var inputs = inputs(run);
      work.begin("counting tokens");
      var workload =
          batch.workload(Long.MAX_VALUE, read -> work.at(read, Math.max(1, batch.left())));
      work.begin("rehearsing the run");
      var estimation = inputs.estimateAside(workload);
      work.end();
      print(estimation, terminal, run.prices().version());
    } catch (BadSettings wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
    return ExitCode.DONE.code();
  }

  private WorkLine work() {
    var line = spec.commandLine();
    return WorkLine.of("flyball estimate", line.getErr(), main.config().environment(), !json);
  }

  private Batch prepare(RunSetup run, Path folder, WorkLine work) throws IOException, BadInput {
    work.begin("checking lines");
    return Batch.prepare(run, settings(folder), work::at);
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

  private BatchSettings settings(Path folder) throws IOException {
    check("--first", first == null || first >= 1, "must be at least 1, not " + first);
    check(
        "--output-tokens",
        outputTokens == null || outputTokens >= 0,
        "must be at least 0, not " + outputTokens);
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
        name + " is a device: name a file or a pipe");
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
