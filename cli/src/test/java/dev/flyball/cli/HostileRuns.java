package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * A process with little memory that runs a batch against each hostile provider, several at one
 * time, and writes down what each came to.
 */
final class HostileRuns {
  static final int LINES = 20;
  static final int MODELS = 5;
  static final Duration DEADLINE = Duration.ofSeconds(3);

  private static final int AT_ONE_TIME = 6;

  private HostileRuns() {}

  /**
   * Runs all.
   *
   * @param args a folder, the address of a provider that does nothing wrong, and those that do
   */
  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]);
    // So that the first of them does not have to load all classes within its deadline.
    run(args[1], folder.resolve("first"));
    try (var threads = Executors.newFixedThreadPool(AT_ONE_TIME)) {
      int next = 2;
      for (var way : HostileProvider.Way.values()) {
        var address = args[next++];
        threads.execute(() -> run(address, folder.resolve(name(way))));
      }
    }
    // The last line, which is missing if the process came to a bad end.
    Files.writeString(folder.resolve("ended"), "yes");
    System.exit(0);
  }

  static String name(HostileProvider.Way way) {
    return way.name().toLowerCase(Locale.ROOT);
  }

  static List<String> ids() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < LINES; i++) {
      ids.add("q" + i);
    }
    return ids;
  }

  private static void run(String address, Path folder) {
    var result = CommandDesk.JSON.createObjectNode();
    try {
      Files.createDirectories(folder);
      var lines = new ArrayList<String>();
      for (int i = 0; i < LINES; i++) {
        // Several models are several lanes, so that many are in flight from the start.
        lines.add(CommandDesk.openAi("q" + i, "m" + i % MODELS, "say " + i));
      }
      Files.write(folder.resolve("in.jsonl"), lines);
      ask(address, folder, result);
    } catch (IOException | RuntimeException | Error broken) {
      result.put("thrown", broken.toString());
    }
    try {
      Files.writeString(folder.resolve("result.json"), result.toString());
    } catch (IOException gone) {
      throw new IllegalStateException(gone);
    }
  }

  private static void ask(String address, Path folder, ObjectNode result) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit =
        Main.run(
            Map.of("XDG_STATE_HOME", folder.resolve("state").toString()),
            folder,
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            "batch",
            folder.resolve("in.jsonl").toString(),
            "-o",
            folder.resolve("out.jsonl").toString(),
            "--base-url",
            address,
            "--timeout=1s",
            "--deadline=" + DEADLINE.toSeconds() + "s",
            "--max-wait=2s",
            "--max-retries=1",
            "--concurrency=20",
            "--no-history",
            "--progress=plain",
            "--report",
            folder.resolve("report.json").toString());
    result.put("exit", exit).put("out", out.toString()).put("err", err.toString());
  }
}
