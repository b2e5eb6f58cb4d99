package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.limit.PromptPrefix;
import dev.flyball.simulator.value.RandomDraw;
import dev.flyball.simulator.value.TokenCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A reader of the bodies of both dialects. */
public final class RequestReader {
  /** The longest answer of any model here. */
  static final long LONGEST = 128_000;

  /** The longest prompt. */
  static final long CONTEXT = 1_000_000;

  /** What OpenAI's models answer at most when nobody says. */
  private static final long USUAL = 4_096;

  private static final long UNSAID = -1;

  private static final long IMAGE = 1_000;

  private static final int MARKS = 4;

  private RequestReader() {}

  public static RequestBody read(Endpoint endpoint, JsonNode body, String deployment) {
    String model = body.path("model").asText(deployment);
    if (!body.isObject()) {
      return RequestBody.Invalid.because("", "The body is not a JSON object.");
    }
    if (model.isEmpty()) {
      return RequestBody.Invalid.because("model", "model: Field required");
    }
    return switch (endpoint) {
      case MESSAGES, COUNT_TOKENS -> messages(endpoint, body, model);
      case CHAT -> chat(body, model);
      case RESPONSES -> responses(body, model);
      case EMBEDDINGS -> embeddings(body, model);
      case MODELS, RATE_LIMITS, NONE ->
          throw new IllegalStateException("no body is read of " + endpoint);
    };
  }

  /** Tokens counted from the start of a prompt, with the places where a cache may keep it. */
  private static final class Tape {
    private final String model;
    private final List<PromptPrefix> breakpoints = new ArrayList<>();
    private long tokens = TokenCounter.FRAME;
    private long hash;

    Tape(String model) {
      this.model = model;
      this.hash = RandomDraw.hash(model);
    }

    /** A word that tells apart what would else look the same, such as a role. */
    void turn(String word) {
      hash = hash * 31 + RandomDraw.hash(word);
    }

    void add(JsonNode block) {
      String text = text(block);
      tokens += block.path("type").asText().equals("image") ? IMAGE : TokenCounter.of(text, model);
      hash = hash * 31 + RandomDraw.hash(text);
      JsonNode control = block.path("cache_control");
      if (control.isObject()) {
        boolean hour = control.path("ttl").asText().equals("1h");
        Duration kept = hour ? Duration.ofHours(1) : Duration.ofMinutes(5);
        breakpoints.add(new PromptPrefix(hash, tokens, kept));
      }
    }

    /** Without the mark, which is no part of what it marks. */
    private static String text(JsonNode block) {
      if (block.isTextual()) {
        return block.textValue();
      }
      if (block.path("text").isTextual()) {
        return block.path("text").textValue();
      }
      return block instanceof ObjectNode object && object.has("cache_control")
          ? object.deepCopy().without("cache_control").toString()
          : block.toString();
    }

    void addAll(JsonNode blocks) {
      if (blocks.isTextual()) {
        add(blocks);
      } else {
        blocks.forEach(this::add);
      }
    }
  }

