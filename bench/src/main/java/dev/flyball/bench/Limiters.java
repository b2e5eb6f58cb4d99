package dev.flyball.bench;

import dev.flyball.bench.limiters.ClientRun;
import dev.flyball.bench.limiters.LimiterRow;
import dev.flyball.bench.limiters.LimiterRows;
import dev.flyball.bench.limiters.LimiterScore;
import dev.flyball.bench.limiters.LimiterTargets;
import dev.flyball.bench.limiters.LimiterTool;
import dev.flyball.bench.limiters.LimiterTools;
import dev.flyball.bench.limiters.LimiterTrial;
import dev.flyball.bench.wire.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The real command, told nothing, against rate limiters that others wrote, beside the official SDK:
 * judged on the wire, against the least time of a client that knows the limiter's rule.
 */
final class Limiters {
  private static final List<String> HEAD =
      List.of("limiter", "rule", "calls", "least", "fresh", "remembering", "SDK", "targets");
  private static final List<String> DETAIL =
      List.of(
          "limiter",
          "client",
          "× least",
          "seconds",
          "least",
          "refusals",
          "standstill",
          "unanswered",
          "asked twice",
          "ended otherwise",
          "most in flight",
          "load");

  /**
   * What was asked for.
   *
   * @param only a part of the names of the rows, or a whole one; several by commas
   * @param atOnce how many rows at one time
   * @param brief whether one of each family will do
   */
  record Arguments(int runs, String only, int atOnce, boolean brief, boolean sdk) {
    static Arguments of(String[] words) {
      boolean brief = List.of(words).contains("--short");
      var asked = new Arguments(brief ? 1 : 3, "", brief ? 7 : 4, brief, true);
      for (int i = 0; i < words.length; i++) {
        asked =
            switch (words[i]) {
              case "--short" -> asked;
              case "--no-sdk" -> new Arguments(asked.runs, asked.only, asked.atOnce, brief, false);
              case "--runs" ->
                  new Arguments(number(words, ++i), asked.only, asked.atOnce, brief, asked.sdk);
              case "--at-once" ->
                  new Arguments(asked.runs, asked.only, number(words, ++i), brief, asked.sdk);
              case "--only" ->
                  new Arguments(asked.runs, word(words, ++i), asked.atOnce, brief, asked.sdk);
              default ->
                  throw new IllegalArgumentException(
                      "there are --only NAME, --runs N, --at-once N, --short, --no-sdk and --save,"
                          + " not "
                          + words[i]);
            };
      }
      return asked;
    }

    private static int number(String[] words, int at) {
      int number = Integer.parseInt(word(words, at));
      if (number < 1) {
        throw new IllegalArgumentException(words[at - 1] + " is at least 1, not " + number);
      }
      return number;
    }

    private static String word(String[] words, int at) {
      if (at >= words.length) {
        throw new IllegalArgumentException(words[at - 1] + " needs a value");
      }
      return words[at];
    }

    /** A whole name means that row alone; a part of names all that have it. */
    List<LimiterRow> rows() {
      var all = brief ? LimiterRows.oneOfEach() : LimiterRows.ALL;
      if (only.isEmpty()) {
        return all;
      }
      var rows = new ArrayList<LimiterRow>();
      for (var name : only.split(",", -1)) {
        var exact = all.stream().filter(row -> row.name().equals(name)).toList();
        var found =
            exact.isEmpty()
                ? all.stream().filter(row -> row.name().contains(name)).toList()
                : exact;
        if (found.isEmpty()) {
          var names = String.join(", ", all.stream().map(LimiterRow::name).toList());
          throw new IllegalArgumentException("a row is one of " + names + ", not " + name);
        }
        rows.addAll(found);
      }
      return rows;
    }
  }

