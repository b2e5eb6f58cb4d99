package dev.flyball.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.token.PromptSize;
import dev.flyball.run.BadInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One line of the input, understood.
 *
 * @param path where its request goes, such as {@code /v1/messages}
 * @param body what is sent, byte for byte as it stands in the line where the format has a body
 */
// Nobody compares lines.
@SuppressWarnings("ArrayRecordComponent")
record InputLine(
    LineFormat format, String id, Dialect dialect, String path, byte[] body, PromptSize prompt) {

  /**
   * What lines leave open that have only a prompt.
   *
   * @param asIf the model that every line is taken to ask, whatever it says; never sent
   */
  record Plain(
      Optional<String> model,
      OptionalLong maxTokens,
      Optional<Dialect> dialect,
      Optional<String> asIf) {}

  private static final JsonFactory JSON =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  private static final ObjectMapper TREES = new ObjectMapper();
  private static final long SHORT_ANSWER = 1_024;

  /** Reads a line; a missing id becomes {@code line-N}. */
  static InputLine read(byte[] bytes, int length, long number, Plain plain) throws BadInput {
    try {
      var line = new Reading(bytes, length).line(number, plain);
      return plain.asIf().isPresent() ? line.asIf(plain.asIf().get(), plain.dialect()) : line;
    } catch (JsonProcessingException garbled) {
      var at = garbled.getLocation();
      throw new BadInput(
          "not valid JSON" + (at == null ? "" : " (at column " + at.getColumnNr() + ")"));
    } catch (IOException wrong) {
      throw new BadInput(String.valueOf(wrong.getMessage()));
    }
  }

  /** Reads the line that an index knows. */
  static InputLine at(FileChannel file, LineIndex.Entry entry, Plain plain)
      throws IOException, BadInput {
    var bytes = ByteBuffer.allocate(entry.length());
    while (bytes.hasRemaining()) {
      if (file.read(bytes, entry.offset() + bytes.position()) < 0) {
        throw new EOFException("the input became shorter while it was read");
      }
    }
    return read(bytes.array(), entry.length(), entry.number(), plain);
  }

  private InputLine asIf(String model, Optional<Dialect> spoken) {
    var usual = model.startsWith("claude-") ? Dialect.ANTHROPIC : Dialect.OPENAI;
    return new InputLine(format, id, spoken.orElse(usual), path, body, prompt.asking(model));
  }

  /** The fields at the top of one line; bodies are skipped over and cut out by their places. */
  private static final class Reading {
    private final byte[] bytes;
    private final int length;
    private String id = "";
    private String method = "POST";
    private String url = "";
    private int bodyAt = -1;
    private int bodyEnd = -1;
    private boolean params;
    private @Nullable String prompt;
    private @Nullable String system;
    private @Nullable String model;
    private OptionalLong maxTokens = OptionalLong.empty();

    Reading(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }

    InputLine line(long number, Plain plain) throws IOException, BadInput {
      try (var parser = JSON.createParser(bytes, 0, length)) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
          throw new BadInput("expected a JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          var name = parser.currentName();
          parser.nextToken();
          field(parser, name);
        }
        if (parser.nextToken() != null) {
          throw new BadInput("expected one JSON object per line, but there is more");
        }
      }
      if (id.isEmpty()) {
        id = "line-" + number;
      }
      if (bodyAt >= 0) {
        return params ? whole(LineFormat.ANTHROPIC, Dialect.ANTHROPIC, "/v1/messages") : openAi();
      }
      if (prompt != null) {
        return plain(prompt, plain);
      }
      throw new BadInput(
          "expected custom_id and body (OpenAI), custom_id and params (Anthropic), or prompt");
    }

    private void field(JsonParser parser, String name) throws IOException, BadInput {
      switch (name) {
        case "custom_id", "id" -> id = parser.getValueAsString("");
        case "method" -> method = parser.getValueAsString("");
        case "url" -> url = parser.getValueAsString("");
        case "prompt" -> prompt = parser.getValueAsString();
        case "system" -> system = parser.getValueAsString();
        case "model" -> model = parser.getValueAsString();
        case "max_tokens" -> maxTokens = OptionalLong.of(parser.getValueAsLong());
        case "body", "params" -> {
          if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new BadInput(name + " must be an object");
          }
          params = name.equals("params");
          bodyAt = (int) parser.currentTokenLocation().getByteOffset();
          parser.skipChildren();
          bodyEnd = (int) parser.currentLocation().getByteOffset();
        }
        default -> parser.skipChildren();
      }
    }

    private InputLine openAi() throws IOException, BadInput {
      if (!method.equals("POST")) {
        throw new BadInput("method must be POST, not " + method);
      }
      if (!url.startsWith("/")) {
        throw new BadInput("url must be a path such as /v1/chat/completions, not '" + url + "'");
      }
      var dialect = url.endsWith("/messages") ? Dialect.ANTHROPIC : Dialect.OPENAI;
      return whole(LineFormat.OPENAI, dialect, url);
    }

    private InputLine whole(LineFormat format, Dialect dialect, String path)
        throws IOException, BadInput {
      var body = java.util.Arrays.copyOfRange(bytes, bodyAt, bodyEnd);
      return checked(
          new InputLine(format, id, dialect, path, body, PromptSize.read(body, 0, body.length)));
    }

    private InputLine plain(String text, Plain plain) throws IOException, BadInput {
      var named = model != null ? model : plain.model().or(plain::asIf).orElse("");
      var dialect =
          plain.dialect().orElse(named.startsWith("claude-") ? Dialect.ANTHROPIC : Dialect.OPENAI);
      var body = TREES.createObjectNode().put("model", named);
      var most = maxTokens.isPresent() ? maxTokens : plain.maxTokens();
      if (dialect == Dialect.ANTHROPIC) {
        body.put("max_tokens", most.orElse(SHORT_ANSWER));
        if (system != null) {
          body.put("system", system);
        }
      } else {
        most.ifPresent(tokens -> body.put("max_completion_tokens", tokens));
      }
      var messages = body.putArray("messages");
      if (dialect == Dialect.OPENAI && system != null) {
        messages.addObject().put("role", "system").put("content", system);
      }
      messages.addObject().put("role", "user").put("content", text);
      var path = dialect == Dialect.ANTHROPIC ? "/v1/messages" : "/v1/chat/completions";
      var sent = TREES.writeValueAsBytes(body);
      return checked(
          new InputLine(
              LineFormat.PLAIN, id, dialect, path, sent, PromptSize.read(sent, 0, sent.length)));
    }

    private static InputLine checked(InputLine line) throws BadInput {
      if (line.prompt().model().isEmpty()) {
        throw new BadInput(
            line.format() == LineFormat.PLAIN ? "no model; add --model NAME" : "no model");
      }
      if (line.prompt().stream()) {
        throw new BadInput("\"stream\": true is not for a file of answers: leave it out");
      }
      return line;
    }
  }
}
