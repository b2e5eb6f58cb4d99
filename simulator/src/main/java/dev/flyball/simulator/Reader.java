package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Understands the bodies of both dialects. */
final class Reader {
  /** The longest answer of any model here. */
  static final long LONGEST = 128_000;

  /** The longest prompt. */
  static final long CONTEXT = 1_000_000;

  /** What OpenAI's models answer at most when nobody says. */
  private static final long USUAL = 4_096;

  private static final long IMAGE = 1_000;

  private Reader() {}

  static Reading read(Api api, JsonNode body, String deployment) {
    String model = body.path("model").asText(deployment);
    if (!body.isObject()) {
      return Reading.Invalid.because("", "The body is not a JSON object.");
    }
    if (model.isEmpty()) {
      return Reading.Invalid.because("model", "model: Field required");
    }
    return switch (api) {
      case MESSAGES, COUNT_TOKENS -> messages(api, body, model);
      case CHAT -> chat(body, model);
      case RESPONSES -> responses(body, model);
      case EMBEDDINGS -> embeddings(body, model);
      case MODELS, NONE -> throw new IllegalStateException("no body is read of " + api);
    };
  }

  /** Tokens counted from the start of a prompt, with the places where a cache may keep it. */
  private static final class Tape {
    private final String model;
    private final List<PromptCache.Prefix> breakpoints = new ArrayList<>();
    private long tokens = Tokens.FRAME;
    private long hash;

    Tape(String model) {
      this.model = model;
      this.hash = Draw.hash(model);
    }

    void add(JsonNode block) {
      String text =
          block.isTextual() ? block.textValue() : block.path("text").asText(block.toString());
      tokens += block.path("type").asText().equals("image") ? IMAGE : Tokens.of(text, model);
      hash = hash * 31 + Draw.hash(text);
      JsonNode control = block.path("cache_control");
      if (control.isObject()) {
        boolean hour = control.path("ttl").asText().equals("1h");
        Duration kept = hour ? Duration.ofHours(1) : Duration.ofMinutes(5);
        breakpoints.add(new PromptCache.Prefix(hash, tokens, kept));
      }
    }

    void addAll(JsonNode blocks) {
      if (blocks.isTextual()) {
        add(blocks);
      } else {
        blocks.forEach(this::add);
      }
    }
  }

  private static Reading messages(Api api, JsonNode body, String model) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      return Reading.Invalid.because("messages", "messages: at least one message is required");
    }
    JsonNode most = body.path("max_tokens");
    if (api == Api.MESSAGES && !most.isIntegralNumber()) {
      return Reading.Invalid.because("max_tokens", "max_tokens: Field required");
    }
    long longest = most.asLong();
    if (api == Api.MESSAGES && longest < 1) {
      return Reading.Invalid.because(
          "max_tokens", "max_tokens: Input should be greater than or equal to 1");
    }
    if (longest > LONGEST) {
      return Reading.Invalid.because(
          "max_tokens",
          "max_tokens: %d > %d, which is the maximum allowed number of output tokens for %s"
              .formatted(longest, LONGEST, model));
    }
    Tape tape = new Tape(model);
    tape.addAll(body.path("tools"));
    tape.addAll(body.path("system"));
    messages.forEach(message -> tape.addAll(message.path("content")));
    if (tape.tokens > CONTEXT) {
      return Reading.Invalid.because(
          "messages", "prompt is too long: %d tokens > %d maximum".formatted(tape.tokens, CONTEXT));
    }
    return new Reading.Prompt(
        model,
        said(messages),
        tape.tokens,
        List.copyOf(tape.breakpoints),
        longest,
        body.path("stream").asBoolean(),
        true,
        body.path("metadata").path("user_id").asText(),
        List.of());
  }

  private static Reading chat(JsonNode body, String model) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      return Reading.Invalid.because("messages", "Missing required parameter: 'messages'.");
    }
    Tape tape = new Tape(model);
    tape.addAll(body.path("tools"));
    messages.forEach(message -> tape.addAll(message.path("content")));
    return open(
        body,
        model,
        said(messages),
        tape.tokens,
        body.path("max_completion_tokens").asLong(body.path("max_tokens").asLong(USUAL)),
        body.path("stream_options").path("include_usage").asBoolean());
  }

  private static Reading responses(JsonNode body, String model) {
    JsonNode input = body.path("input");
    if (input.isMissingNode() || (input.isEmpty() && !input.isTextual())) {
      return Reading.Invalid.because("input", "Missing required parameter: 'input'.");
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
    long longest = body.path("max_output_tokens").asLong(USUAL);
    return open(body, model, said, tape.tokens, longest, true);
  }

  private static Reading open(
      JsonNode body, String model, String said, long input, long longest, boolean usage) {
    if (longest < 1 || longest > LONGEST) {
      return Reading.Invalid.because(
          "max_tokens", "max_tokens is from 1 to " + LONGEST + ", not " + longest + ".");
    }
    if (input > CONTEXT) {
      return new Reading.Invalid(
          400,
          "invalid_request_error",
          "context_length_exceeded",
          "messages",
          "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens."
              .formatted(CONTEXT, input));
    }
    return new Reading.Prompt(
        model,
        said,
        input,
        List.of(),
        longest,
        body.path("stream").asBoolean(),
        usage,
        body.path("metadata").path("custom_id").asText(),
        List.of());
  }

  private static Reading embeddings(JsonNode body, String model) {
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
      return Reading.Invalid.because("input", "Missing required parameter: 'input'.");
    }
    long tokens = texts.stream().mapToLong(text -> Math.max(1, Tokens.of(text, model))).sum();
    return new Reading.Prompt(
        model, texts.getLast(), tokens, List.of(), 0, false, true, "", List.copyOf(texts));
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
