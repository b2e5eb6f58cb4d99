package dev.flyball.review.finding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON in which all but ASCII is escaped: harmless on a screen, and the text is what it was. */
public final class AsciiJson {
  private static final JsonMapper COMPACT =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  private static final JsonMapper PRETTY =
      COMPACT.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

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
      return mapper.writeValueAsString(node);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
