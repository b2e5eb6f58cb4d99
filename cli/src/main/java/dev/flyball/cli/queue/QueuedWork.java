package dev.flyball.cli.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.batch.LoneLine;
import dev.flyball.call.Priority;
import dev.flyball.publish.HostKind;
import dev.flyball.publish.PullRequestName;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Work as it stands in a queue. No secret is part of it: keys and tokens are those of whoever does
 * the work.
 */
sealed interface QueuedWork {
  ObjectMapper JSON = new ObjectMapper();

  /** A line of a batch. */
  record Line(LoneLine line, String priority) implements QueuedWork {}

  /**
   * A review of a folder.
   *
   * @param range a change of it, if that is meant
   * @param patch the text of a patch for it, if that is meant
   */
  record Review(String folder, Optional<String> range, Optional<String> patch)
      implements QueuedWork {}

  /**
   * A review of a pull request, which is posted.
   *
   * @param site where the host is; a worker that has a token for another one leaves it alone
   */
  record Pull(HostKind host, String site, String name, boolean drafts, boolean approve)
      implements QueuedWork {}

  /** The name of the sort, as a queue keeps it. */
  static String kind(QueuedWork work) {
    return switch (work) {
      case Line line -> "line";
      case Review review ->
          review.patch().isPresent() ? "patch" : review.range().isPresent() ? "range" : "folder";
      case Pull pull -> "pull";
    };
  }

  /** As a queue keeps it. */
  static String write(QueuedWork work) {
    var node = JsonNodeFactory.instance.objectNode();
    switch (work) {
      case Line(var line, var priority) -> {
        node.put("number", line.number()).put("text", line.text()).put("priority", priority);
        line.model().ifPresent(model -> node.put("model", model));
        line.maxTokens().ifPresent(most -> node.put("maxTokens", most));
      }
      case Review(var folder, var range, var patch) -> {
        node.put("folder", folder);
        range.ifPresent(text -> node.put("range", text));
        patch.ifPresent(text -> node.put("patch", text));
      }
      case Pull pull ->
          node.put("host", pull.host().toString())
              .put("site", pull.site())
              .put("name", pull.name())
              .put("drafts", pull.drafts())
              .put("approve", pull.approve());
    }
    return node.toString();
  }

  /**
   * What a queue has kept.
   *
   * @throws IllegalArgumentException if that is nothing that we wrote
   */
  static QueuedWork read(String kind, String payload) {
    JsonNode node;
    try {
      node = JSON.readTree(payload);
    } catch (JsonProcessingException damaged) {
      throw new IllegalArgumentException("the data of the queue is damaged", damaged);
    }
    return switch (kind) {
      case "line" ->
          new Line(
              new LoneLine(
                  node.path("number").asLong(1),
                  node.path("text").asText(),
                  words(node, "model"),
                  node.hasNonNull("maxTokens")
                      ? OptionalLong.of(node.path("maxTokens").asLong())
                      : OptionalLong.empty(),
                  priority(node.path("priority").asText())),
              node.path("priority").asText());
      case "folder", "range", "patch" ->
          new Review(node.path("folder").asText(), words(node, "range"), words(node, "patch"));
      case "pull" -> {
        var host =
            node.path("host").asText().equals(HostKind.GITLAB.toString())
                ? HostKind.GITLAB
                : HostKind.GITHUB;
        yield new Pull(
            host,
            node.path("site").asText(),
            PullRequestName.of(host, node.path("name").asText()).toString(),
            node.path("drafts").asBoolean(),
            node.path("approve").asBoolean());
      }
      default ->
          throw new IllegalArgumentException(
              "this version knows no work of the kind " + kind + ": update the worker");
    };
  }

  private static Optional<String> words(JsonNode node, String field) {
    return node.hasNonNull(field) ? Optional.of(node.path(field).asText()) : Optional.empty();
  }

  private static Priority priority(String name) {
    return switch (name) {
      case "interactive" -> Priority.INTERACTIVE;
      case "bulk" -> Priority.BULK;
      default -> Priority.NORMAL;
    };
  }
}
