package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.llm.Dialect;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.plan.UnitMaterial;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The request body for a unit. What other units begin with too stands first and is marked for the
 * provider's cache, the question last; the answer is asked for as a tool's input of Anthropic's
 * models, by a schema of OpenAI's, and in words of others.
 */
final class ReviewRequest {
  /** The tool that an answer is handed to. */
  static final String TOOL = "report";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double SECOND_TEMPERATURE = 0.3;

  /** Models that think before they answer take no temperature. */
  private static final Pattern THINKING =
      Pattern.compile("(.*/)?(o[1-9](-|$)|gpt-[56]|claude-(opus|sonnet|haiku|fable)-[5-9]).*");

  /** Models of Anthropic's that decide themselves how much they think. */
  private static final Pattern ADAPTIVE =
      Pattern.compile("(?:^|/)claude-(opus|sonnet|haiku|fable)-([5-9]|4-[6-9])");

  private static final long LEAST_THINKING = 1_024;

  private ReviewRequest() {}

  /** An answer that was of no use, and why. */
  record Earlier(String answer, String why) {}

  static String path(Dialect dialect) {
    return switch (dialect) {
      case ANTHROPIC -> "/v1/messages";
      case OPENAI -> "/v1/chat/completions";
    };
  }

  static byte[] of(
      Unit unit,
      AnswerSchema schema,
      UnitMaterial material,
      Reviewer to,
      Optional<Earlier> earlier) {
    var said =
        earlier
            .map(it -> new UnitMaterial(material.shared(), material.own() + again(it)))
            .orElse(material);
    var body =
        switch (to.dialect()) {
          case ANTHROPIC -> anthropic(unit, schema, said, to);
          case OPENAI -> openAi(unit, schema, said, to);
        };
    if (!THINKING.matcher(to.model()).matches() && !thinks(to)) {
      body.put("temperature", unit.sample() == 1 ? 0 : SECOND_TEMPERATURE);
    }
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private static boolean thinks(Reviewer to) {
    return to.dialect() == Dialect.ANTHROPIC && to.effort().isPresent();
  }

  private static ObjectNode anthropic(
      Unit unit, AnswerSchema schema, UnitMaterial said, Reviewer to) {
    var body = JSON.createObjectNode();
    body.put("model", to.model()).put("max_tokens", unit.mostOutput());
    body.put("system", unit.rules());
    var content = body.putArray("messages").addObject().put("role", "user").putArray("content");
    if (!said.shared().isEmpty()) {
      var shared = content.addObject().put("type", "text").put("text", said.shared());
      if (ModelClient.isCached(unit, to)) {
        shared.putObject("cache_control").put("type", "ephemeral");
      }
    }
    content.addObject().put("type", "text").put("text", said.own());
    var tool = body.putArray("tools").addObject();
    tool.put("name", TOOL).put("description", "Takes the whole review.");
    tool.set("input_schema", schema.schema());
    var choice = body.putObject("tool_choice");
    if (to.effort().isEmpty()) {
      choice.put("type", "tool").put("name", TOOL);
      return body;
    }
    // Who has to call a tool at once is not let think before.
    choice.put("type", "auto");
    if (ADAPTIVE.matcher(to.model()).find()) {
      body.putObject("thinking").put("type", "adaptive");
      body.putObject("output_config").put("effort", to.effort().get().toString());
    } else {
      long most =
          Math.max(LEAST_THINKING, Math.min(to.effort().get().most(), unit.mostOutput() / 2));
      body.putObject("thinking").put("type", "enabled").put("budget_tokens", most);
    }
    return body;
  }

  private static ObjectNode openAi(Unit unit, AnswerSchema schema, UnitMaterial said, Reviewer to) {
    var body = JSON.createObjectNode();
    body.put("model", to.model());
    body.put(to.forms() ? "max_completion_tokens" : "max_tokens", unit.mostOutput());
    to.effort()
        .filter(it -> ModelEffort.isThinking(to.model()))
        .ifPresent(it -> body.put("reasoning_effort", it.toString()));
    var messages = body.putArray("messages");
    messages.addObject().put("role", "system").put("content", unit.rules());
    messages.addObject().put("role", "user").put("content", said.text());
    if (to.forms()) {
      var format = body.putObject("response_format").put("type", "json_schema");
      var json = format.putObject("json_schema").put("name", TOOL).put("strict", true);
      json.set("schema", schema.schema());
    }
    return body;
  }

  /** One repair carries what was said before. */
  private static String again(Earlier earlier) {
    var answer = PromptText.content(earlier.answer());
    var mark = PromptText.mark(PromptText.print(answer), List.of(answer, earlier.why()));
    return """

    You have answered this before:
    %s answer
    %s
    %s end

    That could not be used: %s. Answer again, as one whole JSON object, for everything that is to be reviewed.
    """
        .formatted(mark, answer, mark, PromptText.line(earlier.why()));
  }
}
