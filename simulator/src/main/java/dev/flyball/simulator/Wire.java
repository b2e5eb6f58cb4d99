package dev.flyball.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** Answers as they go over the wire, whole or as events of a stream. */
final class Wire {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * One event of a stream.
   *
   * @param tokens how many tokens must be there before it can be sent; 0 is none
   */
  record Event(String text, long tokens) {}

  /**
   * One answer to be written.
   *
   * @param id the hexadecimal part of its id
   * @param created seconds since 1970
   * @param counted how often each token is counted in the usage; once, if that is to be true
   */
  record Reply(
      Api api,
      Reading.Prompt prompt,
      Answer answer,
      PromptCache.Split split,
      String id,
      long created,
      long counted) {
    long input() {
      return (split.fresh() + split.read() + split.written()) * counted;
    }

    long output() {
      return answer.tokens() * counted;
    }
  }

  private Wire() {}

  static String text(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Missing if the text is no JSON. */
  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  static JsonNode whole(Reply reply, JsonNode body) {
    return switch (reply.api()) {
      case MESSAGES -> Messages.whole(reply);
      case COUNT_TOKENS -> JSON.objectNode().put("input_tokens", reply.input());
      case CHAT -> Chat.whole(reply);
      case RESPONSES -> Responses.whole(reply);
      case EMBEDDINGS -> Embeddings.whole(reply, body);
      case MODELS, RATE_LIMITS, NONE ->
          throw new IllegalStateException("no answer is written to " + reply.api());
    };
  }

  /** An answer that is none: the model declined, or a filter took away what it said. */
  static JsonNode declined(JsonNode whole, Api api, boolean filtered) {
    ObjectNode answer = whole.deepCopy();
    switch (api) {
      case MESSAGES -> answer.put("stop_reason", "refusal").putArray("content");
      case CHAT -> {
        ObjectNode choice = (ObjectNode) answer.path("choices").path(0);
        ObjectNode message = ((ObjectNode) choice.path("message")).putNull("content");
        message.put("refusal", filtered ? null : "I'm sorry, I can't help with that.");
        choice.put("finish_reason", filtered ? "content_filter" : "stop");
      }
      case RESPONSES -> {
        answer.put("status", "incomplete").putArray("output");
        answer.putObject("incomplete_details").put("reason", "content_filter");
      }
      case COUNT_TOKENS, EMBEDDINGS, MODELS, RATE_LIMITS, NONE -> {}
    }
    return answer;
  }

  static List<Event> stream(Reply reply) {
    return switch (reply.api()) {
      case MESSAGES -> Messages.stream(reply);
      case CHAT -> Chat.stream(reply);
      case RESPONSES -> Responses.stream(reply);
      case COUNT_TOKENS, EMBEDDINGS, MODELS, RATE_LIMITS, NONE ->
          throw new IllegalStateException("no stream is written to " + reply.api());
    };
  }

  /** The event that ends a stream badly. */
  static String errorEvent(Api api) {
    if (api == Api.MESSAGES) {
      ObjectNode error = JSON.objectNode().put("type", "error");
      error.putObject("error").put("type", "overloaded_error").put("message", "Overloaded");
      return named(error);
    }
    ObjectNode error = JSON.objectNode();
    ObjectNode inner = error.putObject("error").put("message", "The server is overloaded.");
    inner.put("type", "service_unavailable_error").put("code", "server_is_overloaded");
    if (api == Api.RESPONSES) {
      ObjectNode failed =
          JSON.objectNode().put("type", "response.failed").put("sequence_number", 0);
      ObjectNode response = failed.putObject("response").put("status", "failed");
      response.set("error", inner);
      return named(failed);
    }
    return data(error);
  }

  static String named(ObjectNode event) {
    return "event: " + event.get("type").textValue() + "\n" + data(event);
  }

  static String data(ObjectNode event) {
    return "data: " + text(event) + "\n\n";
  }
}
