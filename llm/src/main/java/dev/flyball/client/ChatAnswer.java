package dev.flyball.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.call.Usage;
import dev.flyball.llm.Dialect;

/**
 * What a model said.
 *
 * @param text all of it
 * @param usage what it took
 * @param stopped why it ended, in the provider's word; empty if it did not say
 * @param json the whole answer; missing where it came as a stream
 */
public record ChatAnswer(String text, Usage usage, String stopped, JsonNode json) {
  static ChatAnswer of(Dialect dialect, JsonNode json, Usage usage) {
    return switch (dialect) {
      case ANTHROPIC -> {
        var text = new StringBuilder();
        json.path("content").forEach(part -> text.append(part.path("text").asText("")));
        yield new ChatAnswer(text.toString(), usage, json.path("stop_reason").asText(""), json);
      }
      case OPENAI -> {
        var choice = json.path("choices").path(0);
        yield new ChatAnswer(
            choice.path("message").path("content").asText(""),
            usage,
            choice.path("finish_reason").asText(""),
            json);
      }
    };
  }
}
