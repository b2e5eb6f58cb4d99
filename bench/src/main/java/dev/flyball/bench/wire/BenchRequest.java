package dev.flyball.bench.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalLong;

/**
 * The request that every call of a row makes.
 *
 * @param prompt how many characters it has
 * @param most the longest answer that it allows, in tokens
 * @param answer how many tokens the answer has; empty if the prompt is said back
 */
public record BenchRequest(Dialect dialect, int prompt, long most, OptionalLong answer) {
  /** Whose API it is for. */
  public enum Dialect {
    OPENAI("gpt-4o-mini"),
    ANTHROPIC("claude-sonnet-4-5");

    final String model;

    Dialect(String model) {
      this.model = model;
    }
  }

  /** The header that tells a simulator how long an answer is. */
  static final String LENGTH = "x-sim-output-tokens";

  static String id(int call) {
    return "call-" + call;
  }

  /** Different for each call, and of the same length for all. */
  String text(int call) {
    var start = "Question %06d: ".formatted(call);
    return start + "why? ".repeat(prompt).substring(0, prompt - start.length());
  }

  /** A line of a batch file. */
  String line(int call) {
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("custom_id", id(call));
    ObjectNode body =
        switch (dialect) {
          case OPENAI ->
              line.put("method", "POST")
                  .put("url", "/v1/chat/completions")
                  .putObject("body")
                  .put("max_completion_tokens", most);
          case ANTHROPIC -> line.putObject("params").put("max_tokens", most);
        };
    body.put("model", dialect.model)
        .putArray("messages")
        .addObject()
        .put("role", "user")
        .put("content", text(call));
    return line.toString();
  }
}
