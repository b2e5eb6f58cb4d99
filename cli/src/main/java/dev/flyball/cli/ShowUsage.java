package dev.flyball.cli;

import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.PastMoment;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.UsageExport;
import dev.flyball.cli.screen.UsagePage;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.record.UsageSums;
import dev.flyball.history.store.HistoryImport;
import dev.flyball.run.ExitCode;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code flyball usage}: what earlier runs used and cost. */
@Command(
    name = "usage",
    description = {
      "Shows tokens, cost, rate-limited calls (429) and retries of past runs.",
      "Counted by whole hours; days are in UTC."
    },
    footer = {"", "Exit codes: 0, or 2 for wrong usage."})
@Examples({
  "flyball usage",
  "flyball usage --since 7d --by model",
  "flyball usage --by review",
  "flyball usage --simulated"
})
final class ShowUsage implements Callable<Integer> {
  /** What usage is written as. */
  enum Format {
    TABLE,
    JSON,
    CSV
  }

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private HistoryOptions history;

  @SetBy(Who.USER)
  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "30d",
      converter = PastMoment.Reader.class,
      description = "Start: 7d, 24h or 2026-11-01. Default: ${DEFAULT-VALUE}")
  private PastMoment since;

  @SetBy(Who.USER)
  @Option(
      names = "--by",
      paramLabel = "WHAT",
      split = ",",
      defaultValue = "model",
      converter = Groups.class,
      description =
          "Group by model, mode, lens, repository, lane, tenant, day or hour, or several of them."
              + " With repository or mode, reviews are counted too; review lists each, alone or"
              + " with these two.")
  private List<UsageGrouping> by;

  @SetBy(Who.USER)
  @Option(
      names = "--format",
      paramLabel = "FORM",
      defaultValue = "table",
      converter = Forms.class,
      description = "table, json or csv. Default: ${DEFAULT-VALUE}")
  private Format format;

  @SetBy(Who.FLAG)
  @Option(
      names = "--import",
      paramLabel = "FILE",
      description =
          "Copy the runs of another history, such as .flyball/history.db of earlier versions, and"
              + " show nothing. Runs that are there already are not copied again.")
  private @Nullable String copied;

  @SetBy(Who.USER)
  @Option(names = "--simulated", description = "Show simulated runs instead of real ones.")
  private boolean simulated;

  /** Names of groups. */
  static final class Groups implements ITypeConverter<UsageGrouping> {
    @Override
    public UsageGrouping convert(String text) {
      for (var each : UsageGrouping.values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(text.strip())) {
          return each;
        }
      }
      throw new TypeConversionException(
          "must be model, mode, lens, repository, lane, tenant, day, hour or review, not '"
              + text
              + "'");
    }
  }

  /** Names of forms. */
  static final class Forms implements ITypeConverter<Format> {
    @Override
    public Format convert(String text) {
      for (var each : Format.values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
          return each;
        }
      }
      throw new TypeConversionException("must be table, json or csv, not '" + text + "'");
    }
  }

  @Override
  public Integer call() throws IOException {
    var now = Time.system().wall();
    var from = since.before(now);
    if (from.isAfter(now)) {
      throw new ParameterException(
          spec.commandLine(), "--since must be in the past, not " + day(from));
    }
    if (by.contains(UsageGrouping.REVIEW) && !UsageGrouping.OF_REVIEWS.containsAll(by)) {
      throw new ParameterException(
          spec.commandLine(),
          "--by: review can only be combined with repository and mode: a review has no single"
              + " model, lens, lane, tenant, day or hour");
    }
    if (copied != null) {
      return copy(copied);
    }
    Main.sayWhatMoved(spec, main.config(), true);
    var place = history.place(main.config().folder(), main.config().environment());
    var origin = simulated ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
    if (place instanceof HistoryLocation.File(Path path) && !Files.exists(path)) {
      print(UsageSums.none(from, now, groups(), origin));
      note("no history yet in " + path + ": the first run creates it");
      return ExitCode.DONE.code();
    }
    try (var opened = History.open(place, Time.system()::wall)) {
      var usages = read(opened, from, now, origin);
      print(usages);
      if (usages.rows().isEmpty()) {
        note(
            usages.isOfCalls()
                ? nothing(opened, from, now, origin)
                : "no reviews%s since %s"
                    .formatted(
                        origin == AnswerOrigin.REAL
                            ? " by a real provider"
                            : " by a simulated provider",
                        day(from)));
      }
      return ExitCode.DONE.code();
    } catch (HistoryUnavailable unavailable) {
      spec.commandLine().getErr().println("flyball usage: " + unavailable.reason());
      return ExitCode.REFUSED.code();
    }
  }

  private int copy(String file) throws IOException {
    var config = main.config();
    var place = history.place(config.folder(), config.environment());
    try {
      var copied = HistoryImport.into(place, config.folder().resolve(file));
      spec.commandLine()
          .getOut()
          .printf(
              "copied into %s: %,d runs with %,d attempts, %,d reviews%n",
              place, copied.runs(), copied.attempts(), copied.reviews());
      return ExitCode.DONE.code();
    } catch (HistoryUnavailable refused) {
      spec.commandLine().getErr().println("flyball usage: " + refused.reason());
      return ExitCode.REFUSED.code();
    }
  }

  private Set<UsageGrouping> groups() {
    return new LinkedHashSet<>(by);
  }

  private UsageSums read(History opened, Instant from, Instant now, AnswerOrigin origin)
      throws HistoryUnavailable {
    var query = new UsageQuery(from, now, groups(), origin);
    var none = UsageSums.none(from, now, groups(), origin);
    var sums =
        none.isOfCalls()
            ? new UsageSums(
                from,
                now,
                groups(),
                origin,
                opened.usage(query),
                opened.usage(new UsageQuery(from, now, Set.of(UsageGrouping.DAY), origin)),
                List.of())
            : none;
    return sums.isOfReviews() ? sums.reviewing(opened.reviewed(query)) : sums;
  }

  private static String day(Instant moment) {
    return moment
        .truncatedTo(ChronoUnit.MINUTES)
        .toString()
        .replace(":00Z", "Z")
        .replace('T', ' ')
        .replace("Z", " UTC");
  }

  private static String nothing(History opened, Instant from, Instant now, AnswerOrigin origin)
      throws HistoryUnavailable {
    var other = origin == AnswerOrigin.REAL ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
    long there =
        opened.usage(new UsageQuery(from, now, Set.of(), other)).stream()
            .mapToLong(UsageRow::attempts)
            .sum();
    if (there == 0) {
      return "no calls since " + day(from);
    }
    return origin == AnswerOrigin.REAL
        ? "no calls to a real provider since %s; `--simulated` shows %,d simulated attempts"
            .formatted(day(from), there)
        : "no simulated calls since %s; without `--simulated` there are %,d attempts"
            .formatted(day(from), there);
  }

  private void print(UsageSums usages) throws IOException {
    var out = spec.commandLine().getOut();
    switch (format) {
      case TABLE -> {
        if (!usages.rows().isEmpty()) {
          var terminal = Terminal.of(out, main.config().environment());
          var style = terminal.isLive() ? UsagePage.Style.DRAWN : UsagePage.Style.PLAIN;
          new UsagePage(terminal, style).lines(usages).forEach(out::println);
        }
      }
      case JSON -> out.println(UsageExport.json(usages));
      case CSV -> UsageExport.csv(usages).forEach(out::println);
    }
  }

  /** Beside a table, or beside what a program reads. */
  private void note(String sentence) {
    var line = spec.commandLine();
    (format == Format.TABLE ? line.getOut() : line.getErr()).println(sentence);
  }
}
