package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicIoException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.RateLimitException;
import com.anthropic.errors.SseException;
import com.anthropic.errors.UnauthorizedException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStreamEvent;
import dev.flyball.simulator.provider.Stats;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The official clients, as people use them. */
final class SdkTest {
  private static Simulator anthropic(String... faults) throws IOException {
    Settings settings = Settings.of("anthropic-tier1").latency(Latency.NONE);
    List.of(faults).forEach(settings::fault);
    return Simulator.start(settings, 0);
  }

  private static Simulator openai(String... faults) throws IOException {
    Settings settings = Settings.of("openai-tier1").latency(Latency.NONE);
    List.of(faults).forEach(settings::fault);
    return Simulator.start(settings, 0);
  }

  private static AnthropicClient client(Simulator simulator, int retries) {
    return AnthropicOkHttpClient.builder()
        .apiKey("key")
        .baseUrl(simulator.uri().toString())
        .maxRetries(retries)
        .build();
  }

  private static OpenAIClient openaiClient(Simulator simulator) {
    return OpenAIOkHttpClient.builder().apiKey("key").baseUrl(simulator.uri() + "/v1").build();
  }

  private static final MessageCreateParams HELLO =
      MessageCreateParams.builder()
          .model("claude-sonnet-4-5")
          .maxTokens(100)
          .addUserMessage("Hello there")
          .build();

  private static final ChatCompletionCreateParams CHAT =
      ChatCompletionCreateParams.builder()
          .model("gpt-4o-mini")
          .maxCompletionTokens(100)
          .addUserMessage("Hello there")
          .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
          .build();

  @Test
  void anthropic_creates_streams_counts_and_lists() throws Exception {
    try (Simulator simulator = anthropic()) {
      AnthropicClient client = client(simulator, 0);

      Message message = client.messages().create(HELLO);
      assertThat(message.content().getFirst().asText().text()).isEqualTo("Hello there");
      assertThat(message.usage().inputTokens()).isEqualTo(7);

      MessageAccumulator whole = MessageAccumulator.create();
      try (StreamResponse<RawMessageStreamEvent> stream =
          client.messages().createStreaming(HELLO)) {
        stream.stream().forEach(whole::accumulate);
      }
      assertThat(whole.message().content().getFirst().asText().text()).isEqualTo("Hello there");
      assertThat(whole.message().usage().outputTokens()).isEqualTo(4);

      MessageCountTokensParams count =
          MessageCountTokensParams.builder()
              .model("claude-sonnet-4-5")
              .addUserMessage("Hello there")
              .build();
      assertThat(client.messages().countTokens(count).inputTokens()).isEqualTo(7);
      assertThat(client.models().list().data()).isNotEmpty();
      assertThat(simulator.stats().answered()).isEqualTo(3);
      client.close();
    }
  }

  @Test
  void anthropic_raises_what_each_error_is() throws Exception {
    try (Simulator simulator =
        anthropic(
            "429:id=a,retry-after=7", "529:id=b", "error-event:id=c", "cut:id=d", "401:id=e")) {
      AnthropicClient client = client(simulator, 0);

      RateLimitException limited =
          catchThrowableOfType(RateLimitException.class, () -> create(client, "a"));
      assertThat(limited.headers().values("retry-after")).containsExactly("7");
      assertThat(limited.headers().values("anthropic-ratelimit-requests-limit"))
          .containsExactly("50");
      assertThat(
              catchThrowableOfType(AnthropicServiceException.class, () -> create(client, "b"))
                  .statusCode())
          .isEqualTo(529);
      SseException broken =
          catchThrowableOfType(
              SseException.class,
              () -> {
                try (StreamResponse<RawMessageStreamEvent> stream =
                    client.messages().createStreaming(with("c"))) {
                  stream.stream().forEach(event -> {});
                }
              });
      assertThat(broken.statusCode()).isEqualTo(200);
      assertThat(catchThrowableOfType(AnthropicIoException.class, () -> create(client, "d")))
          .isNotNull();
      assertThat(catchThrowableOfType(UnauthorizedException.class, () -> create(client, "e")))
          .isNotNull();
      assertThat(simulator.stats().requests()).isEqualTo(5);
      client.close();
    }
  }

  private static MessageCreateParams with(String id) {
    return HELLO.toBuilder().putAdditionalHeader("x-sim-id", id).build();
  }

  private static Message create(AnthropicClient client, String id) {
    return client.messages().create(with(id));
  }

