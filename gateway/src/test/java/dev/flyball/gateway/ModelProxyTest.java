package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static dev.flyball.gateway.RunningGateway.STREAMED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.gateway.tenant.Tenants;
import dev.flyball.run.BadSettings;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class ModelProxyTest {
  private static Settings account(String... limits) {
    var settings = Settings.of("unlimited").latency(Latency.parse("5ms"));
    List.of(limits).forEach(settings::limit);
    return settings;
  }

  @Test
  void a_request_goes_through_and_its_reply_says_what_became_of_it() throws Exception {
    try (var running = RunningGateway.before(account())) {
      var reply = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      var headers = reply.headers().map();
      assertThat(headers).containsKeys("x-flyball-id", "x-flyball-waited-ms");
      assertThat(headers.get("x-flyball-attempts")).containsExactly("1");
      assertThat(headers.get("x-flyball-lane")).first().asString().endsWith("/gpt-5.4");
      var id = reply.headers().firstValue("x-flyball-id").orElseThrow();
      var story = running.get("/explain/" + id);
      assertThat(story.body()).contains("queued", "sent", "answered", "ended");
      assertThat(running.get("/explain/none").statusCode()).isEqualTo(404);

      var stream = running.send(running.post("/openai/v1/chat/completions", STREAMED));
      assertThat(stream.body()).contains("data: ").contains("[DONE]");
      var messages =
          running.send(
              running.post("/v1/messages", CHAT).header("anthropic-version", "2023-06-01"));
      assertThat(messages.statusCode()).as(messages.body()).isEqualTo(200);
      assertThat(running.get("/v1/models").statusCode()).isIn(200, 404);
      RunningGateway.until(() -> running.gateway.inFlight() == 0);
    }
  }

  @Test
  void clients_wait_instead_of_seeing_a_429() throws Exception {
    var account = account("requests=600/min").burst("requests=10");
    try (var running = RunningGateway.before(account)) {
      var replies = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 40; i++) {
        replies.add(running.later(CHAT));
      }
      for (var reply : replies) {
        assertThat(reply.join().statusCode()).as(reply.join().body()).isEqualTo(200);
      }
      assertThat(running.simulator.stats().answered()).isEqualTo(40);
      var waited =
          replies.stream()
              .mapToLong(
                  reply -> reply.join().headers().firstValueAsLong("x-flyball-waited-ms").orElse(0))
              .max()
              .orElse(0);
      assertThat(waited).isPositive();
    }
  }

  @Test
  void who_leaves_the_queue_has_waited() throws Exception {
    var endings = new LinkedBlockingQueue<CallStep.Ended>();
    CallListener listener =
        (call, step) -> {
          if (step instanceof CallStep.Ended ended) {
            endings.add(ended);
          }
        };
    GatewayPart.Maker part =
        ground ->
            new GatewayPart() {
              @Override
              public Optional<CallListener> listener() {
                return Optional.of(listener);
              }
            };
    var account = account("requests=60/hour").burst("requests=1");
    try (var running =
        RunningGateway.before(account, settings -> settings, Map.of(), List.of(part))) {
      assertThat(running.send(running.post("/v1/chat/completions", CHAT)).statusCode())
          .isEqualTo(200);
      assertThat(endings.take().how()).isEqualTo(CallStep.Ending.ANSWERED);
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.gateway.port())) {
        var head =
            "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
                + "content-type: application/json\r\nx-flyball-max-wait: 9m\r\ncontent-length: "
                + CHAT.length()
                + "\r\n\r\n";
        socket.getOutputStream().write((head + CHAT).getBytes(StandardCharsets.US_ASCII));
        RunningGateway.until(
            () -> running.lanes().stream().mapToInt(LaneSnapshot::waiting).sum() == 1);
      }
      var left = endings.take();
      assertThat(left.how()).isEqualTo(CallStep.Ending.LEFT);
      assertThat(left.attempts()).isZero();
      assertThat(left.waited()).isPositive().isLessThanOrEqualTo(left.took());
    }
  }

  @Test
  void who_would_wait_longer_than_they_want_is_refused_at_once() throws Exception {
    var account = account("requests=60/min").burst("requests=1");
    try (var running = RunningGateway.before(account)) {
      running.send(running.post("/v1/chat/completions", CHAT));
      var others = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 5; i++) {
        others.add(running.later(CHAT));
      }
      awaitWaiting(running, 4);
      var openai =
          running.send(
              running.post("/v1/chat/completions", CHAT).header("x-flyball-max-wait", "1s"));
      assertThat(openai.statusCode()).isEqualTo(429);
      assertThat(new JsonObject(openai.body()).getJsonObject("error").getString("code"))
          .isEqualTo("rate_limit_exceeded");
      long hint = openai.headers().firstValueAsLong("retry-after-ms").orElseThrow();
      assertThat(hint).isBetween(1_000L, 10_000L);
      assertThat(openai.headers().firstValueAsLong("retry-after").orElseThrow())
          .isEqualTo(Math.ceilDiv(hint, 1_000));
      var wrong =
          running.send(
              running.post("/v1/chat/completions", CHAT).header("x-flyball-max-wait", "x"));
      assertThat(wrong.statusCode()).isEqualTo(400);
      assertThat(others).allMatch(other -> other.join().statusCode() == 200);
    }
  }

  @Test
  void a_stream_that_waits_is_opened_and_told_where_it_stands(@TempDir Path folder)
      throws Exception {
    var account = account("requests=60/min").burst("requests=1");
    try (var running = RunningGateway.with(account, folder, "opens-after: 500ms\n")) {
      running.send(running.post("/v1/chat/completions", CHAT));
      var first = running.later(CHAT);
      awaitWaiting(running, 1);
      var stream = running.send(running.post("/v1/chat/completions", STREAMED));
      assertThat(first.join().statusCode()).isEqualTo(200);
      assertThat(stream.statusCode()).isEqualTo(200);
      assertThat(stream.body())
          .containsPattern("^: queued \\d+, about [\\d.]+ s\n\n")
          .contains("[DONE]")
          .containsPattern(": flyball lane=\\S+ waited-ms=\\d+ waited-for=\".+\" attempts=1");
    }
  }

  @Test
  void clients_that_leave_change_neither_breaker_nor_slots_and_leave_nothing_held()
      throws Exception {
    var account = account("requests=600/min").burst("requests=100").latency(Latency.parse("2s"));
    try (var running = RunningGateway.before(account)) {
      running.send(running.post("/v1/chat/completions", CHAT));
      int slots = running.lanes().getFirst().slots();
      var sockets = new ArrayList<Socket>();
      for (int i = 0; i < 1_000; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), running.gateway.port());
        var body = STREAMED;
        socket
            .getOutputStream()
            .write(
                ("POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
                        + "content-type: application/json\r\ncontent-length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body)
                    .getBytes(StandardCharsets.US_ASCII));
        sockets.add(socket);
      }
      // Some may be answered before the last is there, on a busy machine.
      RunningGateway.until(
          () -> running.lanes().stream().mapToLong(lane -> lane.metrics().total()).sum() >= 1_001);
      for (var socket : sockets) {
        socket.close();
      }
      RunningGateway.until(
          () -> running.gateway.inFlight() == 0 && running.simulator.stats().inFlight() == 0);
      for (var lane : running.lanes()) {
        assertThat(lane.breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(lane.slots()).isGreaterThanOrEqualTo(slots);
        assertThat(lane.inFlight()).isZero();
        assertThat(lane.waiting()).isZero();
        assertThat(lane.gauges()).allMatch(gauge -> gauge.held() == 0);
      }
    }
  }

  @Test
  void a_failed_attempt_is_tried_again_and_no_client_sees_it() throws Exception {
    var account = account().fault("529:attempts=1");
    try (var running = RunningGateway.before(account)) {
      var reply = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      assertThat(reply.headers().firstValueAsLong("x-flyball-attempts").orElseThrow())
          .isGreaterThan(1);
    }
  }

  @Test
  void an_error_of_the_provider_comes_as_it_is() throws Exception {
    try (var running = RunningGateway.before(account())) {
      var reply = running.send(running.post("/v1/messages", "{\"model\":\"claude-opus-4-6\"}"));
      assertThat(reply.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(reply.body()).getString("type")).isEqualTo("error");
    }
  }

  @Test
  void keys_of_clients_and_of_the_operator_stay_where_they_are() throws Exception {
    try (var raw = new EchoServer();
        var running =
            RunningGateway.before(
                account(), settings -> settings, Map.of("OPENAI_BASE_URL", raw.uri()))) {
      var body = "{\"model\":\"gpt-5.4\", \"odd\" : [1e0, \"\\u00e9\"],\"x\":null}\n";
      var reply =
          running.send(
              running
                  .post("/v1/chat/completions?beta=1", body)
                  .header("authorization", "Bearer of-the-client")
                  .header("cookie", "a=b")
                  .header("openai-beta", "something")
                  .header("x-custom", "kept"));
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      var seen = raw.requests().getFirst();
      assertThat(seen)
          .startsWith("POST /v1/chat/completions?beta=1 HTTP/1.1")
          .contains("Bearer sk-of-the-operator", "openai-beta: something", "x-custom: kept")
          .endsWith(body)
          .doesNotContain("of-the-client", "a=b");
      assertThat(reply.headers().map().toString() + reply.body()).doesNotContain("of-the-operator");
    }
  }

  @Test
  void a_route_asks_another_provider_and_model_where_the_first_fails(@TempDir Path folder)
      throws Exception {
    try (var raw = new EchoServer()) {
      var file =
          Files.writeString(
              folder.resolve("serve.yaml"), "routes:\n  gpt-*: [openai, groq/other-model]\n");
      var account = account().fault("401:share=1");
      try (var running =
          RunningGateway.before(
              account,
              settings -> settings.rules(file),
              Map.of("GROQ_BASE_URL", raw.uri(), "GROQ_API_KEY", "gsk-second"))) {
        var reply = running.send(running.post("/v1/chat/completions", CHAT));
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(raw.requests().getFirst())
            .contains("gsk-second")
            .endsWith(CHAT.replace("gpt-5.4", "other-model"));
        assertThat(reply.headers().firstValue("x-flyball-lane")).hasValue("groq/other-model");
      }
    }
  }

  @Test
  void rules_are_read_again_and_bad_ones_are_refused_with_their_line(@TempDir Path folder)
      throws Exception {
    try (var running = RunningGateway.with(account(), folder, "max-body: 1KB\n")) {
      var large = CHAT.replace("hi", "x".repeat(2_000));
      assertThat(running.send(running.post("/v1/chat/completions", large)).statusCode())
          .isEqualTo(413);
      var file = folder.resolve("serve.yaml");
      Files.writeString(file, "max-body: 1MB\nmax-wait: soon\n");
      assertThat(running.gateway.reload()).get().asString().contains("line 2", "max-wait");
      assertThat(running.send(running.post("/v1/chat/completions", large)).statusCode())
          .isEqualTo(413);
      Files.writeString(file, "max-body: 1MB\nroutes:\n  gpt-*: [openai, grok]\n");
      assertThat(running.gateway.reload())
          .hasValue("serve.yaml line 3: there is no provider grok; did you mean groq?");
      Files.writeString(file, "keys:\n  groq: [NOT_SET]\nmax-body: 1MB\n");
      assertThat(running.gateway.reload())
          .get()
          .asString()
          .startsWith("serve.yaml line 2: no key: set NOT_SET ");
      Files.writeString(file, "max-body: 1MB\n");
      assertThat(running.gateway.reload()).isEmpty();
      assertThat(running.send(running.post("/v1/chat/completions", large)).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void a_mistake_anywhere_in_the_rules_leaves_all_of_them_as_they_were(@TempDir Path folder)
      throws Exception {
    var file = Files.writeString(folder.resolve("serve.yaml"), "max-body: 1KB\n");
    GatewayPart.Maker strict =
        ground ->
            new GatewayPart() {
              @Override
              public Runnable readAgain() {
                throw new BadSettings("line 2: reviews: no");
              }
            };
    try (var running =
        RunningGateway.before(
            account(), settings -> settings.rules(file), Map.of(), List.of(strict))) {
      Files.writeString(file, "max-body: 1MB\n");
      assertThat(running.gateway.reload()).hasValue("line 2: reviews: no");
      var large = CHAT.replace("hi", "x".repeat(2_000));
      assertThat(running.send(running.post("/v1/chat/completions", large)).statusCode())
          .isEqualTo(413);
    }
  }

  @Test
  void in_shadow_everything_goes_at_once_and_it_is_told_what_pacing_would_have_done(
      @TempDir Path folder) throws Exception {
    var account = account("requests=600/min").burst("requests=5");
    var token = AdminToken.of(Map.of(AdminToken.VARIABLE, "0123456789abcdef"), new SecureRandom());
    GatewayPart.Maker door =
        ground ->
            new GatewayPart() {
              @Override
              public Optional<AccessCheck> access() {
                return Optional.of(Tenants.administratorsOnly(token));
              }
            };
    var file = Files.writeString(folder.resolve("serve.yaml"), "shadow: true\n");
    try (var running =
        RunningGateway.before(account, settings -> settings.rules(file), Map.of(), List.of(door))) {
      var replies = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 25; i++) {
        replies.add(running.later(CHAT));
      }
      var statuses = replies.stream().map(reply -> reply.join().statusCode()).toList();
      assertThat(statuses).contains(200, 429);
      assertThat(replies)
          .allMatch(r -> r.join().headers().firstValue("x-flyball-would-wait-ms").isPresent());
      long throttled = statuses.stream().filter(status -> status == 429).count();
      assertThat(running.simulator.stats().requests()).isEqualTo(25);
      // Those that would have waited have their turn in the end, and nothing is left.
      RunningGateway.until(
          () -> running.lanes().stream().allMatch(lane -> lane.waiting() + lane.inFlight() == 0));
      var asking =
          HttpRequest.newBuilder(running.at("/admin/shadow"))
              .header("authorization", "Bearer " + token.text());
      var report = new JsonObject(running.send(asking).body());
      assertThat(report.getLong("calls")).isEqualTo(25);
      assertThat(report.getLong("rateLimitedByProvider")).isEqualTo(throttled);
      assertThat(report.getLong("wouldHaveBeenSent")).isEqualTo(25);
      assertThat(report.getLong("wouldHaveWaited")).isPositive();
      assertThat(running.get("/admin/shadow").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void a_refusal_is_read_by_a_client_that_is_still_sending(@TempDir Path folder) throws Exception {
    try (var running = RunningGateway.with(account(), folder, "max-body: 1KB\n");
        var socket = new Socket(running.gateway.uri().getHost(), running.gateway.port())) {
      socket.setSoTimeout(20_000);
      var piece = "x".repeat(100_000).getBytes(UTF_8);
      var out = socket.getOutputStream();
      out.write(head("/v1/chat/completions", 3 * piece.length).getBytes(UTF_8));
      out.write(piece);
      out.flush();
      var in = new BufferedInputStream(socket.getInputStream());
      assertThat(answer(in)).startsWith("HTTP/1.1 413 ").contains("max-body");
      out.write(piece);
      out.write(piece);
      // The connection is as good as before.
      out.write((head("/v1/chat/completions", CHAT.length()) + CHAT).getBytes(UTF_8));
      out.flush();
      assertThat(answer(in)).startsWith("HTTP/1.1 200 ");
    }
  }

  private static String head(String path, int length) {
    return "POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        .formatted(path, length);
  }

  /** One whole answer that says how long it is. */
  private static String answer(InputStream in) throws IOException {
    var text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as(text.toString()).isNotNegative();
      text.append((char) next);
    }
    var length = Pattern.compile("(?i)content-length: (\\d+)").matcher(text);
    assertThat(length.find()).as(text.toString()).isTrue();
    return text + new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8);
  }

  @Test
  void a_gateway_that_ends_loses_no_request() throws Exception {
    var account = account("requests=1200/min").burst("requests=1").latency(Latency.parse("200ms"));
    try (var running = RunningGateway.before(account)) {
      var replies = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 20; i++) {
        replies.add(running.later(CHAT));
      }
      RunningGateway.until(
          () -> running.lanes().stream().mapToLong(lane -> lane.metrics().total()).sum() >= 20);
      var draining = CompletableFuture.supplyAsync(() -> drain(running));
      RunningGateway.until(() -> !running.isReady());
      var late = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(late.statusCode()).isEqualTo(503);
      assertThat(late.headers().firstValue("retry-after")).isPresent();
      assertThat(draining.join()).isZero();
      for (var reply : replies) {
        assertThat(reply.join().statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void what_comes_from_a_page_or_by_another_name_is_turned_away() throws Exception {
    try (var running = RunningGateway.before(account())) {
      var page =
          running.send(
              running.post("/v1/chat/completions", CHAT).header("origin", "https://evil.example"));
      assertThat(page.statusCode()).isEqualTo(403);
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.gateway.port())) {
        socket
            .getOutputStream()
            .write(
                "GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        var line = new byte[12];
        socket.getInputStream().readNBytes(line, 0, line.length);
        assertThat(new String(line, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
      }
    }
  }

  private static int drain(RunningGateway running) {
    try {
      return running.gateway.drain();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static void awaitWaiting(RunningGateway running, int count) {
    RunningGateway.until(
        () -> running.lanes().stream().mapToInt(lane -> lane.waiting()).sum() >= count);
  }
}
