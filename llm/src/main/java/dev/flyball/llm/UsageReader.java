package dev.flyball.llm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The reader of the tokens that replies say they used, as Anthropic and OpenAI write it. OpenAI
 * counts what it read from its cache, and what it put there, as input too; here input is only what
 * was not cached.
 */
final class UsageReader {
  private static final JsonFactory JSON = new JsonFactory();
  private static final long MOST = 1L << 40;
  private static final String WRITES = "cache_creation";

  private UsageReader() {}

  /**
   * The top of a plain reply.
   *
   * @param failed whether it is an error and no answer; an answer may have a word about errors too
   */
  record Top(Optional<Usage> usage, boolean failed) {}

  /**
   * Reads the {@code usage} of a whole reply.
   *
   * @throws IOException if it is not one whole JSON object
   */
  static Top plain(byte[] body) throws IOException {
    try {
      return top(JSON.createParser(body));
    } catch (IOException garbled) {
      // Letters that are no UTF-8 take nothing from the rest.
      return top(JSON.createParser(new String(body, StandardCharsets.UTF_8)));
    }
  }

  private static Top top(JsonParser opened) throws IOException {
    try (var parser = opened) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object");
      }
      var usage = Optional.<Usage>empty();
      boolean error = false;
      boolean failed = false;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var name = parser.currentName();
        var value = parser.nextToken();
        if (name.equals("usage") && value == JsonToken.START_OBJECT) {
          usage = Optional.of(read(parser));
        } else {
          error |= name.equals("error") && value != JsonToken.VALUE_NULL;
          failed |= name.equals("status") && parser.getText().equals("failed");
          parser.skipChildren();
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new IOException("not one JSON object");
      }
      return new Top(usage, error && (failed || usage.isEmpty()));
    }
  }

  /** Reads a usage object, from its opening brace to its closing one. */
  static Usage read(JsonParser parser) throws IOException {
    var counts = new HashMap<String, Long>();
    collect(parser, counts);
    return of(counts);
  }

  private static void collect(JsonParser parser, Map<String, Long> counts) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      var value = parser.nextToken();
      if (value == JsonToken.START_OBJECT && isPart(name)) {
        collect(parser, counts);
      } else if (value == JsonToken.VALUE_NUMBER_INT) {
        count(name, parser, counts);
      } else {
        parser.skipChildren();
      }
    }
  }

  /** Whether what an object of that name in a usage says counts like the usage itself. */
  static boolean isPart(String name) {
    return name.endsWith("_details") || name.equals(WRITES);
  }

  /** Takes a count; of two with one name the first. */
  static void count(String name, JsonParser number, Map<String, Long> counts) throws IOException {
    boolean fits = number.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    long count = fits ? number.getLongValue() : -1;
    if (count >= 0 && count < MOST) {
      counts.putIfAbsent(name, count);
    }
  }

  static Usage of(Map<String, Long> counts) {
    long cached =
        counts.getOrDefault("cached_tokens", counts.getOrDefault("prompt_cache_hit_tokens", 0L));
    long written = counts.getOrDefault("cache_write_tokens", 0L);
    long input =
        counts.getOrDefault("prompt_tokens", counts.getOrDefault("input_tokens", 0L))
            - (cached + written);
    long hour = counts.getOrDefault("ephemeral_1h_input_tokens", 0L);
    long minutes = counts.getOrDefault("ephemeral_5m_input_tokens", 0L);
    return new Usage(
        Math.max(0, input),
        counts.getOrDefault("cache_read_input_tokens", cached),
        Math.max(counts.getOrDefault("cache_creation_input_tokens", written), hour + minutes),
        hour,
        counts.getOrDefault("completion_tokens", counts.getOrDefault("output_tokens", 0L)),
        Cost.NOTHING);
  }

  /** Of the parts of one stream: each count as it was said last and largest. */
  static Usage latest(Usage earlier, Usage later) {
    return new Usage(
        Math.max(earlier.input(), later.input()),
        Math.max(earlier.cacheRead(), later.cacheRead()),
        Math.max(earlier.cacheWrite(), later.cacheWrite()),
        Math.max(earlier.cachedForAnHour(), later.cachedForAnHour()),
        Math.max(earlier.output(), later.output()),
        Cost.NOTHING);
  }
}
