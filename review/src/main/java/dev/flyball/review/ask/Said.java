package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.flyball.llm.Dialect;
import java.io.IOException;
import java.util.Optional;

/** What a model's reply comes to. */
sealed interface Said {
  /** A whole JSON object. */
  record Whole(JsonNode object) implements Said {}

  /**
   * No answer: it was cut off, refused, filtered, or is no JSON.
   *
   * @param text what there was of it
   * @param again whether asking once more, in other words, may help
   */
  record Nothing(String why, String text, boolean again) implements Said {}

  /** Reads a provider's answer. */
  static Said of(Dialect dialect, byte[] body) {
    JsonNode root;
    try {
      root = Objects.JSON.readTree(body);
    } catch (IOException garbled) {
      return new Nothing("the reply is no JSON", "", true);
    }
    return switch (dialect) {
      case ANTHROPIC -> Objects.anthropic(root);
      case OPENAI -> Objects.openAi(root);
    };
  }

  /** How objects are found in replies. */
  final class Objects {
    private static final JsonMapper JSON =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private Objects() {}

    private static Said anthropic(JsonNode root) {
      var reason = root.path("stop_reason").asText("");
      var text = new StringBuilder();
      JsonNode input = null;
      for (var block : root.path("content")) {
        switch (block.path("type").asText()) {
          case "text" -> text.append(block.path("text").asText());
          case "tool_use" -> input = input == null ? block.path("input") : input;
          default -> {}
        }
      }
      var shown = input == null ? text.toString() : input.toString();
      if (reason.equals("max_tokens")) {
        return new Nothing("it was cut off at its longest", shown, true);
      }
      if (reason.equals("refusal")) {
        return new Nothing("the model refused", shown, false);
      }
      return input != null && input.isObject() ? new Whole(input) : found(text.toString());
    }

    private static Said openAi(JsonNode root) {
      var choice = root.path("choices").path(0);
      var message = choice.path("message");
      var text = message.path("content").asText("");
      if (choice.path("finish_reason").asText("").equals("length")) {
        return new Nothing("it was cut off at its longest", text, true);
      }
      if (choice.path("finish_reason").asText("").equals("content_filter")) {
        return new Nothing("the provider's filter took it away", text, false);
      }
      if (!message.path("refusal").asText("").isEmpty()) {
        return new Nothing("the model refused", message.path("refusal").asText(), false);
      }
      return found(text);
    }

    /** The object that a text is, or the one that begins where a line begins with a brace. */
    private static Said found(String text) {
      for (int from = text.indexOf('{'); from >= 0; from = text.indexOf("\n{", from + 1)) {
        var object = read(text.substring(text.charAt(from) == '{' ? from : from + 1));
        if (object.isPresent()) {
          return new Whole(object.get());
        }
      }
      return new Nothing("it has no JSON object", text, true);
    }

    private static Optional<JsonNode> read(String text) {
      try {
        return Optional.ofNullable(JSON.readTree(text))
            .filter(node -> node.isObject() && node.has("reviewed"));
      } catch (JsonProcessingException broken) {
        return Optional.empty();
      }
    }
  }
}
