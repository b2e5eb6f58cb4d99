package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** OpenAI's Responses, whole and as the events of a stream. */
final class Responses {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Responses() {}

  private static ObjectNode part(String text) {
    ObjectNode part = JSON.objectNode().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    return part;
  }

  private static ObjectNode item(ModelReply reply, boolean ended) {
    ObjectNode item =
        JSON.objectNode()
            .put("id", "msg_" + reply.id())
            .put("type", "message")
            .put("role", "assistant")
            .put("status", ended ? "completed" : "in_progress");
    ArrayNode content = item.putArray("content");
    if (ended) {
      content.add(part(reply.answer().text()));
    }
    return item;
  }

  static ObjectNode whole(ModelReply reply) {
    return response(reply, "completed", true);
  }

  private static ObjectNode response(ModelReply reply, String status, boolean ended) {
    ObjectNode response =
        JSON.objectNode()
            .put("id", "resp_" + reply.id())
            .put("object", "response")
            .put("created_at", reply.created())
            .put("model", reply.prompt().model());
    boolean cut = ended && reply.answer().stopped();
    response.put("status", cut ? "incomplete" : status).putNull("error");
    if (cut) {
      response.putObject("incomplete_details").put("reason", "max_output_tokens");
    } else {
      response.putNull("incomplete_details");
    }
    response.putNull("instructions").putObject("metadata");
    response.put("parallel_tool_calls", true).put("temperature", 1.0).put("top_p", 1.0);
    response.put("tool_choice", "auto").putArray("tools");
    ArrayNode output = response.putArray("output");
    if (ended) {
      output.add(item(reply, true));
      ObjectNode usage = response.putObject("usage").put("input_tokens", reply.input());
      ObjectNode details = usage.putObject("input_tokens_details");
      details
          .put("cached_tokens", reply.split().read() * reply.counted())
          .put("cache_write_tokens", 0);
      usage.put("output_tokens", reply.output());
      usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
      usage.put("total_tokens", reply.input() + reply.output());
    } else {
      response.putNull("usage");
    }
    return response;
  }

  static List<StreamEvent> stream(ModelReply reply) {
    List<ObjectNode> nodes = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    nodes.add(of("response.created", "response", response(reply, "in_progress", false)));
    nodes.add(of("response.in_progress", "response", response(reply, "in_progress", false)));
    nodes.add(of("response.output_item.added", "item", item(reply, false)).put("output_index", 0));
    nodes.add(placed(reply, of("response.content_part.added", "part", part(""))));
    nodes.forEach(node -> tokens.add(0L));
    for (ModelAnswer.Piece piece : reply.answer().pieces()) {
      ObjectNode delta = JSON.objectNode().put("type", "response.output_text.delta");
      delta.put("delta", piece.text()).putArray("logprobs");
      nodes.add(placed(reply, delta));
      tokens.add(piece.tokens());
    }
    ObjectNode done = JSON.objectNode().put("type", "response.output_text.done");
    done.put("text", reply.answer().text()).putArray("logprobs");
    nodes.add(placed(reply, done));
    String text = reply.answer().text();
    nodes.add(placed(reply, of("response.content_part.done", "part", part(text))));
    nodes.add(of("response.output_item.done", "item", item(reply, true)).put("output_index", 0));
    String last = reply.answer().stopped() ? "response.incomplete" : "response.completed";
    nodes.add(of(last, "response", response(reply, "completed", true)));
    List<StreamEvent> events = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      long needed = i < tokens.size() ? tokens.get(i) : 0;
      events.add(
          new StreamEvent(StreamEvent.named(nodes.get(i).put("sequence_number", i)), needed));
    }
    return events;
  }

  private static ObjectNode of(String type, String name, ObjectNode value) {
    ObjectNode node = JSON.objectNode().put("type", type);
    node.set(name, value);
    return node;
  }

  private static ObjectNode placed(ModelReply reply, ObjectNode node) {
    node.put("item_id", "msg_" + reply.id());
    return node.put("output_index", 0).put("content_index", 0);
  }
}