  @Test
  void by_default_the_sdk_tries_twice_again_and_counts() throws Exception {
    try (Simulator simulator = anthropic("429:attempts=2,retry-after=0.01")) {
      AnthropicClient client = client(simulator, 2);

      assertThat(client.messages().create(HELLO).content()).hasSize(1);

      List<Integer> attempts =
          new Http(simulator)
              .ledger().stream()
                  .filter(line -> line.path("what").asText().equals("admitted"))
                  .map(line -> line.path("attempt").asInt())
                  .toList();
      assertThat(attempts).containsExactly(0, 1, 2);
      assertThat(simulator.stats().faults()).containsEntry("429", 2L);
      client.close();
    }
  }

  @Test
  void the_sdk_does_not_try_again_when_told_not_to() throws Exception {
    try (Simulator simulator = anthropic("529:should-retry=false")) {
      AnthropicClient client = client(simulator, 2);

      assertThat(
              catchThrowableOfType(
                  AnthropicServiceException.class, () -> client.messages().create(HELLO)))
          .isNotNull();

      assertThat(simulator.stats().requests()).isEqualTo(1);
      client.close();
    }
  }

  @Test
  void a_hundred_at_a_time_are_all_counted() throws Exception {
    Settings settings = Settings.of("anthropic-tier1").latency(Latency.parse("20ms"));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      AnthropicClient client = client(simulator, 0);

      long limited =
          IntStream.range(0, 100)
              .parallel()
              .filter(
                  i ->
                      catchThrowableOfType(
                              RateLimitException.class, () -> create(client, "call-" + i))
                          != null)
              .count();

      Stats stats = simulator.stats();
      assertThat(stats.requests()).isEqualTo(100);
      assertThat(stats.throttled()).isEqualTo(limited);
      // The burst of fifty, and what came back meanwhile.
      assertThat(stats.answered()).isBetween(50L, 60L);
      client.close();
    }
  }

  @Test
  void openai_chats_streams_responds_embeds_and_lists() throws Exception {
    try (Simulator simulator = openai()) {
      OpenAIClient client = openaiClient(simulator);

      assertThat(client.chat().completions().create(CHAT).choices().getFirst().message().content())
          .hasValue("Hello there");

      StringBuilder said = new StringBuilder();
      long[] tokens = {0};
      try (com.openai.core.http.StreamResponse<ChatCompletionChunk> stream =
          client.chat().completions().createStreaming(CHAT)) {
        stream.stream()
            .forEach(
                chunk -> {
                  chunk
                      .choices()
                      .forEach(choice -> choice.delta().content().ifPresent(said::append));
                  chunk.usage().ifPresent(usage -> tokens[0] = usage.completionTokens());
                });
      }
      assertThat(said).hasToString("Hello there");
      assertThat(tokens[0]).isEqualTo(3);

      ResponseCreateParams ask =
          ResponseCreateParams.builder().model("gpt-4o-mini").input("Hello there").build();
      Response response = client.responses().create(ask);
      assertThat(
              response.output().getFirst().asMessage().content().getFirst().asOutputText().text())
          .isEqualTo("Hello there");
      assertThat(response.usage().orElseThrow().outputTokens()).isEqualTo(3);
      StringBuilder streamed = new StringBuilder();
      boolean[] completed = {false};
      try (com.openai.core.http.StreamResponse<ResponseStreamEvent> stream =
          client.responses().createStreaming(ask)) {
        stream.stream()
            .forEach(
                event -> {
                  event.outputTextDelta().ifPresent(delta -> streamed.append(delta.delta()));
                  completed[0] |= event.isCompleted();
                });
      }
      assertThat(streamed).hasToString("Hello there");
      assertThat(completed[0]).isTrue();

      EmbeddingCreateParams embed =
          EmbeddingCreateParams.builder().model("text-embedding-3-small").input("Hello").build();
      assertThat(client.embeddings().create(embed).data().getFirst().embedding()).hasSize(256);
      assertThat(client.models().list().data()).isNotEmpty();
      client.close();
    }
  }

  @Test
  void openai_tries_again_after_the_wait_it_was_told() throws Exception {
    try (Simulator simulator = openai("503:attempts=2,retry-after=0.01")) {
      OpenAIClient client = openaiClient(simulator);

      client.chat().completions().create(CHAT);

      assertThat(simulator.stats().retries()).isEqualTo(2);
      assertThat(simulator.stats().answered()).isEqualTo(1);
      client.close();
    }
  }
}
