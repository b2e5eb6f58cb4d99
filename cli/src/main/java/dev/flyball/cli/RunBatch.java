package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchReport;
import dev.flyball.batch.BatchReportJson;
import dev.flyball.batch.BatchSettings;
import dev.flyball.cli.option.BatchOptions;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.ProgressOptions;
import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.BatchScreen;
import dev.flyball.cli.screen.EstimatePage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.BadInput;
import dev.flyball.run.BadSettings;
import dev.flyball.run.EstimateJson;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball batch}: a file of prompts in, a file of answers out. */
@Command(
    name = "batch",
    sortOptions = false,
    customSynopsis = "flyball batch IN.jsonl [-o OUT.jsonl] [OPTIONS]",
    description = {
      "Asks every line of a file, as fast as the account's limits allow and never faster.",
      "The same command again goes on where the last one stopped: nothing that was answered is"
          + " asked again, whatever ended it."
    },
    footer = {
      "",
      "Lines are in the OpenAI batch format {\"custom_id\", \"method\", \"url\", \"body\"}, in",
      "the Anthropic one {\"custom_id\", \"params\"}, or {\"prompt\"} with --model:",
      "  flyball batch questions.jsonl --provider simulated    no key, no cost",
      "  flyball batch questions.jsonl -o answers.jsonl        keys from the environment",
      "  flyball batch prompts.jsonl --base-url http://localhost:8089 --model m",
      "",
      "Exit: 0 all answered, 1 some failed for good, 2 wrong usage or input (nothing",
      "was sent), 3 incomplete, 4 not reached or key refused, 130 aborted."
    })
final class RunBatch implements Callable<Integer> {
  private static final int PLAIN_EVERY = 50;
  private static final int JSON_EVERY = 10;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private ProviderOptions provider;
  @Mixin private BatchOptions options;
  @Mixin private BoundOptions bounds;
  @Mixin private ProgressOptions progress;
  @Mixin private HistoryOptions history;

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Remembers nothing of this run.")
  private boolean noHistory;

