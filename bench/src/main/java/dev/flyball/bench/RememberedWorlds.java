package dev.flyball.bench;

import dev.flyball.bench.wire.Command;
import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.PriceBasis;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunStart;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** A history of very many calls: how fast it is written, and how long {@code usage} then takes. */
final class RememberedWorlds {
  private static final int DAYS = 30;
  private static final int ROUNDS = 5;
  private static final String SCAN =
      "select model, count(*), sum(input), sum(output), sum(cost) from calls group by model";

  private RememberedWorlds() {}

  static Optional<BenchReport> run(String[] args)
      throws IOException, InterruptedException, HistoryUnavailable, SQLException {
    int calls = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
    var folder = Files.createTempDirectory("usage");
    try {
      Command.ready(folder);
      return Optional.of(report(calls, folder));
    } finally {
      Wire.delete(folder);
    }
  }

  private static BenchReport report(int calls, Path folder)
      throws IOException, InterruptedException, HistoryUnavailable, SQLException {
    double before = Wire.load();
    var file = folder.resolve("history.db");
    var now = Instant.now();
    double writing = fill(file, calls, now);
    double question = question(file, now);
    double scan = scan(file);
    double command = command(folder, "usage", "--history", file.toString());
    double start = command(folder, "--version");
    return new BenchReport("A history of many calls")
        .say(
            """
            Attempts over %d days, recorded one after the other and committed to a file of SQLite in \
            groups, each commit forced to the disk. `question` is one `usage` by model inside a \
            running process; `from the calls` the same from the single attempts instead of the sums. \
            `./flyball usage` is the whole command as a process; `start` is what a process takes that \
            only says its version. Medians of %d.\
            """
                .formatted(DAYS, ROUNDS))
        .table(
            List.of(
                "calls",
                "written in",
                "calls a second",
                "file",
                "bytes a call",
                "question",
                "from the calls",
                "./flyball usage",
                "start"),
            List.of(
                List.of(
                    "%,d".formatted(calls),
                    "%.1f s".formatted(writing),
                    "%,.0f".formatted(calls / writing),
                    "%,d MB".formatted(Files.size(file) / 1_000_000),
                    "%,d".formatted(Files.size(file) / calls),
                    "%.3f s".formatted(question),
                    "%.2f s".formatted(scan),
                    "%.2f s".formatted(command),
                    "%.2f s".formatted(start))))
        .say("Load of the machine: %.1f before, %.1f after.".formatted(before, Wire.load()));
  }

  private static double fill(Path file, int calls, Instant now)
      throws HistoryUnavailable, InterruptedException {
    var random = new SplittableRandom(1);
    var models = List.of("claude-large", "claude-small", "gpt-large", "gpt-small", "gpt-nano");
    var lenses = List.of("security", "tests", "design");
    var prices = new PriceBasis.Listed("2026-11-01");
    long started = System.nanoTime();
    try (var history = History.open(new HistoryLocation.File(file), InstantSource.fixed(now))) {
      int each = calls / DAYS;
      for (int day = 0; day < DAYS; day++) {
        var run =
            history.begin(
                RunStart.of("review", "deep", AnswerOrigin.REAL).in("ours/repo" + day % 3, "main"));
        int count = day == 0 ? calls - each * (DAYS - 1) : each;
        var first = now.minus(Duration.ofDays(day)).minus(Duration.ofHours(20));
        for (int i = 0; i < count; i++) {
          var model = models.get(random.nextInt(models.size()));
          var asked =
              CallKey.of("provider/" + model, model, "unit-" + i)
                  .lens(lenses.get(random.nextInt(lenses.size())))
                  .expecting(2_000, 4_096);
          var usage =
              new Usage(
                  random.nextLong(4_000),
                  random.nextLong(2_000),
                  random.nextLong(100),
                  random.nextLong(1_500),
                  new Cost(random.nextLong(50_000)));
          var attempt =
              AttemptRecord.answered(
                  run,
                  asked,
                  usage,
                  prices,
                  Duration.ofMillis(random.nextLong(20_000)),
                  first.plus(Duration.ofHours(20).multipliedBy(i).dividedBy(count)));
          history.record(
              random.nextInt(50) == 0
                  ? attempt
                      .ending(AttemptOutcome.THROTTLED, "requests")
                      .waiting(Map.of("requests", Duration.ofMillis(300)))
                  : attempt);
        }
        history.end(run, new RunEnding(Duration.ofHours(20), 0, count, count, 0, Cost.NOTHING));
      }
    }
    return (System.nanoTime() - started) / 1e9;
  }

  private static double question(Path file, Instant now) throws HistoryUnavailable {
    var query =
        new UsageQuery(
            now.minus(Duration.ofDays(31)), now, Set.of(UsageGrouping.MODEL), AnswerOrigin.REAL);
    double[] times = new double[ROUNDS];
    try (var history = History.open(new HistoryLocation.File(file), InstantSource.fixed(now))) {
      for (int i = 0; i < ROUNDS; i++) {
        long started = System.nanoTime();
        history.usage(query);
        times[i] = (System.nanoTime() - started) / 1e9;
      }
    }
    return median(times);
  }

  private static double scan(Path file) throws SQLException {
    double[] times = new double[ROUNDS];
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (int i = 0; i < ROUNDS; i++) {
        long started = System.nanoTime();
        try (var rows = statement.executeQuery(SCAN)) {
          while (rows.next()) {
            rows.getLong(2);
          }
        }
        times[i] = (System.nanoTime() - started) / 1e9;
      }
    }
    return median(times);
  }

  private static double command(Path folder, String... arguments)
      throws IOException, InterruptedException {
    double[] times = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      var command = new Command(folder);
      long started = System.nanoTime();
      int exit = command.start(Map.of(), arguments).waitFor();
      times[i] = (System.nanoTime() - started) / 1e9;
      if (exit != 0) {
        throw new IOException("the command ended with " + exit + ": " + command.said());
      }
    }
    return median(times);
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }
}
