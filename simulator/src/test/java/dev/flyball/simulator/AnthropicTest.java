package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnthropicTest {
  private static final String HELLO = Http.prompt("claude-sonnet-4-5", 100, "Hello there");

  private static Settings tier1() {
    return Settings.of("anthropic-tier1").latency(Latency.NONE);
  }

  @Test
  void a_message_is_answered_with_its_usage_and_twelve_headers() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http.Reply reply = new Http(simulator).message(HELLO);

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().at("/content/0/text").asText()).isEqualTo("Hello there");
      assertThat(reply.json().at("/stop_reason").asText()).isEqualTo("end_turn");
      // Eleven bytes at 3.5 a token, and the frame.
      assertThat(reply.json().at("/usage/input_tokens").asLong()).isEqualTo(7);
      assertThat(reply.json().at("/usage/output_tokens").asLong()).isEqualTo(4);
      for (String family : List.of("requests", "input-tokens", "output-tokens", "tokens")) {
        assertThat(reply.header("anthropic-ratelimit-" + family + "-limit")).isNotEmpty();
        assertThat(reply.header("anthropic-ratelimit-" + family + "-reset"))
            .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
      }
      assertThat(reply.header("anthropic-ratelimit-requests-limit")).isEqualTo("50");
      assertThat(reply.header("anthropic-ratelimit-requests-remaining")).isEqualTo("49");
      assertThat(reply.header("anthropic-ratelimit-input-tokens-remaining")).isEqualTo("30000");
      assertThat(reply.header("anthropic-ratelimit-tokens-limit")).isEqualTo("38000");
      assertThat(reply.header("request-id")).startsWith("req_");
    }
  }

  @Test
  void past_the_limit_it_says_which_and_how_long() throws Exception {
    try (Simulator simulator = Simulator.start(tier1().burst("requests=2"), 0)) {
      Http http = new Http(simulator);
      http.message(HELLO);
      http.message(HELLO);

      Http.Reply third = http.message(HELLO);

      assertThat(third.status()).isEqualTo(429);
      assertThat(third.json().at("/error/type").asText()).isEqualTo("rate_limit_error");
      assertThat(third.json().at("/error/message").asText())
          .contains("rate limit of 50 requests per minute");
      assertThat(third.header("retry-after")).isIn("1", "2");
      assertThat(third.header("anthropic-ratelimit-requests-remaining")).isEqualTo("0");
      assertThat(http.stats().at("/rejected/requests").asLong()).isEqualTo(1);
      assertThat(http.stats().at("/answered").asLong()).isEqualTo(2);
    }
  }

  @Test
  void the_reset_is_the_time_to_full() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http.Reply reply = new Http(simulator).message(HELLO, "x-sim-input-tokens", "15000");

      Instant reset = Instant.parse(reply.header("anthropic-ratelimit-input-tokens-reset"));
      Duration toFull = Duration.between(Instant.now(), reset);
      assertThat(reply.header("anthropic-ratelimit-input-tokens-remaining")).isEqualTo("15000");
      assertThat(toFull).isBetween(Duration.ofSeconds(27), Duration.ofSeconds(30));
    }
  }

  @Test
  void a_stream_has_the_events_in_their_order() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http.Reply reply = new Http(simulator).message(Http.stream(HELLO));

      assertThat(reply.header("content-type")).startsWith("text/event-stream");
      List<String> events =
          reply
              .text()
              .lines()
              .filter(line -> line.startsWith("event: "))
              .map(l -> l.substring(7))
              .toList();
      assertThat(events)
          .containsExactly(
              "message_start",
              "content_block_start",
              "ping",
              "content_block_delta",
              "content_block_delta",
              "content_block_delta",
              "content_block_delta",
              "content_block_stop",
              "message_delta",
              "message_stop");
      assertThat(text(reply)).isEqualTo("Hello there");
    }
  }

  private static String text(Http.Reply stream) {
    StringBuilder text = new StringBuilder();
    stream
        .text()
        .lines()
        .filter(line -> line.startsWith("data: "))
        .map(line -> Http.json(line.substring(6)))
        .forEach(event -> text.append(event.at("/delta/text").asText()));
    return text.toString();
  }

  @Test
  void output_is_debited_as_it_is_produced_whatever_max_tokens_says() throws Exception {
    Settings settings = tier1().limit("output=60/min");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      String greedy = Http.prompt("claude-sonnet-4-5", 64_000, "Hello there");

      assertThat(http.message(greedy, "x-sim-output-tokens", "40").status()).isEqualTo(200);
      assertThat(http.message(greedy, "x-sim-output-tokens", "40").status()).isEqualTo(200);
      Http.Reply third = http.message(greedy);

      assertThat(third.status()).isEqualTo(429);
      assertThat(third.json().at("/error/message").asText()).contains("output tokens per minute");
    }
  }

  @Test
  void in_2025_max_tokens_is_set_aside_and_what_is_left_comes_back() throws Exception {
    Settings settings = Settings.of("anthropic-2025").latency(Latency.NONE).limit("output=200/min");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO).status()).isEqualTo(200);
      assertThat(http.message(HELLO).status()).isEqualTo(200);
      assertThat(http.message(HELLO).status()).isEqualTo(200);
      assertThat(http.message(Http.prompt("claude-sonnet-4-5", 195, "Hello")).status())
          .isEqualTo(429);
      assertThat(http.ledger())
          .extracting(line -> line.path("what").asText())
          .contains("charged", "refunded");
    }
  }

  @Test
  void a_prefix_that_was_marked_is_read_from_the_cache_the_second_time() throws Exception {
    String body =
        """
        {"model":"claude-sonnet-4-5","max_tokens":10,"system":[{"type":"text","text":"%s",
        "cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"Hi"}]}
        """
            .formatted("lever ".repeat(1_000));
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http http = new Http(simulator);

      JsonNode first = http.message(body).json().path("usage");
      JsonNode second = http.message(body).json().path("usage");

      long written = first.path("cache_creation_input_tokens").asLong();
      assertThat(written).isGreaterThan(1_500);
      assertThat(first.path("cache_read_input_tokens").asLong()).isZero();
      assertThat(second.path("cache_read_input_tokens").asLong()).isEqualTo(written);
      assertThat(second.path("cache_creation_input_tokens").asLong()).isZero();
      List<Long> charged =
          http.ledger().stream()
              .filter(line -> line.path("what").asText().equals("charged"))
              .filter(line -> line.path("dimension").asText().equals("input"))
              .map(line -> line.path("amount").asLong())
              .toList();
      assertThat(charged).containsExactly(written + 1, 1L);
    }
  }

  @Test
  void wrong_requests_are_refused_in_the_provider_s_words() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http http = new Http(simulator);

      Http.Reply noKey = http.send("POST", "/v1/messages", HELLO, "anthropic-version", "x");
      assertThat(noKey.status()).isEqualTo(401);
      assertThat(noKey.json().at("/error/type").asText()).isEqualTo("authentication_error");
      assertThat(http.send("POST", "/v1/messages", HELLO, "x-api-key", "k").status())
          .isEqualTo(400);
      assertThat(http.message(HELLO.replace("\"max_tokens\":100,", "")).status()).isEqualTo(400);
      assertThat(http.message("{").status()).isEqualTo(400);
      assertThat(http.message("[]").status()).isEqualTo(400);
      Http.Reply noModel = http.message(Http.prompt("gpt-4o", 10, "Hi"));
      assertThat(noModel.status()).isEqualTo(404);
      assertThat(noModel.json().at("/error/message").asText()).isEqualTo("model: gpt-4o");
      assertThat(http.send("POST", "/v1/nothing", HELLO, "x-api-key", "k").status()).isEqualTo(404);
      assertThat(http.stats().path("requests").asLong()).isZero();
    }
  }

  @Test
  void tokens_are_counted_without_touching_the_limits_of_messages() throws Exception {
    try (Simulator simulator = Simulator.start(tier1().burst("requests=1"), 0)) {
      Http http = new Http(simulator);
      String[] headers = {"x-api-key", "key", "anthropic-version", "2023-06-01"};

      for (int i = 0; i < 3; i++) {
        Http.Reply counted = http.send("POST", "/v1/messages/count_tokens", HELLO, headers);
        assertThat(counted.json().path("input_tokens").asLong()).isEqualTo(7);
      }
      assertThat(http.message(HELLO).status()).isEqualTo(200);
    }
  }

  @Test
  void when_the_money_is_spent_no_wait_is_named() throws Exception {
    try (Simulator simulator = Simulator.start(tier1().spendCap(0.00001), 0)) {
      Http http = new Http(simulator);
      assertThat(http.message(HELLO).status()).isEqualTo(200);

      Http.Reply second = http.message(HELLO);

      assertThat(second.status()).isEqualTo(429);
      assertThat(second.header("retry-after")).isEmpty();
      assertThat(second.json().at("/error/details/error_code").asText())
          .isEqualTo("enforced_spend_limit_reached");
    }
  }
}