  private static RequestBody messages(Endpoint endpoint, JsonNode body, String model) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      return RequestBody.Invalid.because("messages", "messages: at least one message is required");
    }
    JsonNode most = body.path("max_tokens");
    if (endpoint == Endpoint.MESSAGES && !most.isIntegralNumber()) {
      return RequestBody.Invalid.because("max_tokens", "max_tokens: Field required");
    }
    long longest = most.asLong();
    if (endpoint == Endpoint.MESSAGES && longest < 1) {
      return RequestBody.Invalid.because(
          "max_tokens", "max_tokens: Input should be greater than or equal to 1");
    }
    if (longest > LONGEST) {
      return RequestBody.Invalid.because(
          "max_tokens",
          "max_tokens: %d > %d, which is the maximum allowed number of output tokens for %s"
              .formatted(longest, LONGEST, model));
    }
    Tape tape = new Tape(model);
    tape.addAll(body.path("tools"));
    tape.addAll(body.path("system"));
    messages.forEach(
        message -> {
          tape.turn(message.path("role").asText());
          tape.addAll(message.path("content"));
        });
    if (tape.breakpoints.size() > MARKS) {
      return RequestBody.Invalid.because(
          "cache_control",
          "A maximum of %d blocks with cache_control may be provided. Found %d."
              .formatted(MARKS, tape.breakpoints.size()));
    }
    if (tape.tokens > CONTEXT) {
      return RequestBody.Invalid.because(
          "messages", "prompt is too long: %d tokens > %d maximum".formatted(tape.tokens, CONTEXT));
    }
    return new RequestBody.Prompt(
        model,
        said(messages),
        tape.tokens,
        List.copyOf(tape.breakpoints),
        longest,
        longest,
        endpoint.streams() && body.path("stream").asBoolean(),
        true,
        "",
        tool(body, "/tool_choice/name", "any", "/tools/0/name"),
        List.of());
  }

  /** The tool that the answer must use: the one that is named, or the first if any will do. */
  private static String tool(JsonNode body, String named, String any, String first) {
    JsonNode choice = body.path("tool_choice");
    String name = body.at(named).asText();
    boolean must = choice.asText().equals(any) || choice.path("type").asText().equals(any);
    return must ? body.at(first).asText() : name;
  }

  private static RequestBody chat(JsonNode body, String model) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      return RequestBody.Invalid.because("messages", "Missing required parameter: 'messages'.");
    }
    Tape tape = new Tape(model);
    tape.addAll(body.path("tools"));
    messages.forEach(message -> tape.addAll(message.path("content")));
    return open(
        body,
        model,
        said(messages),
        tape.tokens,
        body.path("max_completion_tokens").asLong(body.path("max_tokens").asLong(UNSAID)),
        body.path("stream_options").path("include_usage").asBoolean(),
        tool(body, "/tool_choice/function/name", "required", "/tools/0/function/name"));
  }

  private static RequestBody responses(JsonNode body, String model) {
    JsonNode input = body.path("input");
    if (input.isMissingNode() || (input.isEmpty() && !input.isTextual())) {
      return RequestBody.Invalid.because("input", "Missing required parameter: 'input'.");
    }
    Tape tape = new Tape(model);
    tape.addAll(body.path("tools"));
    tape.addAll(body.path("instructions"));
    if (input.isTextual()) {
      tape.add(input);
    } else {
      input.forEach(item -> tape.addAll(item.path("content")));
    }
    String said = input.isTextual() ? input.textValue() : said(input);
    long asked = body.path("max_output_tokens").asLong(UNSAID);
    return open(body, model, said, tape.tokens, asked, true, "");
  }

  private static RequestBody open(
      JsonNode body,
      String model,
      String said,
      long input,
      long asked,
      boolean usage,
      String tool) {
    if (asked != UNSAID && (asked < 1 || asked > LONGEST)) {
      return RequestBody.Invalid.because(
          "max_tokens", "max_tokens is from 1 to " + LONGEST + ", not " + asked + ".");
    }
    if (input > CONTEXT) {
      return new RequestBody.Invalid(
          400,
          "invalid_request_error",
          "context_length_exceeded",
          "messages",
          "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens."
              .formatted(CONTEXT, input));
    }
    return new RequestBody.Prompt(
        model,
        said,
        input,
        List.of(),
        Math.max(0, asked),
        asked == UNSAID ? USUAL : asked,
        body.path("stream").asBoolean(),
        usage,
        body.path("metadata").path("custom_id").asText(),
        tool,
        List.of());
  }

  private static RequestBody embeddings(JsonNode body, String model) {
    JsonNode input = body.path("input");
    List<String> texts = new ArrayList<>();
    if (input.isTextual()) {
      texts.add(input.textValue());
    } else if (input.isArray() && !input.isEmpty() && input.get(0).isNumber()) {
      texts.add(input.toString());
    } else {
      input.forEach(each -> texts.add(each.isTextual() ? each.textValue() : each.toString()));
    }
    if (texts.isEmpty()) {
      return RequestBody.Invalid.because("input", "Missing required parameter: 'input'.");
    }
    long tokens = texts.stream().mapToLong(text -> Math.max(1, TokenCounter.of(text, model))).sum();
    return new RequestBody.Prompt(
        model, texts.getLast(), tokens, List.of(), 0, 0, false, true, "", "", List.copyOf(texts));
  }

  /** What was said before anything else, by whoever set the scene; empty if nobody did. */
  public static String system(JsonNode body) {
    StringBuilder text = new StringBuilder();
    words(body.path("system"), text);
    words(body.path("instructions"), text);
    for (JsonNode message : body.path("messages")) {
      String role = message.path("role").asText();
      if (role.equals("system") || role.equals("developer")) {
        words(message.path("content"), text);
      }
    }
    return text.toString();
  }

  private static void words(JsonNode content, StringBuilder text) {
    if (content.isTextual()) {
      text.append(content.textValue());
    } else {
      content.forEach(block -> text.append(block.path("text").asText()));
    }
  }

  /** The text of the last message that has any, which is the user's. */
  private static String said(JsonNode messages) {
    String said = "";
    for (JsonNode message : messages) {
      JsonNode content = message.path("content");
      if (!message.path("role").asText("user").equals("user")) {
        continue;
      }
      if (content.isTextual()) {
        said = content.textValue();
        continue;
      }
      StringBuilder text = new StringBuilder();
      content.forEach(block -> text.append(block.path("text").asText()));
      said = text.isEmpty() ? said : text.toString();
    }
    return said;
  }
}
