package dev.flyball.run.config;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A reader of the plain part of YAML: keys with values, lists, texts and numbers. What lets a file
 * say one thing to its reader and another to a program is refused: a key that stands twice, anchors
 * and aliases, tags, more than one document.
 */
final class ConfigReader implements AutoCloseable {
  private static final int DEEPEST = 20;
  private static final int SHOWN = 60;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String name;
  private final YAMLParser parser;
  private final Map<List<String>, Integer> lines = new HashMap<>();

  ConfigReader(String name, byte[] content) throws IOException {
    this.name = name;
    var decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    var text = decoder.decode(ByteBuffer.wrap(content)).toString();
    boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
    parser = (YAMLParser) new YAMLMapper().createParser(marked ? text.substring(1) : text);
  }

  /** The line of each key, by the keys above it and itself. */
  Map<List<String>, Integer> lines() {
    return lines;
  }

  ObjectNode read() throws IOException, ConfigRefused {
    var first = parser.nextToken();
    JsonNode root =
        first == null || first == JsonToken.VALUE_NULL
            ? JsonNodeFactory.instance.objectNode()
            : node(List.of());
    if (!(root instanceof ObjectNode keys)) {
      throw refused("expected keys with values, such as max-wait: 1h");
    }
    if (first != null && parser.nextToken() != null) {
      throw refused("expected one YAML document, but a second begins");
    }
    return keys;
  }

  private JsonNode node(List<String> path) throws IOException, ConfigRefused {
    if (parser.isCurrentAlias() || parser.getObjectId() != null) {
      throw refused("anchors and aliases are not allowed");
    }
    if (parser.getTypeId() != null) {
      throw refused("tags are not allowed");
    }
    if (path.size() > DEEPEST) {
      throw refused("keys may be nested at most " + DEEPEST + " deep");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> keys(path);
      case START_ARRAY -> {
        var list = JsonNodeFactory.instance.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(node(with(path, "[" + list.size() + "]")));
        }
        yield list;
      }
      default -> parser.readValueAsTree();
    };
  }

  private ObjectNode keys(List<String> path) throws IOException, ConfigRefused {
    var keys = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var key = parser.currentName();
      var inner = with(path, key);
      if (parser.getObjectId() != null) {
        throw refused("anchors and aliases are not allowed");
      }
      var other = lines.put(inner, parser.currentTokenLocation().getLineNr());
      if (other != null) {
        throw refused("duplicate key: " + shown(key) + " is also on line " + other);
      }
      parser.nextToken();
      keys.set(key, node(inner));
    }
    return keys;
  }

  private static List<String> with(List<String> path, String key) {
    return Stream.concat(path.stream(), Stream.of(key)).toList();
  }

  private ConfigRefused refused(String rule) {
    return new ConfigRefused(
        name + " line " + parser.currentTokenLocation().getLineNr() + ": " + rule);
  }

  /** A word of a file, with nothing in it that a terminal obeys or that looks like another. */
  static String shown(String word) {
    var shown = new StringBuilder();
    word.codePoints()
        .limit(SHOWN)
        .forEach(
            c -> {
              if (c >= ' ' && c < 127) {
                shown.appendCodePoint(c);
              } else {
                shown.append("\\u{%x}".formatted(c));
              }
            });
    return word.codePointCount(0, word.length()) > SHOWN ? shown + "..." : shown.toString();
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
