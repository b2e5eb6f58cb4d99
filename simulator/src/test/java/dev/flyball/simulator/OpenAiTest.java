package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenAiTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String HELLO = Http.prompt("gpt-4o", 100, "Hello there");

  private static Settings tier1() {
    return Settings.of("openai-tier1").latency(Latency.NONE);
  }

  @Test
  void a_chat_is_answered_with_its_usage_and_six_headers() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http.Reply reply = new Http(simulator).openai(CHAT, HELLO);

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().at("/choices/0/message/content").asText()).isEqualTo("Hello there");
      assertThat(reply.json().at("/usage/total_tokens").asLong()).isEqualTo(6 + 3);
      assertThat(reply.header("x-ratelimit-limit-requests")).isEqualTo("500");
      assertThat(reply.header("x-ratelimit-remaining-requests")).isEqualTo("499");
      assertThat(reply.header("x-ratelimit-reset-requests")).isEqualTo("120ms");
      assertThat(reply.header("x-ratelimit-limit-tokens")).isEqualTo("30000");
      // The larger of the estimate and max_tokens was charged, and stays.
      assertThat(reply.header("x-ratelimit-remaining-tokens")).matches("299\\d\\d");
      assertThat(reply.header("x-ratelimit-reset-tokens")).endsWith("ms");
    }
  }

  @Test
  void the_wait_in_a_429_follows_from_the_numbers_beside_it() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http http = new Http(simulator);
      http.openai(CHAT, HELLO, "x-sim-input-tokens", "29000");

      Http.Reply reply = http.openai(CHAT, HELLO, "x-sim-input-tokens", "24754");

      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.json().at("/error/code").asText()).isEqualTo("rate_limit_exceeded");
      assertThat(reply.json().at("/error/type").asText()).isEqualTo("tokens");
      String message = reply.json().at("/error/message").asText();
      String[] numbers =
          message
              .replaceFirst(
                  ".*Limit (\\d+), Used (\\d+), Requested (\\d+)\\. Please try again in"
                      + " ([\\d.]+)s\\..*",
                  "$1 $2 $3 $4")
              .split(" ", -1);
      double used = Double.parseDouble(numbers[1]);
      double law = (used + 24_754 - 30_000) / (30_000 / 60.0);
      assertThat(Double.parseDouble(numbers[3])).isEqualTo(Math.round(law * 1_000) / 1e3);
      assertThat(Long.parseLong(reply.header("retry-after-ms"))).isBetween(44_000L, 48_000L);
      assertThat(reply.header("retry-after")).isBetween("44", "48");
    }
  }

  @Test
  void what_can_never_fit_is_too_large() throws Exception {
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http.Reply reply = new Http(simulator).openai(CHAT, HELLO, "x-sim-input-tokens", "36055");

      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.json().at("/error/message").asText())
          .startsWith("Request too large for gpt-4o")
          .contains("Limit 30000, Requested 36055");
      assertThat(reply.header("retry-after")).isEmpty();
    }
  }

  @Test
  void a_stream_ends_with_its_usage_if_asked_and_done() throws Exception {
    String body =
        Http.stream(HELLO).replaceFirst("\\{", "{\"stream_options\":{\"include_usage\":true},");
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      List<String> lines =
          new Http(simulator)
              .openai(CHAT, body)
              .text()
              .lines()
              .filter(line -> !line.isEmpty())
              .map(line -> line.substring(6))
              .toList();

      assertThat(lines.getLast()).isEqualTo("[DONE]");
      JsonNode usage = Http.json(lines.get(lines.size() - 2));
      assertThat(usage.path("choices")).isEmpty();
      assertThat(usage.at("/usage/completion_tokens").asLong()).isEqualTo(3);
      StringBuilder said = new StringBuilder();
      lines.subList(0, lines.size() - 2).stream()
          .map(Http::json)
          .forEach(chunk -> said.append(chunk.at("/choices/0/delta/content").asText()));
      assertThat(said).hasToString("Hello there");
    }
  }

  @Test
  void embeddings_are_the_same_as_numbers_and_as_bytes() throws Exception {
    String body = "{\"model\":\"text-embedding-3-small\",\"input\":[\"a\",\"b\"],\"dimensions\":4";
    try (Simulator simulator = Simulator.start(tier1(), 0)) {
      Http http = new Http(simulator);
      JsonNode numbers = http.openai("/v1/embeddings", body + "}").json();
      JsonNode bytes =
          http.openai("/v1/embeddings", body + ",\"encoding_format\":\"base64\"}").json();

      byte[] raw = Base64.getDecoder().decode(bytes.at("/data/1/embedding").asText());
      ByteBuffer floats = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < 4; i++) {
        assertThat(floats.getFloat())
            .isEqualTo((float) numbers.at("/data/1/embedding/" + i).asDouble());
      }
      assertThat(numbers.path("data")).hasSize(2);
    }
  }

  @Test
  void azure_counts_windows_and_says_seconds() throws Exception {
    Settings settings = Settings.of("azure").latency(Latency.NONE);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      String path = "/openai/deployments/mine/chat/completions?api-version=2024-10-21";
      String body = HELLO.replace("\"model\":\"gpt-4o\",", "");

      Http.Reply reply = http.send("POST", path, body, "api-key", "k");

      assertThat(reply.json().path("model").asText()).isEqualTo("mine");
      assertThat(reply.header("x-ratelimit-limit-requests")).isEqualTo("100");
      assertThat(reply.header("x-ratelimit-reset-tokens")).matches("\\d+");
    }
  }

  @Test
  void groq_says_requests_a_day_and_refuses_what_is_too_large_with_413() throws Exception {
    Settings settings = Settings.of("groq").latency(Latency.NONE);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      Http.Reply reply = http.openai("/openai/v1/chat/completions", HELLO);

      assertThat(reply.header("x-ratelimit-limit-requests")).isEqualTo("1000");
      assertThat(reply.header("x-ratelimit-reset-requests")).isEqualTo("1m26.4s");
      assertThat(reply.header("x-ratelimit-limit-tokens")).isEqualTo("12000");
      assertThat(http.openai(CHAT, HELLO, "x-sim-input-tokens", "13000").status()).isEqualTo(413);
    }
  }

  @Test
  void gemini_says_nothing_in_headers_and_the_wait_in_the_body() throws Exception {
    Settings settings = Settings.of("gemini").latency(Latency.NONE).burst("requests=1");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      http.openai(CHAT, HELLO);

      Http.Reply reply = http.openai(CHAT, HELLO);

      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.response().headers().map().keySet())
          .noneMatch(name -> name.contains("ratelimit") || name.equals("retry-after"));
      assertThat(reply.json().at("/error/details/1/retryDelay").asText()).matches("3\\.\\d{9}s");
      assertThat(reply.json().at("/error/details/0/violations/0/quotaId").asText())
          .contains("PerMinute");
    }
  }
}