  /** All runs of a row. */
  private record RowResult(
      LimiterRow row, LimiterScore fresh, LimiterScore remembering, Optional<LimiterScore> sdk) {
    List<String> missed() {
      return LimiterTargets.missed(row, fresh, remembering, sdk);
    }

    List<String> line() {
      return List.of(
          row.name(),
          row.says() + (row.latency().toMillis() == 200 ? "" : "; answers in " + latency()),
          String.valueOf(row.calls()),
          "%.1f s".formatted(row.least().toNanos() / 1e9),
          fresh.toString(),
          remembering.toString(),
          sdk.map(LimiterScore::toString).orElse("-"),
          missed().isEmpty() ? "PASS" : "short; " + String.join("; ", missed()));
    }

    private String latency() {
      return row.latency().toMillis() / 1e3 + " s";
    }

    List<List<String>> details() {
      var lines = new ArrayList<List<String>>();
      lines.add(detail("flyball, fresh", fresh));
      lines.add(detail("flyball, remembering", remembering));
      sdk.ifPresent(score -> lines.add(detail("openai SDK", score)));
      return lines;
    }

    private List<String> detail(String client, LimiterScore score) {
      return List.of(
          row.name(),
          client,
          score.times(),
          "%.1f".formatted(score.seconds()),
          "%.1f".formatted(row.least().toNanos() / 1e9),
          "%.0f".formatted(score.refusals()),
          "%.1f s".formatted(score.silence()),
          String.valueOf(score.unanswered()),
          String.valueOf(score.twice()),
          String.valueOf(score.others()),
          "%.0f".formatted(score.inFlight()),
          "%.1f".formatted(score.load()));
    }
  }

  private final Arguments asked;
  private final boolean sdk;

