package dev.flyball.bench.limiters;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.bench.limiters.TrueRule.Changed;
import dev.flyball.bench.wire.Command;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A row tried once by one client: a limiter that nobody has used, in front of a simulator without
 * limits, and the client as a process of its own, which is stopped when it takes far too long.
 * Everything is below one folder; what passed the tap is kept there too.
 */
public final class LimiterTrial {
  private static final int SDK_AT_ONCE = 20;
  private static final int SDK_RETRIES = 10;
  private static final int STOPPED_AFTER = 3;
  private static final Duration TO_START = Duration.ofSeconds(20);
  private static final Duration TO_END = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** They end with this program, however it ends. */
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final LimiterRow row;
  private final Path folder;

  /** A client that is about to be run, with the address to call. */
  private interface Client {
    Process start(String url) throws IOException;
  }

  /** How a client's process ended, and when. */
  private record Ending(long at, String exit, boolean stopped) {}

  public LimiterTrial(LimiterRow row, Path folder) {
    this.row = row;
    this.folder = folder;
  }

  /**
   * {@code flyball batch}, told nothing, and so often with what the run before has learned. The
   * limiters have one address, and each is a new one.
   */
  public List<ClientRun> flyball() throws IOException, InterruptedException {
    Files.write(folder.resolve("calls.jsonl"), row.lines());
    try (var tap = WireTap.open()) {
      return List.of(batch(tap, "fresh"), batch(tap, "remembering"));
    }
  }

  private ClientRun batch(WireTap tap, String name) throws IOException, InterruptedException {
    var answers = folder.resolve(name + ".jsonl");
    var command = new Command(folder);
    var run =
        run(
            tap,
            name,
            url ->
                command.start(
                    Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString()),
                    "batch",
                    "calls.jsonl",
                    "-o",
                    answers.toString(),
                    "--base-url",
                    url,
                    "--progress",
                    "none",
                    "--report",
                    folder.resolve(name + ".report.json").toString()));
    Files.writeString(folder.resolve(name + ".screen.txt"), command.said());
    return new ClientRun(
        run.tally().having(answered(answers), row.calls()), run.exit(), run.load());
  }

  /** The official SDK. */
  public ClientRun sdk() throws IOException, InterruptedException {
    var calls = folder.resolve("calls.jsonl");
    Files.write(calls, row.lines());
    try (var tap = WireTap.open()) {
      return run(
          tap,
          "sdk",
          url -> {
            var told =
                JsonNodeFactory.instance
                    .objectNode()
                    .put("file", calls.toString())
                    .put("url", url + "/v1")
                    .put("atOnce", SDK_AT_ONCE)
                    .put("retries", SDK_RETRIES);
            return new ProcessBuilder(
                    LimiterTool.NODE.path(), LimiterTools.script("sdk.mjs"), told.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sdk.screen.txt").toFile())
                .start();
          });
    }
  }

  private ClientRun run(WireTap tap, String name, Client client)
      throws IOException, InterruptedException {
    try (var provider = Simulator.start(provider(), 0);
        var limiter = limiter(name, provider.port())) {
      var record = tap.leadTo(limiter.port());
      var change = changing(limiter, record);
      try {
        var process = client.start(tap.uri().toString());
        var ending = await(process);
        var tally = RunTally.of(record.exchanges(), row.calls(), ending.at(), ending.stopped());
        record.write(folder.resolve(name + ".wire.csv"));
        return new ClientRun(tally, ending.exit(), load());
      } finally {
        change.interrupt();
        change.join();
      }
    }
  }

  private Settings provider() {
    return Settings.of("unlimited")
        .latency(new Latency(row.latency(), Duration.ZERO, 0))
        .headers(Headers.parse("none"));
  }

  /** Twice, because somebody may have taken its port in between. */
  private RunningLimiter limiter(String name, int provider)
      throws IOException, InterruptedException {
    var place = Files.createDirectories(folder.resolve(name + ".limiter"));
    try {
      return row.server().start(place, provider);
    } catch (IOException unlucky) {
      return row.server().start(place, provider);
    }
  }

  /** Changes the rule when its time has come. */
  private Thread changing(RunningLimiter limiter, TapRecord record) {
    return Thread.ofVirtual()
        .start(
            () -> {
              if (row.rule() instanceof Changed rule) {
                try {
                  long at = record.first().get() + rule.at().toNanos();
                  TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
                  limiter.change().now();
                } catch (InterruptedException over) {
                  Thread.currentThread().interrupt();
                } catch (Exception failed) {
                  System.err.println(row.name() + ": its rule was not changed: " + failed);
                }
              }
            });
  }

  /** Waits for it, and stops it when it takes too long. */
  private Ending await(Process process) throws InterruptedException {
    RUNNING.add(process);
    try {
      var most = row.least().multipliedBy(STOPPED_AFTER).plus(TO_START);
      if (process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        return new Ending(System.nanoTime(), String.valueOf(process.exitValue()), false);
      }
      long end = System.nanoTime();
      process.destroy();
      process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS);
      return new Ending(end, "stopped", true);
    } finally {
      process.destroyForcibly();
      RUNNING.remove(process);
    }
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Different calls that have an answer in a file of answers. */
  private static int answered(Path answers) throws IOException {
    if (!Files.exists(answers)) {
      return 0;
    }
    Set<String> ids = new HashSet<>();
    for (var line : Files.readAllLines(answers)) {
      ids.add(JSON.readTree(line).path("custom_id").asText());
    }
    return ids.size();
  }
}
