package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.value.JsonText;

/**
 * One event of a stream, as it goes over the wire.
 *
 * @param tokens how many tokens must be there before it can be sent; 0 is none
 */
public record StreamEvent(String text, long tokens) {
  /** With the name that is its type, as Anthropic and OpenAI's Responses write it. */
  static String named(ObjectNode event) {
    return "event: " + event.get("type").textValue() + "\n" + data(event);
  }

  /** Without a name, as OpenAI's Chat Completions write it. */
  static String data(ObjectNode event) {
    return "data: " + JsonText.of(event) + "\n\n";
  }
}
