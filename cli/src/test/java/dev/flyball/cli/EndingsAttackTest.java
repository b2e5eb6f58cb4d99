package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Providers that refuse for good in the clothes of a limit, and the other way round. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EndingsAttackTest {
  private static final int LINES = 12;
  private static final String ANSWER =
      """
      {"choices":[{"index":0,"message":{"role":"assistant","content":"yes"}}],\
      "usage":{"prompt_tokens":3,"completion_tokens":1}}\
      """;

  /** What a refusal is: a status, one header, a body. */
  private record Refused(int status, String header, String value, String body) {}

  @TempDir private Path folder;
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;
  private CommandDesk desk;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    desk = new CommandDesk(folder);
    desk.questions(LINES);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** So many requests are refused, and the rest is answered. */
  private void refuses(int count, Refused refused) {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            boolean refuses = asked.incrementAndGet() <= count;
            var body = (refuses ? refused.body : ANSWER).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (refuses && !refused.header.isEmpty()) {
              exchange.getResponseHeaders().set(refused.header, refused.value);
            }
            exchange.sendResponseHeaders(refuses ? refused.status : 200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
  }

  private CommandDesk.Screen batch(String scheme, int port) {
    return desk.flyball(
        "batch",
        desk.file("in.jsonl").toString(),
        "-o",
        desk.file("out.jsonl").toString(),
        "--base-url",
        scheme + "://127.0.0.1:" + port,
        // Where a first reply takes long, a lane opens by itself: so many are as few as it begins
        // with.
        "--concurrency=4",
        "--no-history");
  }

  private static String error(String type, String message) {
    return """
    {"error":{"message":"%s","type":"%s","param":null,"code":null}}\
    """
        .formatted(message, type);
  }

  @ParameterizedTest
  @CsvSource({
    "access_terminated, the account is closed",
    "exceeded_current_quota_error, add credit",
    "quota_exceeded, add credit",
  })
  void a_429_that_never_recovers_ends_the_run_after_the_first_replies(String type, String advice) {
    refuses(Integer.MAX_VALUE, new Refused(429, "", "", error(type, "no")));

    var screen = batch("http", server.getAddress().getPort());

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains(advice);
    assertThat(asked.get()).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "429, retry-after, 1, insufficient_quota, You exceeded your current quota",
    "429, x-ratelimit-reset-requests, 1s, quota_exceeded, no",
    "429, '', '', rate_limit_reached_error, please try again after 1 seconds",
    "403, retry-after, 1, '', no",
    "403, '', '', '', You have exceeded a secondary rate limit",
    "503, retry-after, 1, '', no",
  })
  void a_limit_in_other_clothes_is_waited_for(
      int status, String header, String value, String type, String message) throws IOException {
    refuses(3, new Refused(status, header, value, error(type, message)));

    var screen = batch("http", server.getAddress().getPort());

    assertThat(screen.exit()).as(screen.out()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(LINES));
    assertThat(Files.exists(desk.file("out.errors.jsonl"))).isFalse();
  }

  @Test
  void a_start_before_the_server_is_waited_out() throws Exception {
    int port = server.getAddress().getPort();
    server.stop(0);
    var late =
        CompletableFuture.runAsync(
            () -> serveAgain(port), CompletableFuture.delayedExecutor(12, TimeUnit.SECONDS));

    var screen = batch("http", port);

    late.join();
    assertThat(screen.exit()).as(screen.out()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(LINES));
  }

  private void serveAgain(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      refuses(0, new Refused(500, "", "", ""));
      server.start();
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
  }

  @ParameterizedTest
  @CsvSource({"404, '{\"detail\":\"Not Found\"}'", "404, '404 page not found'", "405, ''"})
  void a_path_that_is_not_there_is_exit_four_at_once(int status, String body) {
    refuses(Integer.MAX_VALUE, new Refused(status, "", "", body));

    var screen = batch("http", server.getAddress().getPort());

    assertThat(screen.exit()).as(screen.out()).isEqualTo(4);
    assertThat(screen.out()).contains("nothing is at this address", "check the address");
    assertThat(asked.get()).isLessThanOrEqualTo(5);
  }

  @Test
  void a_model_that_is_not_there_fails_its_lines_and_no_others() {
    refuses(3, new Refused(404, "", "", error("not_found_error", "model: no-such-model")));

    assertThat(batch("http", server.getAddress().getPort()).exit()).isEqualTo(1);
    assertThat(asked.get()).isEqualTo(LINES);
  }

  @Test
  void an_address_that_is_no_https_is_exit_four_at_once() throws IOException {
    try (var plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> answerInClear(plain));

      var screen = batch("https", plain.getLocalPort());

      assertThat(screen.exit()).isEqualTo(4);
      assertThat(screen.out())
          .contains("the secure connection failed", "check the address")
          .doesNotContain("never reached");
      assertThat(asked.get()).isLessThanOrEqualTo(4);
    }
  }

  private void answerInClear(ServerSocket plain) {
    while (!plain.isClosed()) {
      try (var client = plain.accept()) {
        asked.incrementAndGet();
        var reply = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        client.getInputStream().readAllBytes();
      } catch (IOException gone) {
        // The next one may stay.
      }
    }
  }
}
