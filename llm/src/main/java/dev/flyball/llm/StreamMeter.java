package dev.flyball.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads along a stream of server-sent events while its bytes go by: what it used, whether it came
 * to its end, whether it told of an error. Of a stream that is cut, the output is counted from what
 * was heard: four characters a token.
 */
final class StreamMeter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_LINE = 16 << 20;
  private static final String DATA = "data:";

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private Usage said = Usage.NONE;
  private long characters;
  private boolean ended;
  private @Nullable String error;

  void read(byte[] bytes, int length) {
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        line.write(bytes, from, i - from);
        lineCame();
        from = i + 1;
      }
    }
    if (line.size() < LONGEST_LINE) {
      line.write(bytes, from, length - from);
    }
  }

  private void lineCame() {
    var text = line.toString(StandardCharsets.UTF_8).strip();
    line.reset();
    if (!text.startsWith(DATA)) {
      return;
    }
    var data = text.substring(DATA.length()).strip();
    if (data.equals("[DONE]")) {
      ended = true;
      return;
    }
    try {
      event(JSON.readTree(data), data);
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
          said = Usages.latest(said, Usages.read(parser));
        }
      }
    }
    characters += heard(event.path("delta"));
    for (var choice : event.path("choices")) {
      characters += heard(choice.path("delta"));
    }
  }

  /** All text of a piece, whichever of its fields has it. */
  private static long heard(JsonNode delta) {
    if (delta.isTextual()) {
      return delta.textValue().length();
    }
    long sum = 0;
    for (var part : delta) {
      sum += heard(part);
    }
    return sum;
  }

  /** Whether the stream has said that it is whole. */
  boolean ended() {
    return ended;
  }

  Optional<String> error() {
    return Optional.ofNullable(error);
  }

  boolean began() {
    return characters > 0;
  }

  Usage usage() {
    boolean counted = ended && said.output() > 0;
    return counted ? said : Usages.latest(said, Usage.of(0, Math.ceilDiv(characters, 4)));
  }
}
