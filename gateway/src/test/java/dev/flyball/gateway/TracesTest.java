package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.gateway.admin.TraceCollector;
import dev.flyball.gateway.admin.TraceExporter;
import dev.flyball.run.BadSettings;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces, as a collector of OpenTelemetry gets them. */
@Timeout(60)
final class TracesTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  /** More than are handed over at once. */
  private static final int MANY = 600;

  private final Vertx vertx = Vertx.vertx();
  private final ConcurrentLinkedQueue<JsonObject> spans = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<String> warnings = new ConcurrentLinkedQueue<>();
  private volatile int status = 200;

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private String collector() {
    var server =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(this::take)
            .listen();
    return "http://127.0.0.1:"
        + server.toCompletionStage().toCompletableFuture().join().actualPort();
  }

  private void take(HttpServerRequest request) {
    assertThat(request.path()).isEqualTo("/v1/traces");
    assertThat(request.getHeader("x-team")).isEqualTo("ours");
    request
        .body()
        .onSuccess(
            body -> {
              for (var ofResource : new JsonObject(body).getJsonArray("resourceSpans")) {
                for (var ofScope : ((JsonObject) ofResource).getJsonArray("scopeSpans")) {
                  for (var span : ((JsonObject) ofScope).getJsonArray("spans")) {
                    spans.add((JsonObject) span);
                    if (((JsonObject) span).getInteger("kind") == 2) {
                      ended.countDown();
                    }
                  }
                }
              }
              request.response().setStatusCode(status).end("{}");
            });
  }

  private RunningGateway traced(String address) throws Exception {
    return traced(
        address, Settings.of("unlimited").latency(Latency.parse("5ms")).fault("529:attempts=1"));
  }

  private RunningGateway traced(String address, Settings account) throws Exception {
    var to =
        TraceCollector.of(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    address,
                    "OTEL_EXPORTER_OTLP_HEADERS",
                    "x-team=ours,authorization=Bearer%20x"))
            .orElseThrow();
    assertThat(to.toString()).doesNotContain("Bearer");
    return RunningGateway.before(
        account,
        UnaryOperator.identity(),
        Map.of(),
        List.of(ground -> new TraceExporter(ground, to, warnings::add)));
  }

  private static Map<String, String> attributes(JsonObject span) {
    var all = new java.util.HashMap<String, String>();
    for (var each : span.getJsonArray("attributes")) {
      var value = ((JsonObject) each).getJsonObject("value");
      all.put(
          ((JsonObject) each).getString("key"),
          value.getString("stringValue", value.getString("intValue")));
    }
    return all;
  }

  @Test
  void a_call_goes_on_its_clients_trace_with_its_waits_and_attempts() throws Exception {
    try (var running = traced(collector())) {
      var reply =
          running.send(
              running
                  .post("/v1/chat/completions", CHAT)
                  .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01"));
      assertThat(reply.statusCode()).isEqualTo(200);
      // The client has its answer a little before the server has noted that it does.
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(spans).allMatch(span -> span.getString("traceId").equals(TRACE));
    var root = spans.stream().filter(span -> span.getInteger("kind") == 2).toList();
    assertThat(root).hasSize(1);
    assertThat(root.getFirst().getString("parentSpanId")).isEqualTo(PARENT);
    assertThat(attributes(root.getFirst()))
        .containsEntry("flyball.ending", "answered")
        .containsEntry("http.response.status_code", "200");
    var attempts = spans.stream().filter(span -> span.getInteger("kind") == 3).toList();
    assertThat(attempts).hasSizeGreaterThan(1);
    assertThat(attempts)
        .allMatch(
            span ->
                span.getString("parentSpanId").equals(root.getFirst().getString("spanId"))
                    && span.getString("name").equals("chat gpt-5.4"));
    assertThat(attributes(attempts.getFirst())).containsEntry("error.type", "529");
    assertThat(attributes(attempts.getLast()))
        .containsEntry("gen_ai.operation.name", "chat")
        .containsEntry("gen_ai.request.model", "gpt-5.4")
        .containsKeys(
            "gen_ai.provider.name", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens");
    assertThat(spans.toString()).doesNotContain("sk-of-the-operator", "\"hi\"");
  }

  @Test
  void what_ends_with_the_server_is_handed_over_too() throws Exception {
    var slow = Settings.of("unlimited").latency(Latency.parse("600s"));
    try (var running = traced(collector(), slow)) {
      var replies = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < MANY; i++) {
        replies.add(running.later(CHAT));
      }
      RunningGateway.until(() -> running.gateway.inFlight() == MANY);
      running.gateway.close();
      assertThat(replies).allMatch(CompletableFuture::isDone);
    }
    var endings =
        spans.stream()
            .filter(span -> span.getInteger("kind") == 2)
            .collect(
                Collectors.groupingBy(
                    span -> String.valueOf(attributes(span).get("flyball.ending")),
                    Collectors.counting()));
    assertThat(endings).containsOnlyKeys("refused", "left");
    assertThat(endings.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(MANY);
  }

  @Test
  void a_collector_that_fails_harms_no_call_and_is_told_of_once() throws Exception {
    status = 503;
    try (var running = traced(collector())) {
      for (int i = 0; i < 5; i++) {
        assertThat(running.send(running.post("/v1/chat/completions", CHAT)).statusCode())
            .isEqualTo(200);
      }
    }
    assertThat(warnings).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void without_an_address_there_are_none_and_a_wrong_one_is_refused() {
    assertThat(TraceCollector.of(Map.of())).isEmpty();
    assertThat(
            TraceCollector.of(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://x", "OTEL_SDK_DISABLED", "true")))
        .isEmpty();
    assertThatThrownBy(() -> TraceCollector.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere")))
        .isInstanceOf(BadSettings.class)
        .hasMessageContaining("OTEL_EXPORTER_OTLP_ENDPOINT");
  }
}
