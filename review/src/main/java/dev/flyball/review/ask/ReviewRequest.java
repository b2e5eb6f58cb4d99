package dev.flyball.review.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.llm.Dialect;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Unit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The request body for a unit. The question stands first and is marked for the provider's cache;
 * the answer is asked for as a tool's input of Anthropic's models, by a schema of OpenAI's, and in
 * words of others.
 */
final class ReviewRequest {
  /** The tool that an answer is handed to. */
  static final String TOOL = "report";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double SECOND_TEMPERATURE = 0.3;

  /** Models that think before they answer take no temperature. */
  private static final Pattern THINKING =
      Pattern.compile("(.*/)?(o[1-9](-|$)|gpt-[56]|claude-(opus|sonnet|haiku|fable)-[5-9]).*");

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
      Unit unit, AnswerSchema schema, String material, Reviewer to, Optional<Earlier> earlier) {
    var said = earlier.map(it -> material + again(it)).orElse(material);
    var body =
        switch (to.dialect()) {
          case ANTHROPIC -> anthropic(unit, schema, said, to);
          case OPENAI -> openAi(unit, schema, said, to);
        };
    if (!THINKING.matcher(to.model()).matches()) {
      body.put("temperature", unit.sample() == 1 ? 0 : SECOND_TEMPERATURE);
    }
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private static ObjectNode anthropic(Unit unit, AnswerSchema schema, String said, Reviewer to) {
    var body = JSON.createObjectNode();
    body.put("model", to.model()).put("max_tokens", unit.mostOutput());
    var question = body.putArray("system").addObject();
    question.put("type", "text").put("text", unit.question());
    question.putObject("cache_control").put("type", "ephemeral");
    body.putArray("messages").addObject().put("role", "user").put("content", said);
    var tool = body.putArray("tools").addObject();
    tool.put("name", TOOL).put("description", "Takes the whole review.");
    tool.set("input_schema", schema.schema());
    body.putObject("tool_choice").put("type", "tool").put("name", TOOL);
    return body;
  }

  private static ObjectNode openAi(Unit unit, AnswerSchema schema, String said, Reviewer to) {
    var body = JSON.createObjectNode();
    body.put("model", to.model());
    body.put(to.forms() ? "max_completion_tokens" : "max_tokens", unit.mostOutput());
    var messages = body.putArray("messages");
    messages.addObject().put("role", "system").put("content", unit.question());
    messages.addObject().put("role", "user").put("content", said);
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
