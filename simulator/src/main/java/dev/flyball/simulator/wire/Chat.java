package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** OpenAI's Chat Completions, whole and as the chunks of a stream. */
final class Chat {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Chat() {}

  private static ObjectNode usage(ModelReply reply) {
    ObjectNode usage =
        JSON.objectNode()
            .put("prompt_tokens", reply.input())
            .put("completion_tokens", reply.output())
            .put("total_tokens", reply.input() + reply.output());
    usage
        .putObject("prompt_tokens_details")
        .put("cached_tokens", reply.split().read() * reply.counted());
    usage.putObject("completion_tokens_details").put("reasoning_tokens", 0);
    return usage;
  }

  static ObjectNode whole(ModelReply reply) {
    ObjectNode completion = chat(reply, "chat.completion");
    ObjectNode choice = completion.putArray("choices").addObject().put("index", 0);
    ObjectNode message = choice.putObject("message").put("role", "assistant");
    if (reply.answer().tool().isEmpty()) {
      message.put("content", reply.answer().text());
    } else {
      message.putNull("content").putArray("tool_calls").add(call(reply, reply.answer().text()));
    }
    message.putNull("refusal");
    choice.putNull("logprobs").put("finish_reason", finishReason(reply));
    completion.set("usage", usage(reply));
    return completion;
  }

  private static String finishReason(ModelReply reply) {
    return reply.answer().stopped()
        ? "length"
        : reply.answer().tool().isEmpty() ? "stop" : "tool_calls";
  }

  private static ObjectNode call(ModelReply reply, String arguments) {
    ObjectNode call = JSON.objectNode().put("id", "call_" + reply.id()).put("type", "function");
    call.putObject("function").put("name", reply.answer().tool()).put("arguments", arguments);
    return call;
  }

  /** What a chunk adds to the message. */
  private static ObjectNode delta(ModelReply reply, String text) {
    ObjectNode delta = JSON.objectNode();
    if (reply.answer().tool().isEmpty()) {
      return delta.put("content", text);
    }
    ObjectNode call = delta.putArray("tool_calls").addObject().put("index", 0);
    call.putObject("function").put("arguments", text);
    return delta;
  }

  private static ObjectNode opening(ModelReply reply) {
    ObjectNode role = JSON.objectNode().put("role", "assistant");
    if (reply.answer().tool().isEmpty()) {
      return role.put("content", "");
    }
    role.putNull("content").putArray("tool_calls").add(call(reply, "").put("index", 0));
    return role;
  }

  private static ObjectNode chat(ModelReply reply, String kind) {
    return JSON.objectNode()
        .put("id", "chatcmpl-" + reply.id())
        .put("object", kind)
        .put("created", reply.created())
        .put("model", reply.prompt().model());
  }

  private static ObjectNode chunk(ModelReply reply, ObjectNode delta, boolean last) {
    ObjectNode chunk = chat(reply, "chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("logprobs");
    choice.set("finish_reason", last ? JSON.textNode(finishReason(reply)) : JSON.nullNode());
    return chunk;
  }

  static List<StreamEvent> stream(ModelReply reply) {
    List<StreamEvent> events = new ArrayList<>();
    events.add(new StreamEvent(StreamEvent.data(chunk(reply, opening(reply), false)), 0));
    for (ModelAnswer.Piece piece : reply.answer().pieces()) {
      ObjectNode delta = delta(reply, piece.text());
      events.add(new StreamEvent(StreamEvent.data(chunk(reply, delta, false)), piece.tokens()));
    }
    events.add(new StreamEvent(StreamEvent.data(chunk(reply, JSON.objectNode(), true)), 0));
    if (reply.prompt().usage()) {
      ObjectNode usage = chat(reply, "chat.completion.chunk");
      usage.putArray("choices");
      usage.set("usage", usage(reply));
      events.add(new StreamEvent(StreamEvent.data(usage), 0));
    }
    events.add(new StreamEvent("data: [DONE]\n\n", 0));
    return events;
  }
}
