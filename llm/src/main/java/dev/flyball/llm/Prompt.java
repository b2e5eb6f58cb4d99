package dev.flyball.llm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A request's body as far as its size matters: read once, without building a tree.
 *
 * @param maxOutput what it allows for an answer, where it says so
 * @param text everything that becomes input tokens, one piece a line
 * @param images pictures and files, which are tokens but not text
 * @param prefix names what it shares with others up to its last {@code cache_control}
 */
public record Prompt(
    String model,
    OptionalLong maxOutput,
    boolean stream,
    String text,
    int images,
    Optional<String> prefix) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String EMBEDDED = "data:";

  /**
   * Reads a body.
   *
   * @throws IOException if it is not one whole JSON object; the message says where
   */
  public static Prompt read(byte[] bytes, int offset, int length) throws IOException {
    try (var parser = JSON.createParser(bytes, offset, length)) {
      var reading = new Reading(parser, bytes);
      reading.top();
      return new Prompt(
          reading.model,
          reading.maxOutput,
          reading.stream,
          reading.text.toString(),
          reading.images,
          reading.prefix(offset));
    }
  }

  /** One pass over one body. */
  private static final class Reading {
    private final JsonParser parser;
    private final byte[] bytes;
    private final StringBuilder text = new StringBuilder();
    private String model = "";
    private OptionalLong maxOutput = OptionalLong.empty();
    private boolean stream;
    private int images;
    private long cachedUntil = -1;

    Reading(JsonParser parser, byte[] bytes) {
      this.parser = parser;
      this.bytes = bytes;
    }

    void top() throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the body is not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var name = parser.currentName();
        var value = parser.nextToken();
        switch (name) {
          case "model" -> model = value == JsonToken.VALUE_STRING ? parser.getText() : "";
          case "stream" -> stream = value == JsonToken.VALUE_TRUE;
          case "max_tokens", "max_completion_tokens", "max_output_tokens" -> {
            if (value == JsonToken.VALUE_NUMBER_INT) {
              maxOutput = OptionalLong.of(Math.clamp(parser.getValueAsLong(), 0, 1L << 40));
            }
          }
          case "system",
              "messages",
              "input",
              "instructions",
              "prompt",
              "tools",
              "response_format" ->
              value(name);
          default -> parser.skipChildren();
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT) {
        throw new IOException("the body is not a whole JSON object");
      }
    }

    private void value(String name) throws IOException {
      switch (parser.currentToken()) {
        case VALUE_STRING -> text(name);
        case START_OBJECT -> {
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var inner = parser.currentName();
            parser.nextToken();
            if (inner.equals("cache_control") && parser.currentToken() == JsonToken.START_OBJECT) {
              parser.skipChildren();
              cachedUntil = parser.currentTokenLocation().getByteOffset();
            } else {
              value(inner);
            }
          }
        }
        case START_ARRAY -> {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(name);
          }
        }
        default -> parser.skipChildren();
      }
    }

    private void text(String name) throws IOException {
      boolean embedded = name.equals("data") || name.equals("file_data");
      if (embedded || (name.equals("url") && parser.getText().startsWith(EMBEDDED))) {
        images++;
      } else if (!name.equals("type") && !name.equals("role")) {
        text.append(parser.getText()).append('\n');
      }
    }

    private Optional<String> prefix(int offset) {
      if (cachedUntil < 0) {
        return Optional.empty();
      }
      var sum = new CRC32C();
      sum.update(bytes, offset, (int) cachedUntil);
      return Optional.of(model + ":" + cachedUntil + ":" + Long.toHexString(sum.getValue()));
    }
  }
}