  private Limiters(Arguments asked, boolean sdk) {
    this.asked = asked;
    this.sdk = sdk;
  }

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    var asked = Arguments.of(args);
    var rows = asked.rows();
    Set<LimiterTool> needed = EnumSet.noneOf(LimiterTool.class);
    rows.forEach(row -> needed.addAll(row.server().needs()));
    if (asked.sdk()) {
      needed.addAll(EnumSet.of(LimiterTool.NODE, LimiterTool.NPM));
    }
    var missing = LimiterTools.prepare(needed);
    var ready = Files.createTempDirectory("limiters");
    Command.ready(ready);
    Wire.delete(ready);
    boolean sdk =
        asked.sdk() && !missing.contains(LimiterTool.NODE) && !missing.contains(LimiterTool.NPM);
    return Optional.of(new Limiters(asked, sdk).report(rows, missing));
  }

  private BenchReport report(List<LimiterRow> rows, Set<LimiterTool> missing)
      throws InterruptedException {
    var skipped = new ArrayList<String>();
    var results = new ArrayList<Future<RowResult>>();
    try (var pool = Executors.newFixedThreadPool(asked.atOnce())) {
      for (var row : rows) {
        var lacks = row.server().needs().stream().filter(missing::contains).toList();
        if (lacks.isEmpty()) {
          results.add(pool.submit(() -> row(row)));
        } else {
          skipped.add(row.name() + " (there is no " + lacks + ")");
          System.err.println("SKIPPED: " + skipped.getLast());
        }
      }
      if (asked.sdk() && !sdk) {
        skipped.add("the SDK (there is no " + missing + ")");
        System.err.println("SKIPPED: " + skipped.getLast());
      }
    }
    var lines = new ArrayList<List<String>>();
    var details = new ArrayList<List<String>>();
    int kept = 0;
    for (var future : results) {
      try {
        var result = future.get();
        kept += result.missed().isEmpty() ? 1 : 0;
        lines.add(result.line());
        details.addAll(result.details());
      } catch (ExecutionException failed) {
        skipped.add("a row that failed (" + failed.getCause() + ")");
        System.err.println("FAILED: " + failed.getCause());
      }
    }
    return page(lines, details, kept, skipped);
  }

  private BenchReport page(
      List<List<String>> lines, List<List<String>> details, int kept, List<String> skipped) {
    return new BenchReport("Against rate limiters that others wrote")
        .say(
            """
            × least possible time / refusals / longest standstill: medians of %d run%s, %d row%s at one \
            time. `./flyball batch`, told nothing: `fresh` remembers nothing, `remembering` has what \
            the run before it learned. Beside it, at the same time, at a limiter of its own: the openai \
            SDK of npm with 10 retries, 20 calls at once. Providers answer in 0.2 s where the rule does \
            not say otherwise. A tap on the wire in front of the limiter is the judge: from the first \
            request to the last 200; refusals are 429, 503 and 403; a standstill is time without a new \
            request while there was something to ask. The least time is that of a client that knows the \
            rule. A run is stopped after three times the least time (`>`).\
            """
                .formatted(
                    asked.runs(),
                    asked.runs() == 1 ? "" : "s",
                    asked.atOnce(),
                    asked.atOnce() == 1 ? "" : "s"))
        .say(
            """
            Targets: ≤ %.1f × fresh, ≤ %.1f × remembering, ≤ %d refusals, no standstill longer than the \
            limiter's own window or %d s (and half a second for rounded waits), nothing lost, nothing asked twice, and at most 3 %% slower \
            than the SDK where that lost nothing. Kept by %d of %d.\
            """
                .formatted(
                    LimiterTargets.FRESH,
                    LimiterTargets.REMEMBERING,
                    LimiterTargets.REFUSALS,
                    LimiterTargets.SILENCE.toSeconds(),
                    kept,
                    lines.size()))
        .table(HEAD, lines)
        .say("All figures; what was lost, asked twice or ended otherwise is of all runs together.")
        .table(DETAIL, details)
        .say(
            (skipped.isEmpty() ? "Nothing was skipped" : "SKIPPED: " + String.join("; ", skipped))
                + ". Versions: "
                + LimiterTools.versions()
                + ".");
  }

  private RowResult row(LimiterRow row) throws IOException, InterruptedException {
    var fresh = new ArrayList<ClientRun>();
    var remembering = new ArrayList<ClientRun>();
    var peers = new ArrayList<ClientRun>();
    for (int i = 0; i < asked.runs(); i++) {
      var folder = Files.createTempDirectory("limiters-" + row.name() + "-");
      try (var beside = Executors.newVirtualThreadPerTaskExecutor()) {
        Optional<Future<ClientRun>> peer =
            sdk ? Optional.of(beside.submit(() -> sdk(row, folder))) : Optional.empty();
        var runs = new LimiterTrial(row, folder).flyball();
        fresh.add(runs.getFirst());
        remembering.add(runs.getLast());
        tell(row, "fresh", runs.getFirst());
        tell(row, "remembering", runs.getLast());
        if (peer.isPresent()) {
          peers.add(peer.get().get());
        }
      } catch (ExecutionException failed) {
        throw new IOException(row.name() + ": the SDK could not be run", failed.getCause());
      }
      keep(row, folder, fresh.getLast(), remembering.getLast());
    }
    return new RowResult(
        row,
        LimiterScore.of(row, fresh),
        LimiterScore.of(row, remembering),
        peers.isEmpty() ? Optional.empty() : Optional.of(LimiterScore.of(row, peers)));
  }

  private static ClientRun sdk(LimiterRow row, Path folder)
      throws IOException, InterruptedException {
    var run = new LimiterTrial(row, Files.createDirectory(folder.resolve("sdk"))).sdk();
    tell(row, "SDK", run);
    return run;
  }

  /** The files of a run that missed a target are worth a look. */
  private static void keep(LimiterRow row, Path folder, ClientRun fresh, ClientRun remembering)
      throws IOException {
    var missed =
        LimiterTargets.missed(
            row,
            LimiterScore.of(row, List.of(fresh)),
            LimiterScore.of(row, List.of(remembering)),
            Optional.empty());
    if (missed.isEmpty()) {
      Wire.delete(folder);
    } else {
      System.err.println(row.name() + ": missed; what passed the wire is in " + folder);
    }
  }

  private static void tell(LimiterRow row, String who, ClientRun run) {
    System.err.printf(
        "%s: %s %s, exit %s%n", row.name(), who, LimiterScore.of(row, List.of(run)), run.exit());
  }
}
