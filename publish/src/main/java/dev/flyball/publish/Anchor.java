package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.patch.HunkLine;
import java.util.Locale;

/**
 * The lines of a change that a comment is put beside: they are in it, and in one hunk.
 *
 * @param oldPath where the file was; of a new one, where it is
 * @param newPath where it is; of a deleted one, where it was
 * @param side the state that the lines count in
 */
public record Anchor(String oldPath, String newPath, DiffSide side, End start, End end) {
  /** One line of a hunk, by both its numbers. */
  public record End(HunkLine.Kind kind, int old, int now) {
    int in(DiffSide side) {
      return side == DiffSide.LEFT ? old : now;
    }

    private ObjectNode json() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("kind", kind.name().toLowerCase(Locale.ROOT))
          .put("old", old)
          .put("new", now);
    }

    private static End of(JsonNode node) {
      return new End(
          HunkLine.Kind.valueOf(node.path("kind").asText().toUpperCase(Locale.ROOT)),
          node.path("old").asInt(),
          node.path("new").asInt());
    }
  }

  int startLine() {
    return start.in(side);
  }

  int line() {
    return end.in(side);
  }

  ObjectNode json() {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("oldPath", oldPath).put("newPath", newPath).put("side", side.toString());
    node.set("start", start.json());
    node.set("end", end.json());
    return node;
  }

  static Anchor of(JsonNode node) {
    return new Anchor(
        node.path("oldPath").asText(),
        node.path("newPath").asText(),
        node.path("side").asText().equals("left") ? DiffSide.LEFT : DiffSide.RIGHT,
        End.of(node.path("start")),
        End.of(node.path("end")));
  }
}
