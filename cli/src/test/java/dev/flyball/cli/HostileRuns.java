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
  static final int LINES = 25;
  static final int MODELS = 5;
  static final Duration DEADLINE = Duration.ofSeconds(6);

  private static final int AT_ONE_TIME = 12;

  private HostileRuns() {}

  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]);
    try (var threads = Executors.newFixedThreadPool(AT_ONE_TIME)) {
      for (var way : HostileProvider.Way.values()) {
        threads.execute(() -> run(way, folder.resolve(name(way))));
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

  private static void run(HostileProvider.Way way, Path folder) {
    var result = CommandDesk.JSON.createObjectNode();
    try (var provider = HostileProvider.start(way)) {
      Files.createDirectories(folder);
      var lines = new ArrayList<String>();
      for (int i = 0; i < LINES; i++) {
        // Several models are several lanes, so that many are in flight from the start.
        lines.add(CommandDesk.openAi("q" + i, "m" + i % MODELS, "say " + i));
      }
      Files.write(folder.resolve("in.jsonl"), lines);
      ask(provider, folder, result);
      result.put("strays", provider.strays()).put("requests", provider.requests());
    } catch (IOException | RuntimeException | Error broken) {
      result.put("thrown", broken.toString());
    }
    try {
      Files.writeString(folder.resolve("result.json"), result.toString());
    } catch (IOException gone) {
      throw new IllegalStateException(gone);
    }
  }

  private static void ask(HostileProvider provider, Path folder, ObjectNode result) {
    var out = new StringWriter();
    var err = new StringWriter();
    long started = System.nanoTime();
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
            provider.address(),
            "--timeout=1s",
            "--deadline=" + DEADLINE.toSeconds() + "s",
            "--max-wait=3s",
            "--max-retries=1",
            "--concurrency=20",
            "--no-history",
            "--progress=plain",
            "--report",
            folder.resolve("report.json").toString());
    result.put("millis", Duration.ofNanos(System.nanoTime() - started).toMillis());
    result.put("exit", exit).put("out", out.toString()).put("err", err.toString());
  }
}
