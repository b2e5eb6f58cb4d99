package dev.flyball.cli.option;

import dev.flyball.batch.BatchSettings;
import dev.flyball.call.Priority;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.llm.Sha256;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that say what a batch is asked to do, and within which bounds. */
public final class BatchOptions {
  private static final int BYTES_OF_A_NAME = 12;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(paramLabel = "IN.jsonl", description = "A file of prompts; - is standard input.")
  private String input;

  @SetBy(Who.USER)
  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT.jsonl",
      description =
          "The file of answers; - prints them on standard output when the run ends. Default:"
              + " IN.results.jsonl")
  private @Nullable Path output;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model for lines that have only a prompt.")
  private @Nullable String model;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "Longest answer in tokens, for lines that have only a prompt.")
  private @Nullable Long maxTokens;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description = "Stop before more tokens than this are used.")
  private @Nullable Long budgetTokens;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "normal",
      description = "interactive, normal or bulk. Default: ${DEFAULT-VALUE}")
  private String priority;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--order",
      paramLabel = "fifo|longest-first",
      defaultValue = "fifo",
      description = "Which lines are sent first. Default: ${DEFAULT-VALUE}")
  private String order;

  @SetBy(Who.USER)
  @Option(names = "--first", paramLabel = "N", description = "Only the first N lines.")
  private @Nullable Long first;

  @SetBy(Who.PROJECT)
  @Option(names = "--ordered", description = "Sort the answers by input line at the end.")
  private boolean ordered;

  @SetBy(Who.USER)
  @Option(
      names = "--keep-errors",
      description = "Do not retry lines that failed in an earlier run.")
  private boolean keepErrors;

  @SetBy(Who.USER)
  @Option(names = "--skip-invalid", description = "Skip invalid lines.")
  private boolean skipInvalid;

  @SetBy(Who.USER)
  @Option(names = "--dry-run", description = "Forecast time and cost; send nothing.")
  private boolean dryRun;

  @SetBy(Who.PROJECT)
  @Option(names = "--json", description = "With --dry-run: print JSON.")
  private boolean json;

  @SetBy(Who.USER)
  @Option(names = "--report", paramLabel = "FILE", description = "Write a JSON report.")
  private @Nullable Path report;

  private @Nullable Path spool;

  /** What the run is asked to do; what comes through a pipe is spooled on the way. */
  public BatchSettings settings(BoundOptions bounds, Map<String, String> environment)
      throws IOException {
    check("--first", first == null || first >= 1, "must be at least 1, not " + first);
    check(
        "--max-tokens",
        maxTokens == null || maxTokens >= 1,
        "must be at least 1, not " + maxTokens);
    check(
        "--budget-tokens",
        budgetTokens == null || budgetTokens >= 1,
        "must be at least 1, not " + budgetTokens);
    var answers = outputFile(environment);
    return new BatchSettings(
        inputFile(answers),
        answers,
        Optional.ofNullable(model),
        maxTokens == null ? OptionalLong.empty() : OptionalLong.of(maxTokens),
        Optional.empty(),
        bounds
            .bounds()
            .tokens(budgetTokens == null ? OptionalLong.empty() : OptionalLong.of(budgetTokens)),
        choice("--priority", priority, Patience.class).priority(),
        first == null ? Long.MAX_VALUE : first,
        choice("--order", order, BatchSettings.Order.class),
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

  /** Whether the answers go to standard output; the journal is in the state folder then. */
  public boolean isPiped() {
    return output != null && output.toString().equals("-");
  }

  /** By the input, so that the same command again finds what is there. */
  private Path journal(Map<String, String> environment) throws IOException {
    var from = input.equals("-") ? "-" : Path.of(input).toAbsolutePath().normalize().toString();
    var name = HexFormat.of().formatHex(Sha256.of(from), 0, BYTES_OF_A_NAME);
    var file = StateFolder.of(environment).folder("batches").made(name + ".jsonl");
    if (Files.size(file) == 0) {
      Files.delete(file);
    }
    return file;
  }

  private Path outputFile(Map<String, String> environment) throws IOException {
    if (isPiped()) {
      return journal(environment);
    }
    if (output != null) {
      check("-o", !Files.isDirectory(output), output + " is a folder: name a file");
      var parent = output.toAbsolutePath().getParent();
      check("-o", parent != null && Files.isDirectory(parent), "there is no folder " + parent);
      return output;
    }
    check(
        "-o",
        !input.equals("-"),
        "name a file for the answers, because standard input has no name");
    return Path.of(input.replaceFirst("\\.jsonl?$", "") + ".results.jsonl");
  }

  /**
   * What comes through a pipe is spooled beside the answers, so that it can be read at any place.
   */
  private Path inputFile(Path answers) throws IOException {
    var path = Path.of(input);
    if (!input.equals("-") && (Files.isRegularFile(path) || Files.notExists(path))) {
      boolean same = Files.exists(path) && Files.exists(answers) && Files.isSameFile(path, answers);
      check("-o", !same, "the answers cannot go into the file of prompts");
      return path;
    }
    check(
        "IN.jsonl",
        input.equals("-") || !Files.isDirectory(path),
        input + " is a folder: name a file");
    check(
        "IN.jsonl",
        input.equals("-") || !InputSpool.isDevice(path),
        input + " is a device: name a file or a pipe");
    var parent = answers.toAbsolutePath().getParent();
    check(
        "-o",
        parent != null && Files.isWritable(parent) && !InputSpool.isSystem(parent),
        "name another file for the answers: " + answers + " cannot be written");
    var file = answers.resolveSibling(answers.getFileName() + ".input");
    try (InputStream in = input.equals("-") ? System.in : Files.newInputStream(path)) {
      InputSpool.copy(in, file);
    } catch (InputSpool.Unfit wrong) {
      throw wrong("IN.jsonl: " + wrong.getMessage());
    }
    spool = file;
    return file;
  }

  private <E extends Enum<E>> E choice(String option, String word, Class<E> type) {
    for (var each : type.getEnumConstants()) {
      if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word)) {
        return each;
      }
    }
    var known =
        Arrays.stream(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    throw wrong(option + ": must be one of " + String.join(", ", known) + ", not " + word);
  }

  /** What was asked, as it was typed. */
  public String input() {
    return input;
  }

  public boolean dryRun() {
    return dryRun;
  }

  /** Whether a forecast is for programs. */
  public boolean json() {
    return json;
  }

  public Optional<Path> report() {
    return Optional.ofNullable(report);
  }

  /** Takes away what was spooled, if anything was: nobody goes on with it. */
  public void dropSpool() throws IOException {
    if (spool != null) {
      Files.deleteIfExists(spool);
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
