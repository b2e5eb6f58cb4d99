package dev.flyball.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meter of a stream of server-sent events, read while its bytes go by: what it used, whether it
 * came to its end, whether it told of an error. Of a stream that is cut, the output is counted from
 * what was heard: four characters a token.
 */
final class StreamMeter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_LINE = 8 << 20;
  private static final int LONGEST_LAST = 1 << 20;
  private static final int STEP = 1 << 10;
  private static final String DATA = "data:";
  private static final Set<String> NOT_TEXT =
      Set.of("type", "role", "id", "signature", "stop_reason", "stop_sequence");

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private Usage stated = Usage.NONE;
  private long characters;
  private long useful;
  private final Set<Integer> open = new HashSet<>();
  private boolean finished;
  private boolean ended;
  private @Nullable String error;

  void read(byte[] bytes, int length) {
    read(bytes, 0, length);
  }

  void read(byte[] bytes, int start, int end) {
    int from = start;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\n' || bytes[i] == '\r') {
        boolean whole = line.size() == 0;
        if (!whole || i > from) {
          lineCame(bytes, from, i, whole);
        }
        from = i + 1;
      }
    }
    if (line.size() < LONGEST_LINE) {
      line.write(bytes, from, end - from);
    }
  }

  private void lineCame(byte[] bytes, int from, int to, boolean whole) {
    if (whole) {
      // Most events bring a word of text and nothing else; a tree of each would cost the most here.
      int length = TextEvents.characters(bytes, from, to);
      if (length >= 0) {
        useful += to - from;
        characters += length;
        open.add(0);
        return;
      }
    }
    line.write(bytes, from, to - from);
    lineCame();
  }

  /** No more comes; the last line may have no end, but then it is a short one. */
  void end() {
    if (line.size() <= LONGEST_LAST) {
      lineCame();
    }
  }

  /**
   * The bytes of what came that say something: of events that are no pings, and of a long one that
   * is still coming. Comments, blank lines and half a word are signs of life only.
   */
  long useful() {
    return useful + (long) line.size() / STEP * STEP;
  }

  private void lineCame() {
    int length = line.size();
    var text = line.toString(StandardCharsets.UTF_8).strip();
    line.reset();
    if (!text.startsWith(DATA)) {
      return;
    }
    var data = text.substring(DATA.length()).strip();
    if (data.equals("[DONE]")) {
      ended = true;
      useful += length;
      return;
    }
    try {
      var event = JSON.readTree(data);
      useful += event.size() == 0 || event.path("type").asText().equals("ping") ? 0 : length;
      event(event, data);
    } catch (IOException garbled) {
      // One chunk that cannot be read takes nothing from the others; the end decides.
      return;
    }
  }

  private void event(JsonNode event, String data) throws IOException {
    var type = event.path("type").asText();
    if (type.equals("error") || type.equals("response.failed") || event.hasNonNull("error")) {
      error = data;
      return;
    }
    ended |=
        type.equals("message_stop")
            || type.equals("response.completed")
            || type.equals("response.incomplete");
    for (var owner : new JsonNode[] {event, event.path("message"), event.path("response")}) {
      if (owner.path("usage").isObject()) {
        try (var parser = JSON.treeAsTokens(owner.path("usage"))) {
          parser.nextToken();
          stated = UsageReader.latest(stated, UsageReader.read(parser));
        }
      }
    }
    characters += textLength(event.path("delta"));
    for (var choice : event.path("choices")) {
      characters += textLength(choice.path("delta"));
      int index = choice.path("index").asInt();
      if (choice.hasNonNull("finish_reason")) {
        open.remove(index);
        finished = true;
      } else {
        open.add(index);
      }
    }
  }

  /** All text of a piece, whichever of its fields has it. */
  private static long textLength(JsonNode delta) {
    if (delta.isTextual()) {
      return delta.textValue().length();
    }
    long sum = 0;
    for (var part : delta.isObject() ? delta.properties() : Map.<String, JsonNode>of().entrySet()) {
      sum += NOT_TEXT.contains(part.getKey()) ? 0 : textLength(part.getValue());
    }
    for (var part : delta.isArray() ? delta : List.<JsonNode>of()) {
      sum += textLength(part);
    }
    return sum;
  }

  /** Whether the stream has stated that it is whole. */
  boolean ended() {
    return ended;
  }

  /** Whether all that was begun came to an end, though the stream did not say that it is whole. */
  boolean finished() {
    return finished && open.isEmpty();
  }

  Optional<String> error() {
    return Optional.ofNullable(error);
  }

  Usage usage() {
    boolean counted = ended && stated.output() > 0;
    return counted ? stated : UsageReader.latest(stated, Usage.of(0, Math.ceilDiv(characters, 4)));
  }
}
