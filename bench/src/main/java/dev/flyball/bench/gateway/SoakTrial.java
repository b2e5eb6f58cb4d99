package dev.flyball.bench.gateway;

import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code flyball serve} for minutes before a provider that fails in many ways, with clients that
 * ask, stream, leave, say nothing, send garbage and have reviews made. What must not grow is looked
 * at all the while: the heap after a collection, and the open files.
 */
public final class SoakTrial {
  private static final int CLIENTS = 24;
  private static final int LOOKS = 10;
  private static final int LARGE = 200_000;
  private static final String CHAT =
      "{\"model\":\"gpt-5.4\",\"max_tokens\":20,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder left = new LongAdder();
  private final LongAdder garbage = new LongAdder();
  private final LongAdder reviews = new LongAdder();
  private final LongAdder hung = new LongAdder();
  private final AtomicBoolean over = new AtomicBoolean();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private SoakTrial() {}

  /** For so many minutes. */
  public static List<GatewayTrial.Page> run(String... args)
      throws IOException, InterruptedException {
    double minutes = args.length > 0 ? Double.parseDouble(args[0]) : 10;
    return new SoakTrial().soak(Duration.ofMillis(Math.round(minutes * 60_000)));
  }

  private List<GatewayTrial.Page> soak(Duration time) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("flyball-bench");
    var account =
        Settings.of("unlimited")
            .limit("requests=12000/min")
            .burst("requests=50")
            .latency(Latency.parse("20ms~0.5"))
            .fault("529:share=0.02")
            .fault("500:share=0.01")
            .fault("cut:share=0.01")
            .fault("truncated:share=0.01")
            .fault("malformed:share=0.005")
            .fault("html:share=0.005")
            .fault("error-event:share=0.01")
            .fault("empty:share=0.005")
            .fault("huge-usage:share=0.005");
    var rows = new ArrayList<List<String>>();
    try (var provider = Simulator.start(account, 0);
        var flyball = GatewayTrial.flyball(folder, provider.port(), "256m");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        var unused = threads.submit(() -> behave(flyball.port()));
      }
      for (int look = 0; look <= LOOKS; look++) {
        System.err.printf("bench soak: %d of %d%n", look, LOOKS);
        rows.add(look(flyball));
        if (look < LOOKS) {
          TimeUnit.MILLISECONDS.sleep(time.toMillis() / LOOKS);
        }
      }
      over.set(true);
    } finally {
      over.set(true);
      client.shutdownNow();
    }
    return List.of(
        new GatewayTrial.Page(
            ("%d clients for %.1f minutes, a heap of 256 MB, a provider that fails in eleven of a"
                    + " hundred requests in nine ways. They had %,d answers and %,d errors, left"
                    + " %,d times in the middle, sent garbage %,d times and had %,d reviews made;"
                    + " %,d requests had no reply within a minute.")
                .formatted(
                    CLIENTS,
                    time.toMillis() / 60e3,
                    answered.sum(),
                    failed.sum(),
                    left.sum(),
                    garbage.sum(),
                    reviews.sum(),
                    hung.sum()),
            List.of("replies so far", "heap after a collection, MB", "resident, MB", "open files"),
            rows));
  }

  private List<String> look(ProxyUnderTest server) throws IOException, InterruptedException {
    double heap = GatewayTrial.heap(server.pid()) / 1024;
    long files;
    try (var all = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
      files = all.count();
    }
    var resident =
        Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .map(line -> line.replaceAll("\\D", ""))
            .findAny()
            .orElse("0");
    return List.of(
        "%,d".formatted(answered.sum() + failed.sum()),
        "%.1f".formatted(heap),
        "%,d".formatted(Long.parseLong(resident) / 1024),
        Long.toString(files));
  }

  /** A client that does one thing after the other, by chance. */
  private Boolean behave(int port) throws InterruptedException {
    while (!over.get()) {
      int what = ThreadLocalRandom.current().nextInt(100);
      try {
        if (what < 60) {
          ask(port, CHAT);
        } else if (what < 75) {
          ask(port, CHAT.replace("{\"model\"", "{\"stream\":true,\"model\""));
        } else if (what < 80) {
          ask(port, CHAT.replace("hi", "words ".repeat(LARGE / 6)));
        } else if (what < 90) {
          leave(port);
        } else if (what < 97) {
          garbage(port);
        } else {
          review(port);
        }
      } catch (IOException cut) {
        failed.increment();
      }
    }
    return true;
  }

  private void ask(int port, String body) throws IOException, InterruptedException {
    count(send(port, "/v1/chat/completions", body));
  }

  private void review(int port) throws IOException, InterruptedException {
    var body =
        ("{\"patch\":\"--- /dev/null\\n"
                + "+++ b/a%d.py\\n"
                + "@@ -0,0 +1,2 @@\\n"
                + "+def run(text):\\n"
                + "+    eval(text)\\n"
                + "\"}")
            .formatted(ThreadLocalRandom.current().nextInt(1_000));
    if (send(port, "/v1/reviews", body) == 200) {
      reviews.increment();
    }
  }

  private int send(int port, String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    CompletableFuture<HttpResponse<String>> reply =
        client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    try {
      return reply.get(1, TimeUnit.MINUTES).statusCode();
    } catch (java.util.concurrent.TimeoutException never) {
      reply.cancel(true);
      hung.increment();
      return 0;
    } catch (java.util.concurrent.ExecutionException broken) {
      throw new IOException(broken.getCause());
    }
  }

  private void count(int status) {
    (status == 200 ? answered : failed).increment();
  }

  private void leave(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var body = CHAT.replace("{\"model\"", "{\"stream\":true,\"model\"");
      var head =
          "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
              + "content-type: application/json\r\ncontent-length: "
              + body.length()
              + "\r\n\r\n";
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout(ThreadLocalRandom.current().nextInt(1, 60));
      try {
        socket.getInputStream().read();
      } catch (java.net.SocketTimeoutException enough) {
        // It has seen nothing, and goes.
      }
      left.increment();
    }
  }

  private void garbage(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var bytes = new byte[ThreadLocalRandom.current().nextInt(1, 2_000)];
      ThreadLocalRandom.current().nextBytes(bytes);
      socket.getOutputStream().write(bytes);
      garbage.increment();
    }
  }
}
