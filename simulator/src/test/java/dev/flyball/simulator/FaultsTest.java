package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    "500, 500, api_error",
    "504, 504, timeout_error",
    "401, 401, authentication_error",
    "402, 402, billing_error",
    "410, 410, not_found_error",
    "429, 429, rate_limit_error",
    "daily, 429, rate_limit_error",
    "spend-cap, 429, enforced_spend_limit_reached",
    "slow-down, 429, acceleration",
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
  @ValueSource(strings = {"cut", "cut:after=3"})
  void a_connection_is_cut(String fault) throws Exception {
    try (Simulator simulator = with(fault)) {
      assertThatThrownBy(() -> new Http(simulator).message(HELLO)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> new Http(simulator).message(Http.stream(HELLO)))
          .isInstanceOf(IOException.class);
      assertThat(simulator.stats().inFlight()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "error-event:after=4, overloaded_error, message_stop",
    "truncated:after=4, content_block_delta, message_stop",
    "keep-alive, : keep-alive, nothing",
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
  void answers_are_scripted_by_id_and_by_pattern(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(
        file,
        """
        {"id": "seven", "answer": "by id"}
        {"pattern": "(?i)hello", "answer": {"by": "pattern"}}
        """);
    Settings settings = Settings.of("unlimited").answers(Answers.parse(file.toString()));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO, "x-sim-id", "seven").text()).contains("by id");
      assertThat(http.message(HELLO).json().at("/content/0/text").asText())
          .isEqualTo("{\"by\":\"pattern\"}");
      assertThat(http.message(HELLO.replace("Hello", "Good day")).text()).contains("Good day");
    }
  }

  @Test
  void lorem_depends_on_the_seed_and_the_prompt_alone() throws Exception {
    Settings settings = Settings.of("unlimited").answers(Answers.lorem()).seed(5);
    try (Simulator simulator = Simulator.start(settings, 0);
        Simulator twin =
            Simulator.start(Settings.of("unlimited").answers(Answers.lorem()).seed(5), 0)) {
      Http http = new Http(simulator);
      String first = http.message(HELLO).json().path("content").toString();

      assertThat(http.message(HELLO).json().path("content").toString()).isEqualTo(first);
      assertThat(new Http(twin).message(HELLO).json().path("content").toString()).isEqualTo(first);
      assertThat(http.message(HELLO.replace("Hello", "Hi")).json().path("content").toString())
          .isNotEqualTo(first);
    }
  }

  @Test
  void the_side_door_changes_and_resets() throws Exception {
    try (Simulator simulator = with()) {
      Http http = new Http(simulator);
      http.message(HELLO);

      Http.Reply put =
          http.send(
              "PUT",
              "/__sim/config",
              "{\"profile\":\"openai-tier2\",\"limit\":[\"requests=7/min\"],\"fault\":\"503\"}");

      assertThat(put.json().path("profile").asText()).isEqualTo("openai-tier2");
      assertThat(http.stats().path("requests").asLong()).isZero();
      String body = Http.prompt("gpt-5", 10, "Hi");
      Http.Reply reply = http.openai("/v1/chat/completions", body);
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.header("x-ratelimit-limit-requests")).isEqualTo("7");
      assertThat(http.send("POST", "/__sim/reset", "").status()).isEqualTo(200);
      assertThat(http.ledger()).isEmpty();
      Http.Reply wrong = http.send("PUT", "/__sim/config", "{\"speed\":1}");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.text()).contains("not speed");
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
