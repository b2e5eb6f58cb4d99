package dev.flyball.bench.gateway;

import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Two hundred clients at once, on an account that lets ten a second go: through the gateway, and
 * straight at it, as clients do that try again twice and as those that do not.
 */
public final class CrowdTrial {
  private static final int CLIENTS = 200;
  private static final int PER_MINUTE = 600;
  private static final int BURST = 10;
  private static final Duration LATENCY = Duration.ofMillis(200);
  private static final int TOO_MANY = 429;
  private static final int OK = 200;
  private static final String BODY =
      "{\"model\":\"gpt-5.4\",\"max_tokens\":20,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

  /** What one crowd saw. */
  private static final class Seen {
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder other = new LongAdder();
    private final int[] done = new int[CLIENTS];
    private final ReentrantLock lock = new ReentrantLock();
    private int mostAhead;

    /** Notes an answer, and how far one client is ahead of another that still has work to do. */
    private void answered(int client) {
      lock.lock();
      try {
        answered.increment();
        int own = ++done[client];
        mostAhead = Math.max(mostAhead, own - IntStream.of(done).min().orElse(0));
      } finally {
        lock.unlock();
      }
    }
  }

  private CrowdTrial() {}

  /** Each client asks so many times, one after the other. */
  public static List<GatewayTrial.Page> run(String... args)
      throws IOException, InterruptedException {
    int each = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    var folder = Files.createTempDirectory("flyball-bench");
    var rows = new ArrayList<List<String>>();
    try (var account = account();
        var flyball = GatewayTrial.flyball(folder, account.port(), "1g")) {
      rows.add(row("through the gateway", each, 0, flyball.port(), account));
    }
    try (var account = account()) {
      rows.add(row("straight, tried again twice", each, 2, account.port(), account));
    }
    try (var account = account()) {
      rows.add(row("straight", each, 0, account.port(), account));
    }
    return List.of(
        new GatewayTrial.Page(
            ("%d clients, each with %d requests one after the other, on an account of %d requests a"
                    + " minute, burst %d, with %d ms for an answer; the least possible time for all"
                    + " is %.1f s. \"Ahead\" is the most that one client had more answers than"
                    + " another. A client that tries again does so as SDKs do: after what the reply"
                    + " says, else after half a second and then a whole one.")
                .formatted(CLIENTS, each, PER_MINUTE, BURST, LATENCY.toMillis(), least(each)),
            List.of(
                "clients",
                "answered",
                "lost",
                "429s seen",
                "429s of the account",
                "seconds",
                "÷ least possible",
                "ahead"),
            rows));
  }

  private static Simulator account() throws IOException {
    return Simulator.start(
        Settings.of("unlimited")
            .limit("requests=" + PER_MINUTE + "/min")
            .burst("requests=" + BURST)
            .latency(Latency.parse(LATENCY.toMillis() + "ms")),
        0);
  }

  private static double least(int each) {
    return (CLIENTS * each - BURST) * 60.0 / PER_MINUTE + LATENCY.toMillis() / 1e3;
  }

  private static List<String> row(String who, int each, int retries, int port, Simulator account)
      throws InterruptedException {
    System.err.println("bench crowd: " + who);
    var seen = new Seen();
    long before = System.nanoTime();
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var crowd = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        crowd.add(
            () -> {
              for (int n = 0; n < each; n++) {
                ask(client, port, number, retries, seen);
              }
              return true;
            });
      }
      threads.invokeAll(crowd);
    }
    double seconds = (System.nanoTime() - before) / 1e9;
    long lost = seen.lost.sum() + seen.other.sum();
    return List.of(
        who,
        "%,d".formatted(seen.answered.sum()),
        "%,d".formatted(lost),
        "%,d".formatted(seen.refused.sum()),
        "%,d"
            .formatted(
                account.stats().rejected().values().stream().mapToLong(Long::longValue).sum()),
        "%.1f".formatted(seconds),
        lost > 0 ? "" : "%.3f".formatted(seconds / least(each)),
        Integer.toString(seen.mostAhead));
  }

  private static void ask(HttpClient client, int port, int number, int retries, Seen seen)
      throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/chat/completions"))
            .header("content-type", "application/json")
            .header("authorization", "Bearer sk-bench")
            .POST(HttpRequest.BodyPublishers.ofString(BODY))
            .build();
    for (int attempt = 0; ; attempt++) {
      HttpResponse<String> reply;
      try {
        reply = client.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException broken) {
        seen.other.increment();
        return;
      }
      if (reply.statusCode() == OK) {
        seen.answered(number);
        return;
      }
      if (reply.statusCode() != TOO_MANY) {
        seen.other.increment();
        return;
      }
      seen.refused.increment();
      if (attempt == retries) {
        seen.lost.increment();
        return;
      }
      double backoff = 500 * Math.scalb(1.0, attempt);
      long wait =
          reply
              .headers()
              .firstValueAsLong("retry-after-ms")
              .orElseGet(
                  () ->
                      reply.headers().firstValueAsLong("retry-after").orElse(0) > 0
                          ? 1_000 * reply.headers().firstValueAsLong("retry-after").orElse(0)
                          : (long)
                              (backoff * (0.75 + ThreadLocalRandom.current().nextDouble() / 4)));
      TimeUnit.MILLISECONDS.sleep(wait);
    }
  }
}
