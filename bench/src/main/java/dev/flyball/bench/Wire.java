package dev.flyball.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.bench.wire.BatchRun;
import dev.flyball.bench.wire.Command;
import dev.flyball.bench.wire.Score;
import dev.flyball.bench.wire.SdkRun;
import dev.flyball.bench.wire.WireRow;
import dev.flyball.bench.wire.WireTrial;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The real command over HTTP, beside the official SDKs, judged by the simulator's ledger. */
final class Wire {
  private static final List<String> HEAD =
      List.of(
          "account",
          "calls",
          "least",
          "promised",
          "flyball",
          "kept",
          "requests a call",
          "asked again",
          "start",
          "SDK, 20 threads",
          "its requests a call");

  /**
   * What was asked for.
   *
   * @param only a part of the names of the rows
   * @param alone whether the SDKs are left out
   */
  record Arguments(int runs, String only, boolean alone) {
    static Arguments of(String[] words) {
      var asked = new Arguments(3, "", false);
      for (int i = 0; i < words.length; i++) {
        asked =
            switch (words[i]) {
              case "--runs" -> new Arguments(number(words, ++i), asked.only, asked.alone);
              case "--only" -> new Arguments(asked.runs, word(words, ++i), asked.alone);
              case "--alone" -> new Arguments(asked.runs, asked.only, true);
              default ->
                  throw new IllegalArgumentException(
                      "there are --runs N, --only ROW, --alone and --save, not " + words[i]);
            };
      }
      return asked;
    }

    private static int number(String[] words, int at) {
      int runs = Integer.parseInt(word(words, at));
      if (runs < 1) {
        throw new IllegalArgumentException("at least one run is expected, not " + runs);
      }
      return runs;
    }

    private static String word(String[] words, int at) {
      if (at >= words.length) {
        throw new IllegalArgumentException(words[at - 1] + " needs a value");
      }
      return words[at];
    }

    List<WireRow> rows() {
      var rows = WireRow.ALL.stream().filter(row -> row.name().contains(only)).toList();
      if (rows.isEmpty()) {
        var names = String.join(", ", WireRow.ALL.stream().map(WireRow::name).toList());
        throw new IllegalArgumentException("a row is one of " + names + ", not " + only);
      }
      return rows;
    }
  }

  private final Arguments asked;

  private Wire(Arguments asked) {
    this.asked = asked;
  }

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    return Optional.of(new Wire(Arguments.of(args)).report());
  }

  private BenchReport report() throws IOException, InterruptedException {
    var rows = asked.rows();
    var ready = Files.createTempDirectory("wire");
    Command.ready(ready);
    delete(ready);
    double before = load();
    var cells = new ArrayList<List<String>>();
    for (var row : rows) {
      cells.add(row(row));
    }
    return new BenchReport("Over the wire")
        .say(
            """
            Time ÷ least possible time / 429s / lost answers: medians of %d run%s. `./flyball batch`, \
            told nothing and remembering nothing, over HTTP, against a simulator whose ledger is the \
            judge; beside it the same calls through openai-java or anthropic-java as they come, on a \
            pool of 20 threads. Ten requests a second, ten at once, answers after 200 ms, where the \
            name does not say otherwise. Times are from the first call to the last answer; `start` is \
            what the process took besides. `asked again` are answers to calls that had one. The SDK's \
            time is that until its last call ended, so it may seem fast where it loses calls.\
            """
                .formatted(asked.runs(), asked.runs() == 1 ? "" : "s"))
        .table(HEAD, cells)
        .say("Load of the machine: %.1f before, %.1f after.".formatted(before, load()));
  }

  private List<String> row(WireRow row) throws IOException, InterruptedException {
    var flyball = Score.of(row, batch(row));
    var sdk = asked.alone() ? Optional.<Score>empty() : Optional.of(Score.of(row, sdk(row)));
    return List.of(
        row.name(),
        String.valueOf(row.calls()),
        "%.1f s".formatted(row.least().toNanos() / 1e9),
        row.promise().toString(),
        flyball.toString(),
        row.promise().keptBy(flyball) ? "yes" : "no",
        "%.3f".formatted(flyball.requests()),
        "%.0f".formatted(flyball.askedAgain()),
        "%.1f s".formatted(flyball.start()),
        sdk.map(Score::toString).orElse("-"),
        sdk.map(score -> "%.3f".formatted(score.requests())).orElse("-"));
  }

  private List<WireTrial> batch(WireRow row) throws IOException, InterruptedException {
    var trials = new ArrayList<WireTrial>();
    for (int i = 0; i < asked.runs(); i++) {
      var folder = Files.createTempDirectory("wire");
      var run = new BatchRun(row, folder);
      var trial = run.run();
      trials.add(trial);
      var score = Score.of(row, List.of(trial));
      tell(row, "flyball " + score);
      if (row.promise().keptBy(score)) {
        delete(folder);
      } else {
        var ledger = trial.judged().ledger().stream().map(JsonNode::toString).toList();
        Files.write(folder.resolve("ledger.jsonl"), ledger);
        tell(row, "missed; its files and the ledger are in " + folder);
        tell(row, "the command says " + run.read());
        tell(row, "the simulator says " + trial.judged().stats());
      }
    }
    return trials;
  }

  private List<WireTrial> sdk(WireRow row) throws IOException, InterruptedException {
    var run = new SdkRun(row);
    run.warmUp();
    var trials = new ArrayList<WireTrial>();
    for (int i = 0; i < asked.runs(); i++) {
      trials.add(run.run());
      tell(row, "SDK " + Score.of(row, List.of(trials.getLast())));
    }
    return trials;
  }

  private static void tell(WireRow row, String what) {
    System.err.println(row.name() + ": " + what);
  }

  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
