package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.flyball.llm.Dialect;
import dev.flyball.review.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/** The output of a model: an answer in whole JSON, or the flaw that it has. */
sealed interface ModelOutput {
  /** The fields of answers that have whole sentences or code. */
  Set<String> SPOKEN = Set.of("title", "message", "suggestion", "quote", "detail", "reason");

  /** A whole JSON object. */
  record Parsed(JsonNode object) implements ModelOutput {}

  /**
   * No answer.
   *
   * @param text what there was of it
   */
  record Unusable(Flaw flaw, String text) implements ModelOutput {
    String why() {
      return flaw.words;
    }
  }

  /** The same without secrets in what it says: it may have learned one anywhere. */
  default ModelOutput withoutSecrets() {
    return switch (this) {
      case Parsed(var object) -> {
        hide(object);
        yield this;
      }
      case Unusable(var flaw, var text) -> new Unusable(flaw, Secrets.hidden(text));
    };
  }

  /** In the fields that are read by people; the others are names, by which things are found. */
  private static void hide(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (var field : object.properties()) {
        if (field.getValue().isTextual() && SPOKEN.contains(field.getKey())) {
          field.setValue(TextNode.valueOf(Secrets.hidden(field.getValue().asText())));
        }
      }
    }
    node.forEach(ModelOutput::hide);
  }

  /** What an answer can lack. */
  enum Flaw {
    CUT_OFF("it was cut off at its maximum length", true),
    REFUSED("the model refused", false),
    FILTERED("the provider's content filter removed it", false),
    GARBLED("the reply is not JSON", true),
    NO_OBJECT("the reply has no JSON object", true);

    private final String words;
    private final boolean again;

    Flaw(String words, boolean again) {
      this.words = words;
      this.again = again;
    }

    /** Whether asking once more may help. */
    boolean again() {
      return again;
    }
  }

  /** Reads a provider's answer. */
  static ModelOutput of(Dialect dialect, AnswerSchema schema, byte[] body) {
    JsonNode root;
    try {
      root = JsonSearch.JSON.readTree(body);
    } catch (IOException garbled) {
      return new Unusable(Flaw.GARBLED, "");
    }
    return switch (dialect) {
      case ANTHROPIC -> JsonSearch.anthropic(root, schema);
      case OPENAI -> JsonSearch.openAi(root, schema);
    };
  }

  /** How objects are found in replies. */
  final class JsonSearch {
    private static final JsonMapper JSON =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private static final long LEAST_WORK = 10_000_000;
    private static final long TIMES = 4;
    private static final long WORK_OF_A_TRY = 500;

    private JsonSearch() {}

    private static ModelOutput anthropic(JsonNode root, AnswerSchema schema) {
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
      if (reason.equals("max_tokens") || reason.equals("model_context_window_exceeded")) {
        return new Unusable(Flaw.CUT_OFF, shown);
      }
      if (reason.equals("refusal")) {
        return new Unusable(Flaw.REFUSED, shown);
      }
      if (input != null && schema.isOf(input)) {
        return new Parsed(input);
      }
      return found(text.toString(), schema) instanceof Parsed whole
          ? whole
          : new Unusable(Flaw.NO_OBJECT, shown);
    }

    private static ModelOutput openAi(JsonNode root, AnswerSchema schema) {
      var choice = root.path("choices").path(0);
      var message = choice.path("message");
      var text = message.path("content").asText("");
      if (choice.path("finish_reason").asText("").equals("length")) {
        return new Unusable(Flaw.CUT_OFF, text);
      }
      if (choice.path("finish_reason").asText("").equals("content_filter")) {
        return new Unusable(Flaw.FILTERED, text);
      }
      if (!message.path("refusal").asText("").isEmpty()) {
        return new Unusable(Flaw.REFUSED, message.path("refusal").asText());
      }
      return found(text, schema);
    }

    /**
     * The object that a text is, or the one that begins where a line begins with a brace. Looking
     * for it ends when that has been more work than any text that somebody meant.
     */
    private static ModelOutput found(String text, AnswerSchema schema) {
      var characters = text.toCharArray();
      long work = LEAST_WORK + TIMES * text.length();
      int from = text.indexOf('{');
      while (from >= 0 && work > 0) {
        try (var parser = JSON.createParser(characters, from, characters.length - from)) {
          long start = parser.currentLocation().getCharOffset();
          try {
            JsonNode object = JSON.readTree(parser);
            if (object != null && schema.isOf(object)) {
              return new Parsed(object);
            }
          } catch (JsonProcessingException broken) {
            // Whatever begins here is not it.
          }
          work -= WORK_OF_A_TRY + parser.currentLocation().getCharOffset() - start;
        } catch (IOException impossible) {
          throw new UncheckedIOException(impossible);
        }
        int feed = text.indexOf("\n{", from);
        from = feed < 0 ? -1 : feed + 1;
      }
      return new Unusable(Flaw.NO_OBJECT, text);
    }
  }
}