  private final AtomicBoolean interrupted = new AtomicBoolean();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var config = main.config();
    var shown = progress.shown();
    Main.sayWhatMoved(spec, config, !noHistory && shown != Shown.JSON);
    var place = history.place(config.folder(), config.environment());
    boolean ran = false;
    try (var accounts = new SimulatedAccounts();
        var setup =
            RunSetup.of(config.environment(), config.files())
                .provider(provider.choice(config.environment(), Main.warnings(spec)))
                .local(accounts)
                .history(noHistory ? Optional.empty() : Optional.of(place))
                .warnings(Main.warnings(spec))
                .open()) {
      var settings = options.settings(bounds);
      try (var batch = Batch.prepare(setup, settings)) {
        if (options.dryRun()) {
          return estimate(batch, setup);
        }
        ran = true;
        return run(batch, settings, shown, setup);
      }
    } catch (BadSettings wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    } catch (BadInput | HistoryUnavailable wrong) {
      spec.commandLine().getErr().println("flyball batch: " + wrong.getMessage());
      return ExitCode.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw new ParameterException(spec.commandLine(), "there is no file " + missing.getFile());
    } finally {
      if (!ran) {
        options.dropSpool();
      }
    }
  }

  private int estimate(Batch batch, RunSetup setup)
      throws IOException, BadInput, HistoryUnavailable, InterruptedException {
    var out = spec.commandLine().getOut();
    var estimation = batch.estimate(setup.history().read());
    var version = setup.prices().version();
    if (options.json()) {
      out.println(AsciiJson.pretty(EstimateJson.of(options.input(), estimation, version)));
    } else {
      var terminal = Terminal.of(out, main.config().environment());
      new EstimatePage(terminal).lines(options.input(), estimation, version).forEach(out::println);
    }
    return ExitCode.DONE.code();
  }

  private int run(Batch batch, BatchSettings settings, Shown shown, RunSetup setup)
      throws IOException, InterruptedException, HistoryUnavailable {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    var terminal = Terminal.of(out, main.config().environment());
    var title = title(settings, terminal, setup.providers().simulated());
    var screen = new BatchScreen(terminal, title, ZoneId.systemDefault());
    if (shown == Shown.PLAIN) {
      out.println(title);
    }
    batch.problems().forEach(problem -> err.println("flyball batch: left out: " + problem));
    if (batch.left() == 0) {
      out.println("nothing to ask: every line has its answer in " + settings.output());
    }
    Batch.Ended ended;
    var interrupts =
        new Interrupts(
            () -> drain(batch, shown, batch::drain),
            () -> drain(batch, shown, () -> batch.drain(RunBounds.DRAIN)),
            () -> abort(out));
    try {
      ended = batch.run(options.input(), watcher(shown, screen, terminal, out, setup.time()));
    } finally {
      interrupts.close();
    }
    ended.unremembered().ifPresent(what -> err.println("flyball batch: " + what));
    boolean written = finish(ended, settings, shown, screen, terminal, setup.time());
    if (ended.report().skipped() == 0) {
      options.dropSpool();
    }
    return (written ? ended.report().exit() : ExitCode.INCOMPLETE).code();
  }

  /** Shows how it ended; whether the report could be written too. */
  private boolean finish(
      Batch.Ended ended,
      BatchSettings settings,
      Shown shown,
      BatchScreen screen,
      Terminal terminal,
      Time time) {
    var out = spec.commandLine().getOut();
    var last = ended.report();
    var json = BatchReportJson.of(last).put("exit", last.exit().code());
    ended
        .forecast()
        .ifPresent(compared -> EstimateJson.compared(json.putObject("forecast"), compared));
    boolean written = reported(AsciiJson.pretty(json) + "\n");
    switch (shown) {
      case JSON -> out.println(AsciiJson.compact(json));
      case NONE -> {}
      case BAR, PLAIN -> {
        if (shown == Shown.BAR) {
          terminal.draw(screen.picture(last, time.wall(), Optional.empty()));
          terminal.keep();
        }
        screen
            .end(last, settings.output().toString(), settings.errors().toString(), time.wall())
            .forEach(out::println);
        ended.forecast().ifPresent(compared -> out.println(EstimatePage.compared(compared)));
      }
    }
    out.flush();
    return written;
  }

  private boolean reported(String report) {
    try {
      if (options.report().isPresent()) {
        Files.writeString(options.report().get(), report);
      }
      return true;
    } catch (IOException full) {
      spec.commandLine()
          .getErr()
          .println(
              "flyball batch: the report cannot be written, and all else is: " + full.getMessage());
      return false;
    }
  }

  private Batch.Watcher watcher(
      Shown shown, BatchScreen screen, Terminal terminal, PrintWriter out, Time time) {
    int[] count = {0};
    return (report, trouble) -> {
      boolean first = count[0]++ == 0;
      switch (shown) {
        case BAR -> terminal.draw(screen.picture(report, time.wall(), notice(report, trouble)));
        case PLAIN -> {
          if (first || count[0] % PLAIN_EVERY == 0) {
            out.println(screen.line(report));
          }
        }
        case JSON -> {
          if (first || count[0] % JSON_EVERY == 0) {
            out.println(AsciiJson.compact(BatchReportJson.of(report)));
          }
        }
        case NONE -> {}
      }
    };
  }

  private Optional<String> notice(BatchReport report, Optional<String> trouble) {
    return interrupted.get() ? Optional.of(draining(inFlight(report))) : trouble;
  }

  private static int inFlight(BatchReport report) {
    return report.lanes().lanes().stream().mapToInt(lane -> lane.inFlight()).sum();
  }

  private static String draining(int inFlight) {
    return "stopping: nothing new starts, waiting for %,d in flight; Ctrl+C again aborts"
        .formatted(inFlight);
  }

  /** Nothing new starts; what is finished is in the file either way. */
  private void drain(Batch batch, Shown shown, Runnable draining) {
    interrupted.set(true);
    if (shown != Shown.BAR) {
      spec.commandLine().getErr().println(draining(inFlight(batch.report())));
    }
    draining.run();
  }

  private static void abort(PrintWriter out) {
    out.println("aborted: the same command goes on where it stopped");
    out.flush();
  }

  private String title(BatchSettings settings, Terminal terminal, boolean simulated) {
    return terminal.paint(Terminal.Colour.BOLD, options.input())
        + " \u2192 "
        + terminal.paint(Terminal.Colour.BOLD, settings.output().toString())
        + (simulated ? "  " + terminal.paint(Terminal.Colour.YELLOW, "simulated answers") : "");
  }
}
