package dev.flyball.review.finding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * JSON in which all but ASCII is escaped, and what a build server would take for a command:
 * harmless on a screen and in a log, and the text is what it was.
 */
public final class AsciiJson {
  private static final JsonMapper COMPACT =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  private static final JsonMapper PRETTY =
      COMPACT.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  private static final char DELETE = 0x7F;

  private AsciiJson() {}

  /** On one line. */
  public static String compact(JsonNode node) {
    return write(COMPACT, node);
  }

  /** Indented, for people. */
  public static String pretty(JsonNode node) {
    return write(PRETTY, node);
  }

  private static String write(JsonMapper mapper, JsonNode node) {
    try {
      return withoutCommands(mapper.writeValueAsString(node))
          .replace("section_start:", "section_start\\u003A")
          .replace("section_end:", "section_end\\u003A");
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The signs are in strings only, where they may be written by their numbers. */
  private static String withoutCommands(String json) {
    if (!json.contains("##") && json.indexOf(DELETE) < 0) {
      return json;
    }
    var safe = new StringBuilder(json.length() + 16);
    for (int i = 0; i < json.length(); i++) {
      char character = json.charAt(i);
      if (character == '#' && i > 0 && json.charAt(i - 1) == '#') {
        safe.append("\\u0023");
      } else if (character == DELETE) {
        safe.append("\\u007F");
      } else {
        safe.append(character);
      }
    }
    return safe.toString();
  }
}
