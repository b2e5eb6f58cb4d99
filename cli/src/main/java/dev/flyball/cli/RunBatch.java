package dev.flyball.cli;

import dev.flyball.batch.BadInput;
import dev.flyball.batch.Batch;
import dev.flyball.batch.Recorder;
import dev.flyball.batch.Report;
import dev.flyball.batch.Settings;
import dev.flyball.batch.Stop;
import dev.flyball.call.LaneId;
import dev.flyball.cli.ProgressOptions.Shown;
import dev.flyball.history.History;
import dev.flyball.history.HistoryUnavailable;
import dev.flyball.history.Origin;
import dev.flyball.history.Prices;
import dev.flyball.llm.Learned;
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
        var past = Past.of(noHistory ? Optional.empty() : Optional.of(place))) {
      to.with(config.environment(), config.catalogue());
      var settings = options.settings(provider, bounds);
      var lessons = new Lessons(spec, config.environment());
      var earlier = to.simulated() ? Learned.NOTHING : lessons.read();
      try (var batch =
          Batch.prepare(settings, config.catalogue(), config.prices(), earlier, time)) {
        return options.dryRun()
            ? ahead(batch, outlook(earlier, past.read()))
            : run(batch, settings, lessons, shown, time, outlook(earlier, past.write()));
      }
    } catch (BadInput | HistoryUnavailable wrong) {
      spec.commandLine().getErr().println("flyball batch: " + wrong.getMessage());
      return Exit.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw new ParameterException(spec.commandLine(), "there is no file " + missing.getFile());
    }
  }

  private Outlook outlook(Learned earlier, Optional<History> past) {
    return new Outlook(
        provider,
        main.config().catalogue(),
        earlier.lanes(),
        past,
        bounds.concurrency(),
        true,
        OptionalLong.empty(),
        provider.profile().isPresent());
  }

  private int ahead(Batch batch, Outlook outlook) throws IOException, BadInput {
    var out = spec.commandLine().getOut();
    var estimation = outlook.on(batch, Long.MAX_VALUE, read -> {});
    var version = main.config().prices().version();
    if (options.json()) {
      out.println(EstimateExport.json(options.input(), estimation, version).toPrettyString());
    } else {
      var terminal = Terminal.of(out, main.config().environment());
      new EstimatePage(terminal).lines(options.input(), estimation, version).forEach(out::println);
    }
    return Exit.DONE.code();
  }

  private int run(
      Batch batch, Settings settings, Lessons lessons, Shown shown, Time time, Outlook outlook)
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
        batch.left() > 0 ? remembered(batch, settings, outlook) : Optional.<Remembered>empty();
    var foresight = batch.left() > 0 ? Foresight.of(batch, outlook) : Foresight.NONE;
    var interrupts = new Interrupts(() -> interrupt(batch, shown, out));
    Report last;
    try {
      last =
          batch.run(
              ticks(shown, screen, terminal, out, time, remembered),
              remembered.<Recorder>map(each -> each::record).orElse(Recorder.NOBODY));
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

  private Optional<Remembered> remembered(Batch batch, Settings settings, Outlook outlook)
      throws HistoryUnavailable, InterruptedException {
    if (outlook.history().isEmpty()) {
      return Optional.empty();
    }
    var origin = settings.simulated() ? Origin.SIMULATED : Origin.REAL;
    var lanes = batch.lanes();
    var providers = lanes.stream().map(LaneId::provider).distinct().toList();
    var models = lanes.stream().map(LaneId::modelClass).distinct().toList();
    var run =
        dev.flyball.history.Run.of("batch", "batch", origin)
            .in("", options.input())
            .asking(
                String.join(",", providers),
                String.join(",", models),
                new Prices.Listed(main.config().prices().version()));
    return Optional.of(Remembered.begin(outlook.history().get(), run));
  }

  private void finish(
      Report last,
      Exit exit,
      Settings settings,
      Shown shown,
      BatchScreen screen,
      Terminal terminal,
      Time time,
      Optional<Foresight.Compared> compared)
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

  private Consumer<Report> ticks(
      Shown shown,
      BatchScreen screen,
      Terminal terminal,
      PrintWriter out,
      Time time,
      Optional<Remembered> remembered) {
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

  private Optional<String> notice(Report report, Optional<Remembered> remembered) {
    int inFlight = report.lanes().lanes().stream().mapToInt(lane -> lane.inFlight()).sum();
    return interrupted.get()
        ? Optional.of(draining(inFlight))
        : remembered.flatMap(Remembered::trouble);
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
      Runtime.getRuntime().halt(Exit.ABORTED.code());
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

  private static Exit exit(Report report) {
    var kind = report.stop().map(Stop::kind).orElse(null);
    boolean never = kind == Stop.Kind.KEY_REFUSED || kind == Stop.Kind.UNREACHABLE;
    if (never && report.completed() == 0) {
      return Exit.UNREACHABLE;
    }
    if (report.skipped() > 0 || kind == Stop.Kind.SHUT || !report.unwritten().isEmpty()) {
      return Exit.INCOMPLETE;
    }
    return report.errored() > 0 ? Exit.FAILED : Exit.DONE;
  }

  private String title(Settings settings, Terminal terminal) {
    return terminal.paint(Terminal.Colour.BOLD, options.input())
        + " \u2192 "
        + terminal.paint(Terminal.Colour.BOLD, settings.output().toString())
        + (settings.simulated()
            ? "  " + terminal.paint(Terminal.Colour.YELLOW, "simulated answers")
            : "");
  }
}
