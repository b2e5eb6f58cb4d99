package dev.flyball.bench;

import dev.flyball.bench.wire.Command;
import dev.flyball.bench.wire.Foretold;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** Forecasts of real runs over HTTP, each before it is run. */
final class Forecasts {
  private static final int AT_ONE_TIME = 3;
  private static final double TIME = 0.1;
  private static final double COST_KNOWN = 0.05;
  private static final double COST_TAUGHT = 0.3;

  private Forecasts() {}

  private record Result(Foretold row, Foretold.Outcome outcome) {
    boolean timeKept() {
      return Math.abs(outcome.timeError()) <= TIME;
    }

    boolean costKept() {
      return Math.abs(outcome.costError()) <= (row.known() ? COST_KNOWN : COST_TAUGHT);
    }
  }

  static Optional<BenchReport> run(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    var said = new ArrayList<>(List.of(args));
    int option = said.indexOf("--only");
    var only = option < 0 ? "" : said.remove(option + 1);
    said.remove("--only");
    long seed = said.isEmpty() ? 1_000 : Long.parseLong(said.getFirst());
    var ready = Files.createTempDirectory("forecast");
    Command.ready(ready);
    Wire.delete(ready);
    double before = Wire.load();
    var work = new ArrayList<Callable<Result>>();
    for (var row : Foretold.ALL) {
      if (row.name().contains(only)) {
        work.add(() -> result(row, seed));
      }
    }
    var results = new ArrayList<Result>();
    try (var threads = Executors.newFixedThreadPool(AT_ONE_TIME)) {
      for (var each : threads.invokeAll(work)) {
        results.add(each.get());
      }
    }
    return Optional.of(report(results, seed, before));
  }

  private static Result result(Foretold row, long seed) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("forecast");
    try {
      var result = new Result(row, row.run(folder, seed + row.name().hashCode()));
      System.out.println(String.join("  ", cells(result)));
      return result;
    } finally {
      Wire.delete(folder);
    }
  }

  private static BenchReport report(List<Result> results, long seed, double before) {
    long times = results.stream().filter(Result::timeKept).count();
    long costs = results.stream().filter(Result::costKept).count();
    return new BenchReport("Forecasts, and what became of them")
        .say(
            """
            `./flyball estimate` is asked first, with the limits of the account and without a key; then \
            `./flyball batch` runs the same file over HTTP against a simulated account. The time is that \
            of the run, from its first call to its last answer. A short run at an account without limits \
            came before, so that it is known how the provider counts tokens; where the length of answers \
            is known, it is told to the estimate, and where it is taught, there were five such runs. %d rows at one time, seed %d.\
            """
                .formatted(AT_ONE_TIME, seed))
        .table(
            List.of(
                "batch",
                "calls",
                "answers",
                "least",
                "forecast",
                "nine of ten",
                "truth",
                "off",
                "cost",
                "true cost",
                "cost off"),
            results.stream().map(Forecasts::cells).toList())
        .say(
            ("Promised: nine of ten times within %.0f %%; costs within %.0f %% where lengths are"
                 + " known and %.0f %% where they are taught. Kept: %d of %d times, %d of %d costs."
                 + " Load of the machine: %.1f before, %.1f after.")
                .formatted(
                    TIME * 100,
                    COST_KNOWN * 100,
                    COST_TAUGHT * 100,
                    times,
                    results.size(),
                    costs,
                    results.size(),
                    before,
                    Wire.load()));
  }

  private static List<String> cells(Result result) {
    var outcome = result.outcome();
    return List.of(
        result.row().name(),
        "%,d".formatted(result.row().calls()),
        result.row().known() ? "known" : "taught",
        "%.1f s".formatted(outcome.least()),
        "%.1f s".formatted(outcome.median()),
        "%.1f s".formatted(outcome.ninth()),
        "%.1f s".formatted(outcome.wall()),
        "%+.1f %%".formatted(outcome.timeError() * 100),
        "$%.4f".formatted(outcome.cost()),
        "$%.4f".formatted(outcome.realCost()),
        "%+.1f %%".formatted(outcome.costError() * 100));
  }
}
