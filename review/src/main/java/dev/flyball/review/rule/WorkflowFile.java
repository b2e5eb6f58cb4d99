package dev.flyball.review.rule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The values of a workflow with the paths that lead to them. Aliases are read as their names, so no
 * file is larger than it looks.
 */
final class WorkflowFile {
  private static final YAMLFactory YAML = new YAMLFactory();
  private static final int MOST_VALUES = 20_000;
  private static final int DEEPEST = 60;

  /**
   * A value, or an object or a list, whose text is empty.
   *
   * @param path keys and positions
   * @param start the offset at which it begins
   */
  record Value(List<String> path, String text, int start) {}

  private WorkflowFile() {}

  /** Empty if it is no YAML, or larger than any workflow. */
  static Optional<List<Value>> values(String text) {
    var values = new ArrayList<Value>();
    Deque<String> path = new ArrayDeque<>();
    Deque<int[]> positions = new ArrayDeque<>();
    try (JsonParser parser = YAML.createParser(text)) {
      JsonToken token;
      while ((token = parser.nextToken()) != null) {
        if (values.size() > MOST_VALUES || path.size() > DEEPEST) {
          return Optional.empty();
        }
        switch (token) {
          case FIELD_NAME -> {
            path.removeLast();
            path.addLast(parser.currentName());
          }
          case END_OBJECT, END_ARRAY -> {
            path.removeLast();
            positions.removeLast();
          }
          default -> {
            if (!positions.isEmpty() && positions.getLast()[0] >= 0) {
              path.removeLast();
              path.addLast(String.valueOf(positions.getLast()[0]++));
            }
            boolean opens = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
            int start = (int) Math.max(0, parser.currentTokenLocation().getCharOffset());
            values.add(new Value(List.copyOf(path), opens ? "" : parser.getText(), start));
            if (opens) {
              positions.addLast(new int[] {token == JsonToken.START_ARRAY ? 0 : -1});
              path.addLast("");
            }
          }
        }
      }
      return Optional.of(values);
    } catch (IOException | RuntimeException broken) {
      return Optional.empty();
    }
  }
}
