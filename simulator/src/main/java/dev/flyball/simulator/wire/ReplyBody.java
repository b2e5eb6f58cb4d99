package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Answers as they go over the wire, whole or as events of a stream. */
public final class ReplyBody {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ReplyBody() {}

  public static JsonNode whole(ModelReply reply, JsonNode body) {
    return switch (reply.endpoint()) {
      case MESSAGES -> Messages.whole(reply);
      case COUNT_TOKENS -> JSON.objectNode().put("input_tokens", reply.input());
      case CHAT -> Chat.whole(reply);
      case RESPONSES -> Responses.whole(reply);
      case EMBEDDINGS -> Embeddings.whole(reply, body);
      case MODELS, RATE_LIMITS, NONE ->
          throw new IllegalStateException("no answer is written to " + reply.endpoint());
    };
  }

  /** An answer that is none: the model declined, or a filter took away what it said. */
  public static JsonNode declined(JsonNode whole, Endpoint endpoint, boolean filtered) {
    ObjectNode answer = whole.deepCopy();
    switch (endpoint) {
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

  public static List<StreamEvent> stream(ModelReply reply) {
    return switch (reply.endpoint()) {
      case MESSAGES -> Messages.stream(reply);
      case CHAT -> Chat.stream(reply);
      case RESPONSES -> Responses.stream(reply);
      case COUNT_TOKENS, EMBEDDINGS, MODELS, RATE_LIMITS, NONE ->
          throw new IllegalStateException("no stream is written to " + reply.endpoint());
    };
  }

  /** The event that ends a stream badly. */
  public static String errorEvent(Endpoint endpoint) {
    if (endpoint == Endpoint.MESSAGES) {
      ObjectNode error = JSON.objectNode().put("type", "error");
      error.putObject("error").put("type", "overloaded_error").put("message", "Overloaded");
      return StreamEvent.named(error);
    }
    ObjectNode error = JSON.objectNode();
    ObjectNode inner = error.putObject("error").put("message", "The server is overloaded.");
    inner.put("type", "service_unavailable_error").put("code", "server_is_overloaded");
    if (endpoint == Endpoint.RESPONSES) {
      ObjectNode failed =
          JSON.objectNode().put("type", "response.failed").put("sequence_number", 0);
      ObjectNode response = failed.putObject("response").put("status", "failed");
      response.set("error", inner);
      return StreamEvent.named(failed);
    }
    return StreamEvent.data(error);
  }
}
