package dev.flyball.cli;

import dev.flyball.batch.BadInput;
import dev.flyball.batch.Batch;
import dev.flyball.batch.Report;
import dev.flyball.batch.Settings;
import dev.flyball.batch.Stop;
import dev.flyball.call.Cost;
import dev.flyball.call.Priority;
import dev.flyball.llm.Learned;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball batch}: a file of prompts in, a file of answers out. */
@Command(
    name = "batch",
    sortOptions = false,
    description = {
      "Asks every line of a file, as fast as the account's limits allow and never faster.",
      "The same command again goes on where the last one stopped: nothing that was answered is"
          + " asked again, whatever ended it."
    },
    footer = {
      "",
      "Lines are in the OpenAI batch format {\"custom_id\", \"method\", \"url\", \"body\"}, in the"
          + " Anthropic one",
      "{\"custom_id\", \"params\"}, or {\"prompt\"} with --model.",
      "  flyball batch questions.jsonl --provider simulated     no key, no network, no cost",
      "  flyball batch questions.jsonl -o answers.jsonl          keys from the environment",
      "  flyball batch prompts.jsonl --base-url http://localhost:8089 --model m",
      "",
      "Exit: 0 all answered, 1 some failed for good, 2 wrong usage or input (nothing was sent),",
      "3 incomplete, 4 not reached or key refused, 130 aborted."
    })
final class RunBatch implements Callable<Integer> {
  /** How progress is shown. */
  enum Progress {
    AUTO,
    BAR,
    PLAIN,
    JSON,
    NONE
  }

  private static final int PLAIN_EVERY = 50;
  private static final int JSON_EVERY = 10;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private ProviderOptions provider;

