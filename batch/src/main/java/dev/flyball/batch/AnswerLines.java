package dev.flyball.batch;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.llm.ProviderAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The lines that answers and errors are written as: one each, in the format that matches the
 * question.
 */
final class AnswerLines {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] SIMULATED = ",\"simulated\":true".getBytes(StandardCharsets.UTF_8);

  private final boolean simulated;

  AnswerLines(boolean simulated) {
    this.simulated = simulated;
  }

  byte[] line(LineFormat format, String custom, ProviderAnswer answer) {
    var out = new ByteArrayOutputStream(answer.body().length + 256);
    var id = quoted(custom);
    var request =
        answer.head().first("request-id").or(() -> answer.head().first("x-request-id")).orElse("");
    switch (format) {
      case ANTHROPIC -> {
        text(out, "{\"custom_id\":" + id + ",\"result\":{\"type\":\"succeeded\",\"message\":");
        body(out, answer.body());
        text(out, "}");
      }
      case OPENAI, PLAIN -> {
        text(out, "{\"id\":" + quoted("batch_req_" + request) + ",\"custom_id\":" + id);
        if (format == LineFormat.PLAIN) {
          text(out, ",\"answer\":" + quoted(said(answer.body())));
        }
        text(out, ",\"response\":{\"status_code\":" + answer.head().status());
        text(out, ",\"request_id\":" + quoted(request) + ",\"body\":");
        body(out, answer.body());
        text(out, "},\"error\":null");
      }
    }
    if (simulated) {
      out.writeBytes(SIMULATED);
    }
    text(out, "}\n");
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }

  /** As it came. In JSON a line break stands only between things, so a space says the same. */
  private static void body(ByteArrayOutputStream out, byte[] body) {
    int end = body.length;
    while (end > 0 && body[end - 1] <= ' ' && body[end - 1] >= 0) {
      end--;
    }
    for (int i = 0; i < end; i++) {
      out.write(body[i] == '\n' || body[i] == '\r' ? ' ' : body[i]);
    }
  }

  /** The text of an answer, wherever its dialect has it. */
  private static String said(byte[] body) {
    try {
      var tree = JSON.readTree(body);
      var text = new StringBuilder();
      for (JsonNode block : tree.path("content")) {
        text.append(block.path("text").asText(""));
      }
      for (JsonNode choice : tree.path("choices")) {
        text.append(choice.path("message").path("content").asText(""));
      }
      return text.toString();
    } catch (IOException unusual) {
      // A number or a text of many millions of letters: it is in the body, which stands beside.
      return "";
    }
  }
}
