package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers as processes of their own, with clients, that are killed or told to end. */
@Timeout(180)
final class KilledServerTest {
  private static final int CLIENTS = 20;
  private static final String CHAT =
      "{\"model\":\"gpt-5.4\",\"max_tokens\":20,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private CommandDesk desk;
  private int port;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(Files.createDirectory(folder.resolve("here")));
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  @AfterEach
  void leave() throws Exception {
    for (var process : started) {
      process.destroyForcibly().waitFor();
    }
    client.close();
    desk.close();
  }

  private Process serve() throws IOException {
    var process =
        desk.process(
                "serve",
                "--port",
                Integer.toString(port),
                "--base-url",
                desk.simulator().uri().toString())
            .start();
    started.add(process);
    until(() -> isReady() || !process.isAlive());
    assertThat(process.isAlive()).isTrue();
    return process;
  }

  private HttpRequest.Builder at(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(60));
  }

  private boolean isReady() {
    try {
      var reply = client.send(at("/readyz").build(), HttpResponse.BodyHandlers.ofString());
      return reply.statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException ended) {
      throw new AssertionError(ended);
    }
  }

  private static void until(BooleanSupplier so) {
    while (!so.getAsBoolean()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private HttpRequest chat() {
    return at("/v1/chat/completions")
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(CHAT))
        .build();
  }

  private static List<Future<Boolean>> together(ExecutorService threads, Callable<Boolean> client) {
    return Stream.generate(() -> threads.submit(client)).limit(CLIENTS).toList();
  }

  @Test
  void after_kill_nine_clients_that_try_again_get_all_of_their_answers() throws Exception {
    desk.provider(
        Settings.of("unlimited")
            .limit("requests=6000/min")
            .burst("requests=20")
            .latency(Latency.parse("60ms")));
    var first = serve();
    var answers = new LongAdder();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          together(
              threads,
              () -> {
                for (int n = 0; n < 15; ) {
                  try {
                    var reply = client.send(chat(), HttpResponse.BodyHandlers.ofString());
                    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
                    answers.increment();
                    n++;
                  } catch (IOException gone) {
                    LockSupport.parkNanos(20_000_000);
                  }
                }
                return true;
              });
      until(() -> answers.sum() > 60);
      first.destroyForcibly().waitFor();
      serve();
      for (var each : all) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(answers.sum()).isEqualTo(CLIENTS * 15);
    until(() -> desk.simulator().stats().inFlight() == 0);
  }

  @Test
  void told_to_end_it_loses_no_request() throws Exception {
    desk.provider(
        Settings.of("unlimited")
            .limit("requests=6000/min")
            .burst("requests=20")
            .latency(Latency.parse("60ms")));
    var server = serve();
    var answers = new LongAdder();
    var lost = new ConcurrentLinkedQueue<String>();
    var turnedAway = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          together(
              threads,
              () -> {
                while (true) {
                  try {
                    var reply = client.send(chat(), HttpResponse.BodyHandlers.ofString());
                    if (reply.statusCode() == 200) {
                      answers.increment();
                      continue;
                    }
                    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(503);
                    assertThat(reply.headers().firstValue("retry-after")).isPresent();
                    turnedAway.incrementAndGet();
                    return true;
                  } catch (ConnectException nobody) {
                    return true;
                  } catch (IOException cut) {
                    lost.add(cut.toString());
                    return false;
                  }
                }
              });
      until(() -> answers.sum() > 60);
      new ProcessBuilder("kill", "-TERM", Long.toString(server.pid())).start().waitFor();
      for (var each : all) {
        assertThat(each.get()).as(lost.toString()).isTrue();
      }
      assertThat(server.waitFor(40, SECONDS)).isTrue();
    }
    assertThat(turnedAway).hasPositiveValue();
    assertThat(answers.sum())
        .as("every answer of the provider came to its client")
        .isEqualTo(desk.simulator().stats().answered());
  }

  @Test
  void a_review_that_was_killed_goes_on_where_it_ended() throws Exception {
    var answers = folder.resolve("answers.jsonl");
    var clean =
        "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\",\"findings\":[],"
            + "\"needsMoreContext\":[]}";
    Files.writeString(
        answers,
        CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", clean) + "\n");
    desk.provider(
        CommandDesk.quick()
            .limit("requests=300/min")
            .burst("requests=2")
            .answers(Answers.parse(answers.toString()))
            .latency(Latency.parse("100ms")));
    var patch = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      patch.append("--- /dev/null\n+++ b/p%02d/f%02d.py\n@@ -0,0 +1,40 @@\n".formatted(i, i));
      for (int line = 0; line < 40; line++) {
        patch.append(
            "+def number_%d_%d(text):  # some words that fill the line\n".formatted(i, line));
      }
    }
    var body = CommandDesk.JSON.createObjectNode().put("patch", patch.toString()).toString();
    var request =
        at("/v1/reviews")
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    var first = serve();
    int done = 0;
    try (var events = client.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      for (var line : (Iterable<String>) events::iterator) {
        done += line.contains("\"done\"") && line.contains("unit") ? 1 : 0;
        if (done == 3) {
          first.destroyForcibly().waitFor();
        }
      }
    } catch (java.io.UncheckedIOException cut) {
      assertThat(done).isGreaterThanOrEqualTo(3);
    }
    long asked = desk.simulator().stats().answered();
    serve();
    var again = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    assertThat(again).contains("event: complete", "event: done");
    assertThat(again.split("\"cached\"", -1).length - 1).isGreaterThanOrEqualTo(3);
    assertThat(asked).isPositive();
  }
}
