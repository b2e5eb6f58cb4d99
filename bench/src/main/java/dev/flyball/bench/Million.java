package dev.flyball.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.bench.wire.Command;
import dev.flyball.bench.wire.Roll;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code flyball batch} over a file of very many lines, in a heap that could not hold them. */
final class Million {
  private static final String HEAP = "-Xmx256m";
  private static final String PROVIDERS_HEAP = "-Xmx512m";

  private Million() {}

  static Optional<BenchReport> run(String[] args) throws IOException, InterruptedException {
    int lines = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
    var folder = Files.createTempDirectory("million");
    try {
      Command.ready(folder);
      return Optional.of(report(lines, folder));
    } finally {
      Wire.delete(folder);
    }
  }

  private static BenchReport report(int lines, Path folder)
      throws IOException, InterruptedException {
    double before = Wire.load();
    var input = folder.resolve("calls.jsonl");
    Roll.write(input, lines);
    var provider = Provider.start(Files.createDirectory(folder.resolve("provider")));
    try {
      var command = new Command(folder);
      long started = System.nanoTime();
      var process =
          command.start(
              Map.of("FLYBALL_JAVA_OPTS", HEAP),
              "batch",
              "calls.jsonl",
              "-o",
              "answers.jsonl",
              "--model",
              "m",
              "--base-url",
              provider.uri().toString(),
              "--progress",
              "none",
              "--report",
              "report.json");
      int exit = process.waitFor();
      double all = (System.nanoTime() - started) / 1e9;
      if (exit != 0) {
        throw new IOException("the command ended with " + exit + ": " + command.said());
      }
      var said = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
      double wall = said.path("wallSeconds").asDouble();
      var roll = Roll.call(folder.resolve("answers.jsonl"), lines);
      return new BenchReport("A file of many lines")
          .say(
              """
              `./flyball batch` in a heap of %s, against a simulator in a process of its own that \
              has no limits and answers after 20 ms. `besides` is the start of the process, the \
              check of all lines before anything is sent, and the end.\
              """
                  .formatted(HEAP.substring("-Xmx".length())))
          .table(
              List.of(
                  "lines",
                  "file",
                  "time",
                  "besides",
                  "calls a second",
                  "answered once",
                  "more than once",
                  "never",
                  "answers produced"),
              List.of(
                  List.of(
                      "%,d".formatted(lines),
                      "%,d MB".formatted(Files.size(input) / 1_000_000),
                      "%.1f s".formatted(wall),
                      "%.1f s".formatted(all - wall),
                      "%,.0f".formatted(lines / wall),
                      "%,d".formatted(roll.once()),
                      "%,d".formatted(roll.more()),
                      "%,d".formatted(roll.never()),
                      "%,d".formatted(provider.answered()))))
          .say("Load of the machine: %.1f before, %.1f after.".formatted(before, Wire.load()));
    } finally {
      provider.stop();
    }
  }

  /** {@code flyball simulate}, in a process of its own. */
  private record Provider(Process process, URI uri) {
    private static final String LISTENING = "listening on ";

    static Provider start(Path folder) throws IOException, InterruptedException {
      var command = new Command(folder);
      var process =
          command.start(
              Map.of("FLYBALL_JAVA_OPTS", PROVIDERS_HEAP),
              "simulate",
              "--port=0",
              "--profile=unlimited",
              "--latency=20ms",
              "--ledger=1");
      while (process.isAlive()) {
        var first = command.said().lines().filter(line -> line.startsWith(LISTENING)).findFirst();
        if (first.isPresent()) {
          return new Provider(process, URI.create(first.get().substring(LISTENING.length())));
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
      throw new IOException("the simulator does not start: " + command.said());
    }

    long answered() throws IOException {
      try (var stats = uri.resolve("/__sim/stats").toURL().openStream()) {
        return new ObjectMapper().readTree(stats).path("answered").asLong();
      }
    }

    void stop() throws InterruptedException {
      process.destroy();
      process.waitFor();
    }
  }
}
