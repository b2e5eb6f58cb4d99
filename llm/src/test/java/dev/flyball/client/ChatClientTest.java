package dev.flyball.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Outcome;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.FlyballException;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ready clients, against a provider that keeps real limits. */
class ChatClientTest {
  private static Simulator simulator() throws Exception {
    return Simulator.start(
        Settings.of("unlimited").latency(Latency.NONE).answers(Answers.echo()), 0);
  }

  @ParameterizedTest
  @CsvSource({"anthropic, claude-sonnet-5", "openai, gpt-5.4"})
  void a_question_has_its_text_and_its_usage(String provider, String model) throws Exception {
    try (var simulator = simulator();
        var chat = ChatClient.builder(provider).at(simulator.uri()).build()) {
      var answer = chat.ask(model, "say hello");

      assertThat(answer.text()).contains("say hello");
      assertThat(answer.usage().output()).isPositive();
      assertThat(answer.stopped()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"anthropic, claude-sonnet-5", "openai, gpt-5.4"})
  void a_stream_is_heard_piece_by_piece(String provider, String model) throws Exception {
    try (var simulator = simulator();
        var chat = ChatClient.builder(provider).at(simulator.uri()).build()) {
      var pieces = new ArrayList<String>();
      var question = "tell me all of it, word by word";
      var answer = chat.stream(ChatRequest.of(model, question), pieces::add);

      assertThat(String.join("", pieces)).isEqualTo(answer.text()).contains(question);
      assertThat(pieces).hasSizeGreaterThan(1);
      assertThat(answer.usage().output()).isPositive();
      assertThat(answer.stopped()).isNotEmpty();
    }
  }

  @Test
  void many_questions_from_many_threads_meet_no_429() throws Exception {
    var limited =
        Settings.of("unlimited")
            .latency(Latency.NONE)
            .answers(Answers.echo())
            .limit("requests=600/min")
            .burst("requests=10");
    try (var simulator = Simulator.start(limited, 0);
        var chat = ChatClient.builder("openai").at(simulator.uri()).build();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // The first reply tells the limits; how long a cold client takes for it is not asked here.
      assertThat(chat.ask("gpt-5.4", "say 0").text()).contains("say");
      var asked =
          IntStream.range(1, 25)
              .mapToObj(i -> threads.submit(() -> chat.ask("gpt-5.4", "say " + i).text()))
              .toList();
      for (var each : asked) {
        assertThat(each.get()).contains("say");
      }
      assertThat(simulator.stats().answered()).isEqualTo(25);
      assertThat(simulator.stats().throttled()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void questions_that_nobody_waits_for_end_by_themselves() throws Exception {
    try (var simulator = simulator();
        var chat = ChatClient.builder("anthropic").at(simulator.uri()).build()) {
      var all =
          IntStream.range(0, 20)
              .mapToObj(i -> chat.askLater(ChatRequest.of("claude-sonnet-5", "say " + i)))
              .toList();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();

      assertThat(all).allMatch(each -> each.join() instanceof Outcome.Done);
      assertThat(simulator.stats().answered()).isEqualTo(20);
    }
  }

  @Test
  void a_refusal_says_what_to_do() throws Exception {
    try (var simulator = simulator();
        var chat = ChatClient.builder("openai").at(simulator.uri()).key("invalid-key").build()) {
      assertThatThrownBy(() -> chat.ask("gpt-5.4", "say hello"))
          .isInstanceOf(FlyballException.class)
          .hasMessageContaining("key");
    }
    assertThatThrownBy(() -> ChatClient.of("nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("anthropic");
  }

  @Test
  void any_code_with_an_http_client_is_paced() throws Exception {
    var limited =
        Settings.of("unlimited")
            .latency(Latency.NONE)
            .answers(Answers.echo())
            .limit("requests=600/min")
            .burst("requests=5");
    try (var simulator = Simulator.start(limited, 0);
        var flyball = Flyball.create();
        var plain = HttpClient.newHttpClient();
        var paced = PacedHttpClient.of(plain, flyball)) {
      var request =
          HttpRequest.newBuilder(URI.create(simulator.uri() + "/v1/chat/completions"))
              .header("authorization", "Bearer k")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"model\":\"gpt-5.4\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}"))
              .build();
      assertThat(paced.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      var later =
          IntStream.range(0, 12)
              .mapToObj(i -> paced.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
              .toList();
      assertThat(later).allMatch(each -> each.join().statusCode() == 200);

      var wrong = HttpRequest.newBuilder(URI.create(simulator.uri() + "/v1/nothing")).GET().build();
      assertThat(paced.send(wrong, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
    }
  }
}
