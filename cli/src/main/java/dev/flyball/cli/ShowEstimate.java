package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchSettings;
import dev.flyball.call.Priority;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.plan.DigestStore;
import dev.flyball.review.select.FolderTree;
import dev.flyball.review.source.PatchRefused;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.BadInput;
import dev.flyball.run.HistoryHandle;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.LearnedStore;
import dev.flyball.run.StateFolder;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
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

  @Option(
      names = "--limits",
      paramLabel = "ACCOUNT",
      description =
          "What if the account were this one, as in anthropic-build; if not said, what was learned"
              + " holds, else the account that customers start with.")
  private @Nullable String limits;

  @Mixin private ConcurrencyOption concurrency;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "What if every line asked this model.")
  private @Nullable String model;

  @Option(names = "--no-cache", description = "What if no prompt were cached.")
  private boolean noCache;

  @Option(
      names = "--output-tokens",
      paramLabel = "N",
      description = "How long answers are, if you know.")
  private @Nullable Long outputTokens;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Who would answer, as for `flyball batch`; `simulated` is one of them.")
  private @Nullable String provider;

  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description = "The server that would answer, as for `flyball batch`.")
  private @Nullable String baseUrl;

  @Option(names = "--first", paramLabel = "N", description = "Only the first N lines.")
  private @Nullable Long first;

  @Option(names = "--skip-invalid", description = "Leaves out lines that cannot be sent.")
  private boolean skipInvalid;

  @Option(names = "--json", description = "For programs.")
  private boolean json;

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
    var folder = config.folder().resolve(path());
    var now = Time.system().wall();
    var digests =
        CompletableFuture.supplyAsync(
            () ->
                DigestStore.of(
                    StateFolder.folder(config.environment()), FolderTree.top(folder), now));
    try (var to = ProviderOptions.imagined(spec, provider, baseUrl, limits);
        var past = HistoryHandle.of(noHistory ? Optional.empty() : Optional.of(place()));
        var subject = which.subject(folder)) {
      to.with(config.environment(), config.catalogue());
      var earlier = to.simulated() ? LearnedFile.NOTHING : lessons().read();
      var terminal = Terminal.of(spec.commandLine().getOut(), config.environment());
      var forecast =
          ReviewForecast.of(
              subject,
              new ReviewForecast.Desk(
                  config,
                  outlook(to, earlier, past),
                  earlier,
                  planning,
                  Optional.ofNullable(model),
                  digests,
                  now),
              CheckProgressLine.reading(terminal, !json));
      var version = config.prices().version();
      var out = spec.commandLine().getOut();
      if (json) {
        out.println(PlanExport.json(forecast, version).toPrettyString());
      } else {
        new PlanPage(terminal).lines(forecast, version).forEach(out::println);
      }
      out.flush();
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

  private ForecastInputs outlook(ProviderOptions to, LearnedFile earlier, HistoryHandle past)
      throws InterruptedException {
    return new ForecastInputs(
        to,
        main.config().catalogue(),
        earlier.lanes(),
        read(past),
        concurrency.most(),
        !noCache,
        outputTokens == null ? OptionalLong.empty() : OptionalLong.of(outputTokens),
        false);
  }

  private int estimate(Path folder) throws IOException, BadInput, InterruptedException {
    var config = main.config();
    var time = Time.system();
    try (var to = ProviderOptions.imagined(spec, provider, baseUrl, limits);
        var past = HistoryHandle.of(noHistory ? Optional.empty() : Optional.of(place()))) {
      to.with(config.environment(), config.catalogue());
      var earlier = to.simulated() ? LearnedFile.NOTHING : lessons().read();
      try (var batch =
          Batch.prepare(settings(folder, to), config.catalogue(), config.prices(), earlier, time)) {
        batch.problems().forEach(this::leftOut);
        var outlook = outlook(to, earlier, past);
        var terminal = Terminal.of(spec.commandLine().getOut(), config.environment());
        var estimation = outlook.on(batch, Long.MAX_VALUE, progress(batch.left(), terminal));
        print(estimation, terminal, config.prices().version());
      }
    }
    return ExitCode.DONE.code();
  }

  private HistoryLocation place() {
    return history.place(main.config().folder());
  }

  private Optional<History> read(HistoryHandle past) throws InterruptedException {
    try {
      return past.read();
    } catch (HistoryUnavailable unavailable) {
      spec.commandLine()
          .getErr()
          .println("flyball estimate: without earlier runs: " + unavailable.getMessage());
      return Optional.empty();
    }
  }

  private void leftOut(String problem) {
    spec.commandLine().getErr().println("flyball estimate: left out: " + problem);
  }

  private void print(Estimation estimation, Terminal terminal, String pricesVersion) {
    var out = spec.commandLine().getOut();
    if (json) {
      out.println(EstimateExport.json(path(), estimation, pricesVersion).toPrettyString());
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

  private BatchSettings settings(Path folder, ProviderOptions to) throws IOException {
    check("--first", first == null || first >= 1, "at least 1 is expected, not " + first);
    check(
        "--output-tokens",
        outputTokens == null || outputTokens >= 0,
        "at least 0 is expected, not " + outputTokens);
    return new BatchSettings(
        inputFile(folder),
        folder.resolve("answers.jsonl"),
        to::destination,
        to.simulated(),
        Optional.ofNullable(model),
        OptionalLong.empty(),
        Optional.ofNullable(model),
        to.spoken(),
        concurrency.most(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        0,
        Duration.ofMinutes(15),
        Optional.empty(),
        Priority.NORMAL,
        first == null ? Long.MAX_VALUE : first,
        BatchSettings.Order.FIFO,
        false,
        false,
        skipInvalid);
  }

  private Path inputFile(Path folder) throws IOException {
    var name = path();
    var path = main.config().folder().resolve(name);
    if (!name.equals("-") && (Files.isRegularFile(path) || Files.notExists(path))) {
      return path;
    }
    var file = folder.resolve("input.jsonl");
    try (var in = name.equals("-") ? System.in : Files.newInputStream(path)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private LearnedStore lessons() {
    return new LearnedStore(main.config().environment(), Main.warnings(spec));
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), option + ": " + rule);
    }
  }
}
