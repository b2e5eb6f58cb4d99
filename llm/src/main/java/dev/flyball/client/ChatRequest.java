package dev.flyball.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.llm.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A question to a model, for providers of either dialect.
 *
 * @param system how the model is to behave, if that is said
 * @param messages what was said so far; the last is the user's
 * @param maxTokens the longest answer
 * @param more fields that go into the request as they are, such as {@code temperature}
 */
public record ChatRequest(
    String model, Optional<String> system, List<Message> messages, int maxTokens, ObjectNode more) {
  private static final int USUAL_MAX_TOKENS = 1_024;

  /**
   * Something that was said.
   *
   * @param role {@code user} or {@code assistant}
   */
  public record Message(String role, String text) {}

  /** Checks it. */
  public ChatRequest {
    messages = List.copyOf(messages);
    more = more.deepCopy();
    if (model.isBlank()) {
      throw new IllegalArgumentException("a request names its model, but it was blank");
    }
    if (maxTokens < 1) {
      throw new IllegalArgumentException("an answer has at least 1 token, not " + maxTokens);
    }
  }

  /** One prompt, and an answer of at most 1,024 tokens. */
  public static ChatRequest of(String model, String prompt) {
    return new ChatRequest(
        model,
        Optional.empty(),
        List.of(new Message("user", prompt)),
        USUAL_MAX_TOKENS,
        JsonNodeFactory.instance.objectNode());
  }

  /** The same, with how the model is to behave. */
  public ChatRequest system(String text) {
    return new ChatRequest(model, Optional.of(text), messages, maxTokens, more);
  }

  /** The same with an answer, and what the user said to it. */
  public ChatRequest then(String answer, String prompt) {
    var all = new ArrayList<>(messages);
    all.add(new Message("assistant", answer));
    all.add(new Message("user", prompt));
    return new ChatRequest(model, system, all, maxTokens, more);
  }

  /** The same with a longer or shorter answer. */
  public ChatRequest maxTokens(int most) {
    return new ChatRequest(model, system, messages, most, more);
  }

  /** The same with a number in the request, such as {@code temperature}. */
  public ChatRequest with(String field, double value) {
    return new ChatRequest(model, system, messages, maxTokens, more.deepCopy().put(field, value));
  }

  ObjectNode body(Dialect dialect, boolean stream) {
    var body = JsonNodeFactory.instance.objectNode().put("model", model);
    body.put("max_tokens", maxTokens);
    var said = body.putArray("messages");
    switch (dialect) {
      case ANTHROPIC -> system.ifPresent(text -> body.put("system", text));
      case OPENAI ->
          system.ifPresent(text -> said.addObject().put("role", "system").put("content", text));
    }
    messages.forEach(each -> said.addObject().put("role", each.role()).put("content", each.text()));
    if (stream) {
      body.put("stream", true);
      if (dialect == Dialect.OPENAI) {
        body.putObject("stream_options").put("include_usage", true);
      }
    }
    body.setAll(more);
    return body;
  }
}
