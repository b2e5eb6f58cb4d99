package dev.flyball.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.MessageCreateParams;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The official clients of Java, unchanged. */
@Timeout(120)
final class JavaSdksTest {
  private static final String HELLO = "Hello there";

  @Test
  void the_client_of_anthropic_works_unchanged() throws Exception {
    try (var running = RunningGateway.before(Settings.of("unlimited").latency(Latency.NONE))) {
      var client =
          AnthropicOkHttpClient.builder()
              .apiKey("of-the-client")
              .baseUrl(running.gateway.uri().toString())
              .build();
      var asked =
          MessageCreateParams.builder()
              .model("claude-sonnet-4-5")
              .maxTokens(100)
              .addUserMessage(HELLO)
              .build();
      var message = client.messages().create(asked);
      assertThat(message.content().getFirst().asText().text()).isEqualTo(HELLO);
      var whole = MessageAccumulator.create();
      try (var stream = client.messages().createStreaming(asked)) {
        stream.stream().forEach(whole::accumulate);
      }
      assertThat(whole.message().content().getFirst().asText().text()).isEqualTo(HELLO);
      client.close();
    }
  }

  @Test
  void the_client_of_openai_works_unchanged() throws Exception {
    try (var running = RunningGateway.before(Settings.of("unlimited").latency(Latency.NONE))) {
      var client =
          OpenAIOkHttpClient.builder()
              .apiKey("of-the-client")
              .baseUrl(running.gateway.uri() + "/v1")
              .build();
      var asked =
          ChatCompletionCreateParams.builder().model("gpt-5.4").addUserMessage(HELLO).build();
      assertThat(client.chat().completions().create(asked).choices().getFirst().message().content())
          .hasValue(HELLO);
      var text = new StringBuilder();
      try (var stream = client.chat().completions().createStreaming(asked)) {
        stream.stream()
            .flatMap(chunk -> chunk.choices().stream())
            .forEach(choice -> choice.delta().content().ifPresent(text::append));
      }
      assertThat(text.toString()).isEqualTo(HELLO);
      assertThat(
              client
                  .responses()
                  .create(ResponseCreateParams.builder().model("gpt-5.4").input(HELLO).build())
                  .usage())
          .isPresent();
      assertThat(
              client
                  .embeddings()
                  .create(
                      EmbeddingCreateParams.builder()
                          .model("text-embedding-3-small")
                          .input(HELLO)
                          .build())
                  .data())
          .hasSize(1);
      client.close();
    }
  }
}