  @Parameters(paramLabel = "IN.jsonl", description = "The file of prompts; - is standard input.")
  private String input;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT.jsonl",
      description = "Where the answers go; IN.results.jsonl, if not said.")
  private @Nullable Path output;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "For lines that have only a prompt.")
  private @Nullable String model;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "The longest answer, for lines that have only a prompt.")
  private @Nullable Long maxTokens;

  @Option(
      names = "--concurrency",
      paramLabel = "auto|N",
      defaultValue = "auto",
      description = "The most requests at one time; admission paces anyway. (${DEFAULT-VALUE})")
  private String concurrency;

  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description = "Stops before more tokens than these are used.")
  private @Nullable Long budgetTokens;

  @Option(
      names = "--budget-usd",
      paramLabel = "USD",
      description = "Stops before more money than this is spent.")
  private @Nullable String budgetUsd;

  @Option(
      names = "--max-retries",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often a call is tried again after an overload or a broken connection; waiting for a"
              + " limit does not count. (${DEFAULT-VALUE})")
  private int maxRetries;

  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = Durations.class,
      description =
          "How long nothing at all may be possible before the run ends as incomplete, or `forever`."
              + " (${DEFAULT-VALUE})")
  private Duration maxWait;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long the run may go on; then nothing new starts.")
  private @Nullable Duration deadline;

  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "normal",
      description = "interactive, normal or bulk. (${DEFAULT-VALUE})")
  private String priority;

  @Option(
      names = "--order",
      paramLabel = "fifo|longest-first",
      defaultValue = "fifo",
      description = "Which lines are asked first. (${DEFAULT-VALUE})")
  private String order;

  @Option(names = "--first", paramLabel = "N", description = "Only the first N lines.")
  private @Nullable Long first;

  @Option(
      names = "--ordered",
      description = "Puts the answers into the order of the lines, at the end.")
  private boolean ordered;

  @Option(
      names = "--keep-errors",
      description = "Does not ask again what failed in an earlier run.")
  private boolean keepErrors;

  @Option(names = "--skip-invalid", description = "Leaves out lines that cannot be sent.")
  private boolean skipInvalid;

  @Option(
      names = "--dry-run",
      description = "Only says what would be asked, from what the lines say; sends nothing.")
  private boolean dryRun;

  @Option(names = "--report", paramLabel = "FILE", description = "Writes the report as JSON.")
  private @Nullable Path report;

  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|json|none",
      defaultValue = "auto",
      description = "How progress is shown. (${DEFAULT-VALUE})")
  private String progress;

  private final AtomicBoolean interrupted = new AtomicBoolean();
  private @Nullable Path spool;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var time = Time.system();
    var config = main.config();
    var shown = progress();
    try (var to = provider) {
      to.with(config.environment(), config.catalogue());
      var settings = settings();
      var file = StateFolder.learned(config.environment());
      var earlier = to.simulated() ? Learned.NOTHING : learned(file);
      try (var batch = Batch.prepare(settings, config.catalogue(), earlier, time)) {
        return dryRun ? ahead(batch) : run(batch, settings, file, shown, time);
      }
    } catch (BadInput wrong) {
      spec.commandLine().getErr().println("flyball batch: " + wrong.getMessage());
      return Exit.REFUSED.code();
    } catch (NoSuchFileException missing) {
      throw wrong("there is no file " + missing.getFile());
    }
  }

  private int ahead(Batch batch) throws IOException, BadInput {
    var out = spec.commandLine().getOut();
    for (var each : batch.ahead()) {
      out.printf(
          "%s: %,d lines, about %,d tokens in, at most %,d out%n",
          each.route(), each.lines(), each.inputTokens(), each.mostOutput());
    }
    out.println("nothing was sent");
    return Exit.DONE.code();
  }

  private int run(Batch batch, Settings settings, Path learned, Progress shown, Time time)
      throws IOException, InterruptedException {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    var terminal = Terminal.of(out, main.config().environment());
    var screen = new BatchScreen(terminal, title(settings, terminal), ZoneId.systemDefault());
    batch.problems().forEach(problem -> err.println("flyball batch: left out: " + problem));
    if (batch.left() == 0) {
      out.println("nothing to ask: every line has its answer in " + settings.output());
    }
    var interrupts = new Interrupts(() -> interrupt(batch, shown, out));
    Report last;
    try {
      last = batch.run(ticks(shown, screen, terminal, out, time));
    } finally {
      interrupts.close();
    }
    if (!settings.simulated()) {
      keep(batch, learned);
    }
    var exit = exit(last);
    finish(last, exit, settings, shown, screen, terminal, time);
    if (spool != null && last.skipped() == 0) {
      Files.deleteIfExists(spool);
    }
    return exit.code();
  }

  private void finish(
      Report last,
      Exit exit,
      Settings settings,
      Progress shown,
      BatchScreen screen,
      Terminal terminal,
      Time time)
      throws IOException {
    var out = spec.commandLine().getOut();
    var json = last.json().put("exit", exit.code());
    if (report != null) {
      Files.writeString(report, json.toPrettyString() + "\n");
    }
    switch (shown) {
      case JSON -> out.println(json);
      case NONE -> {}
      case BAR, PLAIN, AUTO -> {
        if (shown == Progress.BAR) {
          terminal.draw(screen.picture(last, time.wall(), Optional.empty()));
          terminal.keep();
        }
        screen
            .end(last, settings.output().toString(), settings.errors().toString(), time.wall())
            .forEach(out::println);
      }
    }
    out.flush();
  }

  private Consumer<Report> ticks(
      Progress shown, BatchScreen screen, Terminal terminal, PrintWriter out, Time time) {
    int[] count = {0};
    return report -> {
      boolean first = count[0]++ == 0;
      switch (shown) {
        case BAR -> terminal.draw(screen.picture(report, time.wall(), notice(report)));
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
        case AUTO, NONE -> {}
      }
    };
  }

  private Optional<String> notice(Report report) {
    int inFlight = report.lanes().lanes().stream().mapToInt(lane -> lane.inFlight()).sum();
    return interrupted.get() ? Optional.of(draining(inFlight)) : Optional.empty();
  }

  private static String draining(int inFlight) {
    return "stopping: nothing new starts, waiting for %,d in flight; Ctrl+C again aborts"
        .formatted(inFlight);
  }

  /** Once it drains, twice it aborts; what is finished is in the file either way. */
  private void interrupt(Batch batch, Progress shown, PrintWriter out) {
    if (interrupted.getAndSet(true)) {
      out.println("aborted: the same command goes on where it stopped");
      out.flush();
      Runtime.getRuntime().halt(Exit.ABORTED.code());
    }
    if (shown != Progress.BAR) {
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
    return terminal.paint(Terminal.Colour.BOLD, input)
        + " \u2192 "
        + terminal.paint(Terminal.Colour.BOLD, settings.output().toString())
        + (settings.simulated()
            ? "  " + terminal.paint(Terminal.Colour.YELLOW, "simulated answers")
            : "");
  }

  private Settings settings() throws IOException {
    check("--max-retries", maxRetries >= 0, "at least 0 is expected, not " + maxRetries);
    check("--first", first == null || first >= 1, "at least 1 is expected, not " + first);
    check(
        "--max-tokens",
        maxTokens == null || maxTokens >= 1,
        "at least 1 is expected, not " + maxTokens);
    check(
        "--budget-tokens",
        budgetTokens == null || budgetTokens >= 1,
        "at least 1 is expected, not " + budgetTokens);
    check("--deadline", deadline == null || deadline.isPositive(), "a time above 0 is expected");
    check("--max-wait", maxWait.isPositive(), "a time above 0 is expected");
    var answers = outputFile();
    return new Settings(
        inputFile(answers),
        answers,
        provider::destination,
        provider.simulated(),
        Optional.ofNullable(model),
        maxTokens == null ? OptionalLong.empty() : OptionalLong.of(maxTokens),
        provider.spoken(),
        concurrency(),
        provider.profile(),
        budgetTokens == null ? OptionalLong.empty() : OptionalLong.of(budgetTokens),
        budgetMoney(),
        maxRetries,
        maxWait,
        Optional.ofNullable(deadline),
        choice("--priority", priority, Patience.class).priority(),
        first == null ? Long.MAX_VALUE : first,
        choice("--order", order, Settings.Order.class),
        ordered,
        keepErrors,
        skipInvalid);
  }

  /** How patient the run is. */
  private enum Patience {
    INTERACTIVE,
    NORMAL,
    BULK;

    Priority priority() {
      return switch (this) {
        case INTERACTIVE -> Priority.INTERACTIVE;
        case NORMAL -> Priority.NORMAL;
        case BULK -> Priority.BULK;
      };
    }
  }

  private Path outputFile() {
    if (output != null) {
      check("-o", !Files.isDirectory(output), output + " is a folder: name a file");
      var parent = output.toAbsolutePath().getParent();
      check("-o", parent != null && Files.isDirectory(parent), "there is no folder " + parent);
      return output;
    }
    check("-o", !input.equals("-"), "say where the answers go, because standard input has no name");
    return Path.of(input.replaceFirst("\\.jsonl?$", "") + ".results.jsonl");
  }

  /**
   * What comes through a pipe is spooled beside the answers, so that it can be read at any place.
   */
  private Path inputFile(Path answers) throws IOException {
    var path = Path.of(input);
    if (!input.equals("-") && (Files.isRegularFile(path) || Files.notExists(path))) {
      return path;
    }
    check(
        "IN.jsonl",
        input.equals("-") || !Files.isDirectory(path),
        input + " is a folder: name a file");
    var file = answers.resolveSibling(answers.getFileName() + ".input");
    try (InputStream in = input.equals("-") ? System.in : Files.newInputStream(path)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    spool = file;
    return file;
  }

  private OptionalInt concurrency() {
    if (concurrency.equals("auto")) {
      return OptionalInt.empty();
    }
    check(
        "--concurrency",
        concurrency.matches("[1-9]\\d{0,5}"),
        "auto or a number from 1 is expected, not " + concurrency);
    return OptionalInt.of(Integer.parseInt(concurrency));
  }

  private Optional<Cost> budgetMoney() {
    if (budgetUsd == null) {
      return Optional.empty();
    }
    check(
        "--budget-usd",
        budgetUsd.matches("\\d{1,12}(\\.\\d{1,6})?"),
        "dollars are written as 12.50, not as " + budgetUsd);
    check(
        "--budget-usd",
        provider.simulated(),
        "no prices are known yet, so money cannot be kept to: use --budget-tokens");
    return Optional.empty();
  }

  private Progress progress() {
    var asked = choice("--progress", progress, Progress.class);
    if (asked != Progress.AUTO) {
      return asked;
    }
    return Terminal.isThere() ? Progress.BAR : Progress.PLAIN;
  }

  private <E extends Enum<E>> E choice(String option, String word, Class<E> type) {
    for (var each : type.getEnumConstants()) {
      if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word)) {
        return each;
      }
    }
    var known =
        java.util.Arrays.stream(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    throw wrong(option + ": one of " + String.join(", ", known) + " is expected, not " + word);
  }

  private Learned learned(Path file) {
    try {
      return Learned.read(file);
    } catch (IOException damaged) {
      spec.commandLine()
          .getErr()
          .println("flyball batch: " + file + " is left alone: " + damaged.getMessage());
      return Learned.NOTHING;
    }
  }

  private void keep(Batch batch, Path file) {
    try {
      batch.learned().over(learned(file)).write(file);
    } catch (IOException full) {
      spec.commandLine()
          .getErr()
          .println(
              "flyball batch: what was learned could not be kept in "
                  + file
                  + ": "
                  + full.getMessage());
    }
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw wrong(option + ": " + rule);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
