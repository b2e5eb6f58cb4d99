package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.value.JsonText;
import java.util.ArrayList;
import java.util.List;

/** Anthropic's Messages, whole and as the events of a stream. */
final class Messages {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Messages() {}

  static ObjectNode whole(ModelReply reply) {
    return message(reply, true);
  }

  private static ObjectNode message(ModelReply reply, boolean ended) {
    ObjectNode message =
        JSON.objectNode()
            .put("id", "msg_" + reply.id())
            .put("type", "message")
            .put("role", "assistant")
            .put("model", reply.prompt().model());
    ArrayNode content = message.putArray("content");
    if (ended) {
      content.add(block(reply, true));
      message.put("stop_reason", stopReason(reply));
    } else {
      message.putNull("stop_reason");
    }
    message.putNull("stop_sequence");
    InputSplit split = reply.split();
    long times = reply.counted();
    ObjectNode usage =
        message
            .putObject("usage")
            .put("input_tokens", split.fresh() * times)
            .put("cache_creation_input_tokens", split.written() * times)
            .put("cache_read_input_tokens", split.read() * times);
    usage
        .putObject("cache_creation")
        .put("ephemeral_5m_input_tokens", split.writtenShort() * times)
        .put("ephemeral_1h_input_tokens", split.writtenLong() * times);
    usage.put("output_tokens", ended ? reply.output() : Math.min(1, reply.output()));
    usage.put("service_tier", "standard");
    return message;
  }

  private static String stopReason(ModelReply reply) {
    return reply.answer().stopped()
        ? "max_tokens"
        : reply.answer().tool().isEmpty() ? "end_turn" : "tool_use";
  }

  /** The block that all of the answer is in. */
  private static ObjectNode block(ModelReply reply, boolean ended) {
    ModelAnswer answer = reply.answer();
    if (answer.tool().isEmpty()) {
      return JSON.objectNode().put("type", "text").put("text", ended ? answer.text() : "");
    }
    ObjectNode block =
        JSON.objectNode()
            .put("type", "tool_use")
            .put("id", "toolu_" + reply.id())
            .put("name", answer.tool());
    // Input that was stopped in the middle is no JSON.
    block.set(
        "input", ended && !answer.stopped() ? JsonText.parse(answer.text()) : JSON.objectNode());
    return block;
  }

  private static ObjectNode delta(ModelReply reply, String text) {
    return reply.answer().tool().isEmpty()
        ? JSON.objectNode().put("type", "text_delta").put("text", text)
        : JSON.objectNode().put("type", "input_json_delta").put("partial_json", text);
  }

  static List<StreamEvent> stream(ModelReply reply) {
    List<StreamEvent> events = new ArrayList<>();
    ObjectNode start = JSON.objectNode().put("type", "message_start");
    start.set("message", message(reply, false));
    events.add(new StreamEvent(StreamEvent.named(start), 0));
    ObjectNode block = JSON.objectNode().put("type", "content_block_start").put("index", 0);
    block.set("content_block", block(reply, false));
    events.add(new StreamEvent(StreamEvent.named(block), 0));
    events.add(new StreamEvent(StreamEvent.named(JSON.objectNode().put("type", "ping")), 0));
    for (ModelAnswer.Piece piece : reply.answer().pieces()) {
      ObjectNode delta = JSON.objectNode().put("type", "content_block_delta").put("index", 0);
      delta.set("delta", delta(reply, piece.text()));
      events.add(new StreamEvent(StreamEvent.named(delta), piece.tokens()));
    }
    events.add(
        new StreamEvent(
            StreamEvent.named(JSON.objectNode().put("type", "content_block_stop").put("index", 0)),
            0));
    ObjectNode end = JSON.objectNode().put("type", "message_delta");
    end.putObject("delta").put("stop_reason", stopReason(reply)).putNull("stop_sequence");
    end.putObject("usage").put("output_tokens", reply.output());
    events.add(new StreamEvent(StreamEvent.named(end), 0));
    events.add(
        new StreamEvent(StreamEvent.named(JSON.objectNode().put("type", "message_stop")), 0));
    return events;
  }
}
