package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchReport;
import dev.flyball.batch.BatchReportJson;
import dev.flyball.batch.BatchSettings;
import dev.flyball.cli.demo.SimulatedAccounts;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.BatchOptions;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.ProgressOptions;
import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.BatchEnd;
import dev.flyball.cli.screen.BatchScreen;
import dev.flyball.cli.screen.EstimatePage;
import dev.flyball.cli.screen.Interrupts;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.TerminalTraits.Channel;
import dev.flyball.cli.screen.WorkLine;
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
import java.nio.file.Path;
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
      "Sends every line of a file to a model, as fast as the account's rate limits allow.",
      "Run the same command again to resume: nothing that was answered is sent twice, however the"
          + " run ended."
    },
    footer = {
      "",
      "Lines are in OpenAI's batch format {\"custom_id\", \"method\", \"url\", \"body\"}, in"
          + " Anthropic's {\"custom_id\", \"params\"}, or {\"prompt\"} with --model. Without"
          + " --provider the format decides.",
      "",
      "Exit codes: 0 all answered, 1 some failed permanently, 2 wrong usage or input (nothing was"
          + " sent), 3 incomplete (run again to resume; also after one Ctrl+C), 4 provider not"
          + " reached or key refused, 130 aborted by a second Ctrl+C."
    })
@Examples({
  "flyball batch questions.jsonl --provider simulated    no key, no cost",
  "flyball batch questions.jsonl -o answers.jsonl        keys from the environment",
  "flyball batch prompts.jsonl --model gpt-5.4 -o -      answers on standard output"
})
final class RunBatch implements Callable<Integer> {
  private static final int PLAIN_EVERY = 50;
  private static final int JSON_EVERY = 10;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private ProviderOptions provider;
  @Mixin private BatchOptions options;
  @Mixin private BoundOptions bounds;
  @Mixin private FleetOption fleet;
  @Mixin private ProgressOptions progress;
  @Mixin private HistoryOptions history;

  @SetBy(Who.USER)
  @Option(names = "--no-history", description = "Do not record this run.")
  private boolean noHistory;

  private final AtomicBoolean interrupted = new AtomicBoolean();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var config = main.config();
    var shown = progress.shown(channel(), config.environment());
    Main.sayWhatMoved(spec, config, !noHistory && shown != Shown.JSON);
    var place = history.place(config.folder(), config.environment());
    boolean ran = false;
    try (var work =
            WorkLine.of(
                "flyball batch",
                spec.commandLine().getErr(),
                config.environment(),
                shown == Shown.BAR || shown == Shown.PLAIN);
        var accounts = new SimulatedAccounts();
        var setup =
            RunSetup.of(config.environment(), config.files())
                .provider(provider.choice(config.environment(), Main.warnings(spec)))
                .local(accounts)
                .history(noHistory ? Optional.empty() : Optional.of(place))
                .warnings(Main.warnings(spec))
                .fleet(fleet.place())
                .budgetScope(bounds.scope())
                .open()) {
      work.begin("reading the input");
      var settings = options.settings(bounds, config.environment());
      work.title(
          title(
              settings,
              Terminal.of(spec.commandLine().getErr(), config.environment()),
              setup.providers().simulated()));
      work.begin("checking lines");
      try (var batch = Batch.prepare(setup, settings, work::at)) {
        if (options.dryRun()) {
          return estimate(batch, setup, work);
        }
        ran = true;
        work.end();
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

  private int estimate(Batch batch, RunSetup setup, WorkLine work)
      throws IOException, BadInput, HistoryUnavailable, InterruptedException {
    var out = spec.commandLine().getOut();
    work.begin("rehearsing the run");
    var estimation = batch.estimate(setup.history().read());
    work.end();
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
    var out = out();
    var err = spec.commandLine().getErr();
    var terminal = Terminal.of(channel(), out, main.config().environment());
    var title = title(settings, terminal, setup.providers().simulated());
    var screen = new BatchScreen(terminal, title, ZoneId.systemDefault());
    if (shown == Shown.PLAIN) {
      out.println(title);
    }
    batch.problems().forEach(problem -> err.println("flyball batch: left out: " + problem));
    if (batch.left() == 0) {
      out.println("nothing to send: every line has its answer in " + settings.output());
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
      Time time)
      throws IOException {
    var out = out();
    var last = ended.report();
    var end = new BatchEnd(terminal, ZoneId.systemDefault());
    var json = BatchReportJson.of(last).put("exit", last.exit().code());
    ended
        .forecast()
        .ifPresent(compared -> EstimateJson.compared(json.putObject("forecast"), compared));
    boolean written = reported(AsciiJson.pretty(json) + "\n");
    switch (shown) {
      case JSON -> out.println(AsciiJson.compact(json));
      case NONE -> end.unfinished(last, time.wall()).forEach(spec.commandLine().getErr()::println);
      case BAR, PLAIN -> {
        if (shown == Shown.BAR) {
          terminal.draw(screen.picture(last, time.wall(), Optional.empty()));
          terminal.keep();
        }
        end.lines(
                last,
                options.isPiped() ? Optional.empty() : Optional.of(settings.output()),
                settings.errors(),
                time.wall())
            .forEach(out::println);
        ended.forecast().flatMap(EstimatePage::compared).ifPresent(out::println);
      }
    }
    out.flush();
    if (options.isPiped()) {
      print(settings.output(), last.skipped() == 0);
    }
    return written;
  }

  /** Standard output is for answers where somebody wants them there. */
  private Channel channel() {
    return options.isPiped() ? Channel.ERR : Channel.OUT;
  }

  private PrintWriter out() {
    return options.isPiped() ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  /** The answers, which are kept only as long as some are missing. */
  private void print(Path journal, boolean whole) throws IOException {
    if (Files.exists(journal)) {
      try (var lines = Files.lines(journal)) {
        lines.forEach(spec.commandLine().getOut()::println);
      }
      if (whole) {
        Files.delete(journal);
      }
    }
    spec.commandLine().getOut().flush();
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
              "flyball batch: the answers are written, but the report is not: "
                  + full.getMessage());
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
    return "stopping, %,d in flight; Ctrl+C again aborts".formatted(inFlight);
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
    out.println("aborted: run the same command to resume");
    out.flush();
  }

  private String title(BatchSettings settings, Terminal terminal, boolean simulated) {
    return terminal.paint(Terminal.Colour.BOLD, options.input())
        + " \u2192 "
        + terminal.paint(
            Terminal.Colour.BOLD,
            options.isPiped() ? "standard output" : settings.output().toString())
        + (simulated ? "  " + terminal.paint(Terminal.Colour.MAGENTA, "simulated answers") : "");
  }
}
