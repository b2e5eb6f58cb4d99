package dev.flyball.cli;

import dev.flyball.batch.AttemptListener;
import dev.flyball.batch.Batch;
import dev.flyball.batch.BatchReport;
import dev.flyball.batch.BatchSettings;
import dev.flyball.call.LaneId;
import dev.flyball.cli.ProgressOptions.Shown;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.run.BadInput;
import dev.flyball.run.HistoryHandle;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.LearnedStore;
import dev.flyball.run.StopReason;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

  @Option(names = "--no-history", description = "Remembers nothing of this run.")
  private boolean noHistory;

  private final AtomicBoolean interrupted = new AtomicBoolean();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var time = Time.system();
    var config = main.config();
    var shown = progress.shown();
    var place = history.place(config.folder());
    try (var to = provider;
        var past = HistoryHandle.of(noHistory ? Optional.empty() : Optional.of(place))) {
      to.with(config.environment(), config.catalogue());
      var settings = options.settings(provider, bounds);
      var lessons = new LearnedStore(config.environment(), Main.warnings(spec));
      var earlier = to.simulated() ? LearnedFile.NOTHING : lessons.read();
      try (var batch =
          Batch.prepare(settings, config.catalogue(), config.prices(), earlier, time)) {
        return options.dryRun()
            ? ahead(batch, outlook(earlier, past.read()))
            : run(batch, settings, lessons, shown, time, outlook(earlier, past.write()));
      }
    } catch (BadInput | HistoryUnavailable wrong) {
      spec.commandLine().getErr().println("flyball batch: " + wrong.getMessage());
      return ExitCode.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw new ParameterException(spec.commandLine(), "there is no file " + missing.getFile());
    }
  }

  private ForecastInputs outlook(LearnedFile earlier, Optional<History> past) {
    return new ForecastInputs(
        provider,
        main.config().catalogue(),
        earlier.lanes(),
        past,
        bounds.concurrency(),
        true,
        OptionalLong.empty(),
        provider.profile().isPresent());
  }

  private int ahead(Batch batch, ForecastInputs outlook) throws IOException, BadInput {
    var out = spec.commandLine().getOut();
    var estimation = outlook.on(batch, Long.MAX_VALUE, read -> {});
    var version = main.config().prices().version();
    if (options.json()) {
      out.println(EstimateExport.json(options.input(), estimation, version).toPrettyString());
    } else {
      var terminal = Terminal.of(out, main.config().environment());
      new EstimatePage(terminal).lines(options.input(), estimation, version).forEach(out::println);
    }
    return ExitCode.DONE.code();
  }

  private int run(
      Batch batch,
      BatchSettings settings,
      LearnedStore lessons,
      Shown shown,
      Time time,
      ForecastInputs outlook)
      throws IOException, InterruptedException, HistoryUnavailable {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    var terminal = Terminal.of(out, main.config().environment());
    var title = title(settings, terminal);
    var screen = new BatchScreen(terminal, title, ZoneId.systemDefault());
    if (shown == Shown.PLAIN) {
      out.println(title);
    }
    batch.problems().forEach(problem -> err.println("flyball batch: left out: " + problem));
    if (batch.left() == 0) {
      out.println("nothing to ask: every line has its answer in " + settings.output());
    }
    var remembered =
        batch.left() > 0 ? remembered(batch, settings, outlook) : Optional.<RunRecorder>empty();
    var foresight = batch.left() > 0 ? ForecastCheck.of(batch, outlook) : ForecastCheck.NONE;
    var interrupts = new Interrupts(() -> interrupt(batch, shown, out));
    BatchReport last;
    try {
      last =
          batch.run(
              ticks(shown, screen, terminal, out, time, remembered),
              remembered.<AttemptListener>map(each -> each::record).orElse(AttemptListener.NOBODY));
    } finally {
      interrupts.close();
    }
    if (!settings.simulated()) {
      lessons.keep(batch.learned());
    }
    var exit = exit(last);
    var compared = foresight.compared(last);
    if (remembered.isPresent()) {
      if (foresight.known().isPresent()) {
        remembered.get().expect(foresight.known().get());
      }
      remembered.get().end(last, exit.code());
      remembered.get().trouble().ifPresent(what -> err.println("flyball batch: " + what));
    }
    finish(last, exit, settings, shown, screen, terminal, time, compared);
    if (options.spool().isPresent() && last.skipped() == 0) {
      Files.deleteIfExists(options.spool().get());
    }
    return exit.code();
  }

  private Optional<RunRecorder> remembered(
      Batch batch, BatchSettings settings, ForecastInputs outlook)
      throws HistoryUnavailable, InterruptedException {
    if (outlook.history().isEmpty()) {
      return Optional.empty();
    }
    var origin = settings.simulated() ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
    var lanes = batch.lanes();
    var providers = lanes.stream().map(LaneId::provider).distinct().toList();
    var models = lanes.stream().map(LaneId::modelClass).distinct().toList();
    var run =
        dev.flyball.history.record.RunStart.of("batch", "batch", origin)
            .in("", options.input())
            .asking(
                String.join(",", providers),
                String.join(",", models),
                new PriceBasis.Listed(main.config().prices().version()));
    return Optional.of(RunRecorder.begin(outlook.history().get(), run));
  }

  private void finish(
      BatchReport last,
      ExitCode exit,
      BatchSettings settings,
      Shown shown,
      BatchScreen screen,
      Terminal terminal,
      Time time,
      Optional<ForecastCheck.Compared> compared)
      throws IOException {
    var out = spec.commandLine().getOut();
    var json = last.json().put("exit", exit.code());
    compared.ifPresent(each -> each.write(json.putObject("forecast")));
    if (options.report().isPresent()) {
      Files.writeString(options.report().get(), json.toPrettyString() + "\n");
    }
    switch (shown) {
      case JSON -> out.println(json);
      case NONE -> {}
      case BAR, PLAIN -> {
        if (shown == Shown.BAR) {
          terminal.draw(screen.picture(last, time.wall(), Optional.empty()));
          terminal.keep();
        }
        screen
            .end(last, settings.output().toString(), settings.errors().toString(), time.wall())
            .forEach(out::println);
        compared.ifPresent(each -> out.println(each.words()));
      }
    }
    out.flush();
  }

  private Consumer<BatchReport> ticks(
      Shown shown,
      BatchScreen screen,
      Terminal terminal,
      PrintWriter out,
      Time time,
      Optional<RunRecorder> remembered) {
    int[] count = {0};
    return report -> {
      boolean first = count[0]++ == 0;
      switch (shown) {
        case BAR -> terminal.draw(screen.picture(report, time.wall(), notice(report, remembered)));
        case PLAIN -> {
          if (first || count[0] % PLAIN_EVERY == 0) {
            out.println(screen.line(report));
          }
        }
        case JSON -> {
          if (first || count[0] % JSON_EVERY == 0) {
            out.println(report.json());
          }
        }
        case NONE -> {}
      }
    };
  }

  private Optional<String> notice(BatchReport report, Optional<RunRecorder> remembered) {
    int inFlight = report.lanes().lanes().stream().mapToInt(lane -> lane.inFlight()).sum();
    return interrupted.get()
        ? Optional.of(draining(inFlight))
        : remembered.flatMap(RunRecorder::trouble);
  }

  private static String draining(int inFlight) {
    return "stopping: nothing new starts, waiting for %,d in flight; Ctrl+C again aborts"
        .formatted(inFlight);
  }

  /** Once it drains, twice it aborts; what is finished is in the file either way. */
  private void interrupt(Batch batch, Shown shown, PrintWriter out) {
    if (interrupted.getAndSet(true)) {
      out.println("aborted: the same command goes on where it stopped");
      out.flush();
      Runtime.getRuntime().halt(ExitCode.ABORTED.code());
    }
    if (shown != Shown.BAR) {
      spec.commandLine()
          .getErr()
          .println(
              draining(
                  batch.report().lanes().lanes().stream().mapToInt(lane -> lane.inFlight()).sum()));
    }
    batch.drain();
  }

  private static ExitCode exit(BatchReport report) {
    var kind = report.stop().map(StopReason::kind).orElse(null);
    boolean never = kind == StopReason.Kind.KEY_REFUSED || kind == StopReason.Kind.UNREACHABLE;
    if (never && report.completed() == 0) {
      return ExitCode.UNREACHABLE;
    }
    if (report.skipped() > 0 || kind == StopReason.Kind.SHUT || !report.unwritten().isEmpty()) {
      return ExitCode.INCOMPLETE;
    }
    return report.errored() > 0 ? ExitCode.FAILED : ExitCode.DONE;
  }

  private String title(BatchSettings settings, Terminal terminal) {
    return terminal.paint(Terminal.Colour.BOLD, options.input())
        + " \u2192 "
        + terminal.paint(Terminal.Colour.BOLD, settings.output().toString())
        + (settings.simulated()
            ? "  " + terminal.paint(Terminal.Colour.YELLOW, "simulated answers")
            : "");
  }
}
