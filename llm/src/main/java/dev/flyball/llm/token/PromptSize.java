package dev.flyball.llm.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A request's body as far as its size matters: read once, without building a tree.
 *
 * @param maxOutput what it allows for an answer, or for as many as it asks for, where it says so
 * @param pieces everything that becomes input tokens, as the body has it in pieces
 * @param images pictures and files, which are tokens but not text
 * @param prefix names what it shares with others up to its last {@code cache_control}, in the order
 *     in which a cache sees it: tools, system, messages, wherever they are in the body
 * @param prefixLength how many characters of the text are in that prefix
 */
public record PromptSize(
    String model,
    OptionalLong maxOutput,
    boolean stream,
    List<String> pieces,
    int images,
    Optional<String> prefix,
    int prefixLength) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String EMBEDDED = "data:";

  public PromptSize {
    pieces = List.copyOf(pieces);
  }

  /** The same of another model. */
  public PromptSize asking(String other) {
    return new PromptSize(other, maxOutput, stream, pieces, images, prefix, prefixLength);
  }

  /** All its text, one piece a line. */
  public String text() {
    return pieces.isEmpty() ? "" : String.join("\n", pieces) + "\n";
  }

  /**
   * Reads a body.
   *
   * @throws IOException if it is not one whole JSON object; the message says where
   */
  public static PromptSize read(byte[] bytes, int offset, int length) throws IOException {
    try (var parser = JSON.createParser(bytes, offset, length)) {
      var reading = new Reading(parser, bytes, offset);
      reading.top();
      return new PromptSize(
          reading.model,
          reading.maxOutput(),
          reading.stream,
          reading.pieces,
          reading.images,
          reading.prefix(),
          reading.prefixLength());
    }
  }

  /** One pass over one body. */
  private static final class Reading {
    private static final long MOST_ANSWERS = 128;
    private static final List<String> CACHED = List.of("tools", "system", "messages");

    /**
     * The place of a field's value, and where its last {@code cache_control} ends, if it has one.
     *
     * @param length of its text
     * @param cachedLength the part of that which is before the last {@code cache_control}
     */
    private record Part(long from, long to, long cachedUntil, int length, int cachedLength) {
      static final Part NONE = new Part(0, 0, -1, 0, 0);
    }

    private final JsonParser parser;
    private final byte[] bytes;
    private final int offset;
    private final Map<String, Part> parts = new HashMap<>();
    private final List<String> pieces = new ArrayList<>();
    private String model = "";
    private OptionalLong maxOutput = OptionalLong.empty();
    private long answers = 1;
    private boolean stream;
    private int images;
    private long cachedUntil = -1;
    private int length;
    private int cachedLength;

    Reading(JsonParser parser, byte[] bytes, int offset) {
      this.parser = parser;
      this.bytes = bytes;
      this.offset = offset;
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
          case "n" -> {
            if (value == JsonToken.VALUE_NUMBER_INT) {
              answers = Math.clamp(parser.getValueAsLong(), 1, MOST_ANSWERS);
            }
          }
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
              part(name);
          default -> parser.skipChildren();
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new IOException("the body is not one whole JSON object");
      }
    }

    OptionalLong maxOutput() {
      return maxOutput.isPresent()
          ? OptionalLong.of(maxOutput.getAsLong() * answers)
          : OptionalLong.empty();
    }

    private void part(String name) throws IOException {
      long from = parser.currentTokenLocation().getByteOffset();
      int before = length;
      cachedUntil = -1;
      cachedLength = before;
      value(name, "");
      long to = parser.currentLocation().getByteOffset();
      parts.put(name, new Part(from, to, cachedUntil, length - before, cachedLength - before));
    }

    private void value(String name, String type) throws IOException {
      switch (parser.currentToken()) {
        case VALUE_STRING -> text(name, type);
        case START_OBJECT -> {
          var own = "";
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var inner = parser.currentName();
            parser.nextToken();
            if (inner.equals("cache_control") && parser.currentToken() == JsonToken.START_OBJECT) {
              parser.skipChildren();
              cachedUntil = parser.currentTokenLocation().getByteOffset();
              cachedLength = length;
            } else {
              own = inner.equals("type") ? parser.getValueAsString("") : own;
              value(inner, own);
            }
          }
        }
        case START_ARRAY -> {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(name, type);
          }
        }
        default -> parser.skipChildren();
      }
    }

    private void text(String name, String type) throws IOException {
      boolean embedded = name.equals("file_data") || (name.equals("data") && !type.equals("text"));
      if (embedded || (name.equals("url") && parser.getText().startsWith(EMBEDDED))) {
        images++;
      } else if (!name.equals("type") && !name.equals("role")) {
        pieces.add(parser.getText());
        length += parser.getText().length() + 1;
      }
    }

    /** The last part that has a {@code cache_control}; below 0 if none has. */
    private int lastCached() {
      int last = CACHED.size() - 1;
      while (last >= 0 && of(last).cachedUntil() < 0) {
        last--;
      }
      return last;
    }

    private int prefixLength() {
      int last = lastCached();
      int shared = 0;
      for (int i = 0; i <= last; i++) {
        shared += i < last ? of(i).length() : of(i).cachedLength();
      }
      return shared;
    }

    private Optional<String> prefix() {
      int last = lastCached();
      if (last < 0) {
        return Optional.empty();
      }
      var sum = new CRC32C();
      long length = 0;
      for (int i = 0; i <= last; i++) {
        var part = of(i);
        long end = i < last ? part.to() : part.cachedUntil();
        sum.update(bytes, offset + (int) part.from(), (int) (end - part.from()));
        length += end - part.from();
      }
      return Optional.of(model + ":" + length + ":" + Long.toHexString(sum.getValue()));
    }

    private Part of(int rank) {
      return parts.getOrDefault(CACHED.get(rank), Part.NONE);
    }
  }
}
