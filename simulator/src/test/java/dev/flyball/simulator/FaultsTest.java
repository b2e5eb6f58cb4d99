package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Fault;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.JsonText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that can go wrong, as the caller sees it. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultsTest {
  private static final String HELLO = Http.prompt("claude-sonnet-4-5", 100, "Hello there");

  private static Simulator with(String... faults) throws IOException {
    Settings settings = Settings.of("anthropic-tier1").latency(Latency.NONE);
    for (String fault : faults) {
      settings.fault(fault);
    }
    return Simulator.start(settings, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "529, 529, overloaded_error",
    "400, 400, invalid_request_error",
    "403, 403, permission_error",
    "404, 404, not_found_error",
    "413, 413, request_too_large",
    "500, 500, api_error",
    "503, 503, api_error",
    "504, 504, timeout_error",
    "401, 401, authentication_error",
    "402, 402, billing_error",
    "410, 410, not_found_error",
    "429, 429, rate_limit_error",
    "daily, 429, rate_limit_error",
    "spend-cap, 429, enforced_spend_limit_reached",
    "slow-down, 429, acceleration",
    "too-large, 429, would exceed",
    "html, 502, <html>"
  })
  void an_error_comes_with_its_status_and_words(String fault, int status, String words)
      throws Exception {
    try (Simulator simulator = with(fault)) {
      Http.Reply reply = new Http(simulator).message(HELLO);

      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.text()).contains(words);
      assertThat(simulator.stats().inFlight()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "openai-tier1, 429, 429, rate_limit_exceeded",
    "openai-tier1, daily, 429, requests per day (RPD)",
    "openai-tier1, spend-cap, 429, credit_balance_exhausted",
    "openai-tier1, too-large, 429, Request too large",
    "openai-tier1, slow-down, 429, slow_down",
    "openai-tier1, 503, 503, server_is_overloaded",
    "openai-tier1, 401, 401, invalid_api_key",
    "gemini, daily, 429, PerDay",
    "groq, too-large, 413, Request too large",
    "azure, 429, 429, Please retry after 2 seconds"
  })
  void each_provider_has_its_own_words(String profile, String fault, int status, String words)
      throws Exception {
    try (Simulator simulator = Simulator.start(Settings.of(profile).fault(fault), 0)) {
      Http http = new Http(simulator);
      Http.Reply reply = http.openai("/v1/chat/completions", Http.prompt("gpt-4o", 9, "Hi"));

      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.text()).contains(words);
    }
  }

  @Test
  void the_day_s_quota_is_back_in_fourteen_hours() throws Exception {
    try (Simulator simulator = with("daily")) {
      Http.Reply reply = new Http(simulator).message(HELLO);

      assertThat(reply.header("retry-after")).isEqualTo("50400");
      assertThat(reply.text()).contains("1,000 requests per day");
    }
  }

  @Test
  void money_that_is_spent_has_no_wait() throws Exception {
    try (Simulator simulator = with("spend-cap")) {
      assertThat(new Http(simulator).message(HELLO).header("retry-after")).isEmpty();
    }
  }

  @Test
  void a_body_of_more_than_32_megabytes_is_too_large() throws Exception {
    try (Simulator simulator = with()) {
      String body = Http.prompt("claude-sonnet-4-5", 9, "x".repeat(33 * 1024 * 1024));

      Http.Reply reply = new Http(simulator).message(body);

      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.json().at("/error/type").asText()).isEqualTo("request_too_large");
    }
  }

  @Test
  void a_wait_that_was_asked_for_is_the_only_one() throws Exception {
    Settings settings = Settings.of("openai-tier1").fault("429:retry-after=50400");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      Http.Reply reply = http.openai("/v1/chat/completions", Http.prompt("gpt-4o", 9, "Hi"));

      assertThat(reply.header("retry-after")).isEqualTo("50400");
      assertThat(reply.header("retry-after-ms")).isEmpty();
    }
  }

  @Test
  void a_fault_can_be_meant_for_first_attempts_only() throws Exception {
    try (Simulator simulator = with("529:attempts=2")) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO).status()).isEqualTo(529);
      assertThat(http.message(HELLO).status()).isEqualTo(529);
      assertThat(http.message(HELLO).status()).isEqualTo(200);
      assertThat(http.message(HELLO, "x-sim-id", "other").status()).isEqualTo(529);
      assertThat(simulator.stats().faults()).containsEntry("529", 3L);
    }
  }

  @Test
  void a_fault_gives_the_tokens_back_and_keeps_the_request() throws Exception {
    try (Simulator simulator = with("529:attempts=1")) {
      Http http = new Http(simulator);
      http.message(HELLO, "x-sim-input-tokens", "20000");

      Http.Reply reply = http.message(HELLO, "x-sim-input-tokens", "20000");

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("anthropic-ratelimit-requests-remaining")).isEqualTo("48");
    }
  }

  @Test
  void a_wait_and_the_advice_to_retry_can_be_said() throws Exception {
    try (Simulator simulator = with("429:retry-after=50400,should-retry=false")) {
      Http.Reply reply = new Http(simulator).message(HELLO);

      assertThat(reply.header("retry-after")).isEqualTo("50400");
      assertThat(reply.header("x-should-retry")).isEqualTo("false");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "cut:after=3", "cut:after=300"})
  void a_connection_is_cut_and_what_was_cut_is_not_answered(String fault) throws Exception {
    try (Simulator simulator = with(fault)) {
      assertThatThrownBy(() -> new Http(simulator).message(HELLO)).isInstanceOf(IOException.class);

      assertThat(simulator.stats().answered()).isZero();
      assertThat(simulator.stats().cut()).isEqualTo(1);
      assertThat(simulator.stats().inFlight()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"cut, 0", "cut:after=3, 3", "cut:after=5, 5"})
  void a_stream_is_cut_after_so_many_events_in_the_middle_of_the_next(String fault, int events)
      throws Exception {
    try (Simulator simulator = with(fault)) {
      String raw = Http.raw(simulator, Http.stream(HELLO));

      assertThat(raw.lines().filter(line -> line.startsWith("event: ")).count())
          .isBetween((long) events, events + 1L);
      // Neither the event nor the body has its end.
      assertThat(raw).doesNotEndWith("\n\n").doesNotEndWith("\n\n\r\n");
      assertThat(simulator.stats().inFlight()).isZero();
      assertThat(simulator.stats().cut()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_hangs_says_nothing_and_is_in_flight_until_the_caller_leaves(boolean stream)
      throws Exception {
    try (Simulator simulator = with("hang")) {
      Http http = new Http(simulator);
      CompletableFuture<?> asked = http.later(stream ? Http.stream(HELLO) : HELLO);
      await(() -> simulator.stats().inFlight() == 1);

      assertThat(asked).isNotDone();
      asked.cancel(true);
      await(() -> simulator.stats().inFlight() == 0);
      assertThat(simulator.stats().cut()).isEqualTo(1);
    }
  }

  private static void await(BooleanSupplier holds) {
    long end = System.nanoTime() + 5_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @CsvSource({"stall:after=4, true, 1000", "stall:after=60, false, 60"})
  void a_stall_sends_something_and_stays_open(String fault, boolean stream, int most)
      throws Exception {
    try (Simulator simulator = with(fault)) {
      Http http = new Http(simulator);
      Http.Stalled stalled = http.stalled(stream ? Http.stream(HELLO) : HELLO);

      String start = stalled.read(stream ? "event: content_block_delta" : "\"type\":");

      assertThat(start.length()).isLessThanOrEqualTo(most);
      assertThat(simulator.stats().inFlight()).isEqualTo(1);
      stalled.leave();
      await(() -> simulator.stats().inFlight() == 0);
    }
  }

  @Test
  void the_first_token_can_be_slow() throws Exception {
    try (Simulator simulator = with("slow:delay=150ms")) {
      long start = System.nanoTime();

      assertThat(new Http(simulator).message(HELLO).status()).isEqualTo(200);

      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(150_000_000);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "error-event:after=4, overloaded_error, message_stop",
    "truncated:after=4, content_block_delta, message_stop",
    "malformed:after=4, data: \"type\", nothing"
  })
  void a_stream_goes_wrong(String fault, String has, String lacks) throws Exception {
    try (Simulator simulator = with(fault)) {
      String stream = new Http(simulator).message(Http.stream(HELLO)).text();

      assertThat(stream).contains(has).doesNotContain(lacks);
      assertThat(simulator.stats().inFlight()).isZero();
    }
  }

  @Test
  void a_fault_of_streams_does_not_meet_what_is_whole() throws Exception {
    try (Simulator simulator = with("error-event", "double-end")) {
      assertThat(new Http(simulator).message(HELLO).status()).isEqualTo(200);
      assertThat(simulator.stats().faults()).isEmpty();
    }
  }

  @Test
  void the_last_event_of_a_stream_can_come_twice() throws Exception {
    try (Simulator simulator = with("double-end")) {
      Http http = new Http(simulator);

      assertThat(http.message(Http.stream(HELLO)).text().split("event: message_stop", -1))
          .hasSize(3);
      String chat = Http.stream(Http.prompt("claude-x", 9, "Hi"));
      assertThat(http.openai("/v1/chat/completions", chat).text().split("\\[DONE]", -1)).hasSize(3);
    }
  }

  @Test
  void usage_can_count_nothing_or_far_too_much() throws Exception {
    try (Simulator simulator = with("no-usage:nth=1", "huge-usage:nth=2", "no-usage:nth=3")) {
      Http http = new Http(simulator);
      JsonNode none = http.message(HELLO).json().path("usage");
      JsonNode huge = http.message(HELLO).json().path("usage");

      assertThat(none.path("input_tokens").asLong()).isZero();
      assertThat(none.path("output_tokens").asLong()).isZero();
      assertThat(huge.path("input_tokens").asLong()).isEqualTo(7_000);
      assertThat(huge.path("output_tokens").asLong()).isEqualTo(4_000);
      assertThat(http.message(Http.stream(HELLO)).text()).contains("\"output_tokens\":0");
      // The truth is in the books.
      assertThat(simulator.stats().outputTokens()).isEqualTo(12);
    }
  }

  @Test
  void a_model_can_decline_and_a_filter_can_take_an_answer_away() throws Exception {
    try (Simulator simulator = with("refusal:nth=1", "refusal:nth=2", "filtered:nth=3")) {
      Http http = new Http(simulator);
      String chat = Http.prompt("claude-x", 9, "Hi");
      JsonNode declined = http.message(HELLO).json();
      JsonNode refused = http.openai("/v1/chat/completions", chat).json().at("/choices/0");
      JsonNode filtered = http.openai("/v1/chat/completions", chat).json().at("/choices/0");

      assertThat(declined.path("stop_reason").asText()).isEqualTo("refusal");
      assertThat(declined.path("content")).isEmpty();
      assertThat(refused.at("/message/refusal").asText()).contains("can't help");
      assertThat(refused.at("/message/content").isNull()).isTrue();
      assertThat(filtered.path("finish_reason").asText()).isEqualTo("content_filter");
      assertThat(filtered.at("/message/refusal").isNull()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_body_can_be_compressed_though_nobody_asked(boolean stream) throws Exception {
    try (Simulator simulator = with("gzip")) {
      Http.Bytes reply = new Http(simulator).bytes(stream ? Http.stream(HELLO) : HELLO);

      assertThat(reply.header("content-encoding")).isEqualTo("gzip");
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(reply.body()))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .contains(stream ? "message_stop" : "Hello there");
      }
    }
  }

  @Test
  void signs_of_life_come_before_the_answer() throws Exception {
    Settings settings =
        Settings.of("deepseek").latency(Latency.parse("20s")).speed(50).fault("keep-alive");
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      String body = Http.prompt("deepseek-v4-pro", 9, "Hi");
      Http.Stalled waiting = http.stalled(body);
      waiting.read("\n");
      assertThat(simulator.stats().answered()).isZero();
      String whole = waiting.rest();

      assertThat(whole).startsWith("\n\n");
      assertThat(Http.json(whole.strip()).at("/choices/0/message/content").asText())
          .isEqualTo("Hi");
    }
  }

  @Test
  void signs_of_life_in_a_stream_are_comments() throws Exception {
    try (Simulator simulator = with("keep-alive")) {
      String stream = new Http(simulator).message(Http.stream(HELLO)).text();

      assertThat(stream).startsWith(": keep-alive\n\n").contains("message_stop");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "truncated, application/json, false",
    "malformed, application/json, false",
    "empty, application/json, false",
    "content-type, text/plain, true"
  })
  void a_whole_answer_goes_wrong(String fault, String type, boolean json) throws Exception {
    try (Simulator simulator = with(fault)) {
      Http.Reply reply = new Http(simulator).message(HELLO);

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("content-type")).isEqualTo(type);
      assertThat(JsonText.parse(reply.text()).isObject()).isEqualTo(json);
    }
  }

  @ParameterizedTest
  @CsvSource({"empty, ''", "content-type, event: message_start"})
  void a_stream_is_not_what_it_seems(String fault, String start) throws Exception {
    try (Simulator simulator = with(fault)) {
      Http.Reply reply = new Http(simulator).message(Http.stream(HELLO));

      assertThat(reply.text()).startsWith(start);
      assertThat(reply.text().isEmpty()).isEqualTo(start.isEmpty());
      assertThat(reply.header("content-type"))
          .startsWith(fault.equals("empty") ? "text/event-stream" : "text/plain");
    }
  }

  @Test
  void in_an_outage_connections_are_closed_and_nothing_is_counted() throws Exception {
    try (Simulator simulator = with("outage:nth=1")) {
      Http http = new Http(simulator);

      assertThatThrownBy(() -> http.message(HELLO)).isInstanceOf(IOException.class);

      assertThat(simulator.stats().admitted()).isZero();
      assertThat(http.message(HELLO).header("anthropic-ratelimit-requests-remaining"))
          .isEqualTo("49");
    }
  }

  @Test
  void a_fault_can_be_meant_for_one_key_or_model() throws Exception {
    try (Simulator simulator = with("529:key=unlucky", "503:model=claude-opus")) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO).status()).isEqualTo(200);
      assertThat(http.message(HELLO.replace("sonnet", "opus")).status()).isEqualTo(503);
      Http.Reply other =
          http.send(
              "POST", "/v1/messages", HELLO, "x-api-key", "unlucky", "anthropic-version", "x");
      assertThat(other.status()).isEqualTo(529);
    }
  }

  @Test
  void a_user_s_id_is_not_the_request_s() throws Exception {
    try (Simulator simulator = with("529:attempts=1")) {
      Http http = new Http(simulator);
      String body = HELLO.replaceFirst("\\{", "{\"metadata\":{\"user_id\":\"u\"},");

      assertThat(http.message(body).status()).isEqualTo(529);
      assertThat(http.message(body.replace("Hello", "Bye")).status()).isEqualTo(529);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "530x, a fault is",
    "529:share=2, a share is at most 1",
    "529:often=1, the parts of a fault are",
    "529:share, a fault is written"
  })
  void a_fault_that_is_none_is_refused_with_the_rule(String text, String rule) {
    assertThatThrownBy(() -> Fault.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule);
  }
}
