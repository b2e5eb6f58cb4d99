package dev.flyball.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Answers as they go over the wire, whole or as events of a stream. */
final class Wire {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WIDTH = 256;

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
   */
  record Reply(
      Api api,
      Reading.Prompt prompt,
      Answer answer,
      PromptCache.Split split,
      String id,
      long created,
      boolean usage) {
    long input() {
      return usage ? split.fresh() + split.read() + split.written() : 0;
    }

    long output() {
      return usage ? answer.tokens() : 0;
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

  static JsonNode whole(Reply reply, JsonNode body) {
    return switch (reply.api()) {
      case MESSAGES -> message(reply, true);
      case COUNT_TOKENS -> JSON.objectNode().put("input_tokens", reply.prompt().input());
      case CHAT -> completion(reply);
      case RESPONSES -> response(reply, "completed", true);
      case EMBEDDINGS -> embeddings(reply, body);
      case MODELS, NONE ->
          throw new IllegalStateException("no answer is written to " + reply.api());
    };
  }

  static List<Event> stream(Reply reply) {
    return switch (reply.api()) {
      case MESSAGES -> messageEvents(reply);
      case CHAT -> chunks(reply);
      case RESPONSES -> responseEvents(reply);
      case COUNT_TOKENS, EMBEDDINGS, MODELS, NONE ->
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

  private static String named(ObjectNode event) {
    return "event: " + event.get("type").textValue() + "\n" + data(event);
  }

  private static String data(ObjectNode event) {
    return "data: " + text(event) + "\n\n";
  }

  private static ObjectNode message(Reply reply, boolean ended) {
    ObjectNode message =
        JSON.objectNode()
            .put("id", "msg_" + reply.id())
            .put("type", "message")
            .put("role", "assistant")
            .put("model", reply.prompt().model());
    ArrayNode content = message.putArray("content");
    if (ended) {
      content.addObject().put("type", "text").put("text", reply.answer().text());
      message.put("stop_reason", stopReason(reply));
    } else {
      message.putNull("stop_reason");
    }
    message.putNull("stop_sequence");
    PromptCache.Split split = reply.split();
    boolean said = reply.usage();
    ObjectNode usage =
        message
            .putObject("usage")
            .put("input_tokens", said ? split.fresh() : 0)
            .put("cache_creation_input_tokens", said ? split.written() : 0)
            .put("cache_read_input_tokens", said ? split.read() : 0);
    usage
        .putObject("cache_creation")
        .put("ephemeral_5m_input_tokens", said ? split.writtenShort() : 0)
        .put("ephemeral_1h_input_tokens", said ? split.writtenLong() : 0);
    usage.put("output_tokens", ended ? reply.output() : Math.min(1, reply.output()));
    usage.put("service_tier", "standard");
    return message;
  }

  private static String stopReason(Reply reply) {
    return reply.answer().stopped() ? "max_tokens" : "end_turn";
  }

  private static List<Event> messageEvents(Reply reply) {
    List<Event> events = new ArrayList<>();
    ObjectNode start = JSON.objectNode().put("type", "message_start");
    start.set("message", message(reply, false));
    events.add(new Event(named(start), 0));
    ObjectNode block = JSON.objectNode().put("type", "content_block_start").put("index", 0);
    block.putObject("content_block").put("type", "text").put("text", "");
    events.add(new Event(named(block), 0));
    events.add(new Event(named(JSON.objectNode().put("type", "ping")), 0));
    for (Answer.Piece piece : reply.answer().pieces()) {
      ObjectNode delta = JSON.objectNode().put("type", "content_block_delta").put("index", 0);
      delta.putObject("delta").put("type", "text_delta").put("text", piece.text());
      events.add(new Event(named(delta), piece.tokens()));
    }
    events.add(
        new Event(named(JSON.objectNode().put("type", "content_block_stop").put("index", 0)), 0));
    ObjectNode end = JSON.objectNode().put("type", "message_delta");
    end.putObject("delta").put("stop_reason", stopReason(reply)).putNull("stop_sequence");
    end.putObject("usage").put("output_tokens", reply.output());
    events.add(new Event(named(end), 0));
    events.add(new Event(named(JSON.objectNode().put("type", "message_stop")), 0));
    return events;
  }

  private static ObjectNode chatUsage(Reply reply) {
    ObjectNode usage =
        JSON.objectNode()
            .put("prompt_tokens", reply.input())
            .put("completion_tokens", reply.output())
            .put("total_tokens", reply.input() + reply.output());
    usage.putObject("prompt_tokens_details").put("cached_tokens", reply.split().read());
    usage.putObject("completion_tokens_details").put("reasoning_tokens", 0);
    return usage;
  }

  private static ObjectNode completion(Reply reply) {
    ObjectNode completion = chat(reply, "chat.completion");
    ObjectNode choice = completion.putArray("choices").addObject().put("index", 0);
    ObjectNode message = choice.putObject("message").put("role", "assistant");
    message.put("content", reply.answer().text()).putNull("refusal");
    choice.putNull("logprobs").put("finish_reason", finishReason(reply));
    completion.set("usage", chatUsage(reply));
    return completion;
  }

  private static String finishReason(Reply reply) {
    return reply.answer().stopped() ? "length" : "stop";
  }

  private static ObjectNode chat(Reply reply, String kind) {
    return JSON.objectNode()
        .put("id", "chatcmpl-" + reply.id())
        .put("object", kind)
        .put("created", reply.created())
        .put("model", reply.prompt().model());
  }

  private static ObjectNode chunk(Reply reply, ObjectNode delta, boolean last) {
    ObjectNode chunk = chat(reply, "chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("logprobs");
    choice.set("finish_reason", last ? JSON.textNode(finishReason(reply)) : JSON.nullNode());
    return chunk;
  }

  private static List<Event> chunks(Reply reply) {
    List<Event> events = new ArrayList<>();
    ObjectNode role = JSON.objectNode().put("role", "assistant").put("content", "");
    events.add(new Event(data(chunk(reply, role, false)), 0));
    for (Answer.Piece piece : reply.answer().pieces()) {
      ObjectNode delta = JSON.objectNode().put("content", piece.text());
      events.add(new Event(data(chunk(reply, delta, false)), piece.tokens()));
    }
    events.add(new Event(data(chunk(reply, JSON.objectNode(), true)), 0));
    if (reply.prompt().usage()) {
      ObjectNode usage = chat(reply, "chat.completion.chunk");
      usage.putArray("choices");
      usage.set("usage", chatUsage(reply));
      events.add(new Event(data(usage), 0));
    }
    events.add(new Event("data: [DONE]\n\n", 0));
    return events;
  }

  private static ObjectNode part(String text) {
    ObjectNode part = JSON.objectNode().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    return part;
  }

  private static ObjectNode item(Reply reply, boolean ended) {
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

  private static ObjectNode response(Reply reply, String status, boolean ended) {
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
      details.put("cached_tokens", reply.split().read()).put("cache_write_tokens", 0);
      usage.put("output_tokens", reply.output());
      usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
      usage.put("total_tokens", reply.input() + reply.output());
    } else {
      response.putNull("usage");
    }
    return response;
  }

  private static List<Event> responseEvents(Reply reply) {
    List<ObjectNode> nodes = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    nodes.add(of("response.created", "response", response(reply, "in_progress", false)));
    nodes.add(of("response.in_progress", "response", response(reply, "in_progress", false)));
    nodes.add(of("response.output_item.added", "item", item(reply, false)).put("output_index", 0));
    nodes.add(placed(reply, of("response.content_part.added", "part", part(""))));
    nodes.forEach(node -> tokens.add(0L));
    for (Answer.Piece piece : reply.answer().pieces()) {
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
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      long needed = i < tokens.size() ? tokens.get(i) : 0;
      events.add(new Event(named(nodes.get(i).put("sequence_number", i)), needed));
    }
    return events;
  }

  private static ObjectNode of(String type, String name, ObjectNode value) {
    ObjectNode node = JSON.objectNode().put("type", type);
    node.set(name, value);
    return node;
  }

  private static ObjectNode placed(Reply reply, ObjectNode node) {
    node.put("item_id", "msg_" + reply.id());
    return node.put("output_index", 0).put("content_index", 0);
  }

  private static ObjectNode embeddings(Reply reply, JsonNode body) {
    ObjectNode list = JSON.objectNode().put("object", "list");
    list.put("model", reply.prompt().model());
    ArrayNode all = list.putArray("data");
    int width = Math.clamp(body.path("dimensions").asLong(WIDTH), 1, 4_096);
    boolean base64 = body.path("encoding_format").asText().equals("base64");
    List<String> texts = reply.prompt().texts();
    for (int i = 0; i < texts.size(); i++) {
      ObjectNode each = all.addObject().put("object", "embedding").put("index", i);
      float[] vector = vector(texts.get(i), width);
      if (base64) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        each.put("embedding", Base64.getEncoder().encodeToString(bytes.array()));
      } else {
        ArrayNode numbers = each.putArray("embedding");
        for (float number : vector) {
          numbers.add(number);
        }
      }
    }
    list.putObject("usage").put("prompt_tokens", reply.input()).put("total_tokens", reply.input());
    return list;
  }

  /** A direction that depends on the text alone, of length one. */
  private static float[] vector(String text, int width) {
    Draw draw = Draw.of(0, "", "", Draw.hash(text), 0);
    float[] vector = new float[width];
    double square = 0;
    for (int i = 0; i < width; i++) {
      vector[i] = (float) draw.bell();
      square += vector[i] * vector[i];
    }
    for (int i = 0; i < width; i++) {
      vector[i] /= (float) Math.sqrt(square);
    }
    return vector;
  }

  static JsonNode models(Style style, List<String> names) {
    ObjectNode list = JSON.objectNode();
    ArrayNode all = list.putArray("data");
    for (String name : names) {
      ObjectNode model = all.addObject().put("id", name);
      if (style == Style.ANTHROPIC) {
        model.put("type", "model").put("display_name", name);
        model.put("created_at", "2026-01-01T00:00:00Z");
      } else {
        model.put("object", "model").put("created", 1_767_225_600).put("owned_by", "simulator");
      }
    }
    if (style == Style.ANTHROPIC) {
      list.put("has_more", false).put("first_id", names.getFirst());
      list.put("last_id", names.getLast());
    } else {
      list.put("object", "list");
    }
    return list;
  }
}
