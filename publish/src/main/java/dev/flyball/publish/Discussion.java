package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.report.FindingComment;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The pull request that a review is of, and where in it each finding can be commented: all that is
 * needed to post it, now or later.
 *
 * @param anchors by the ids of findings that are about lines of the change
 * @param replacements what should stand in the place of those lines, where that is known
 */
public record Discussion(
    PullRequestName name,
    String base,
    String start,
    String head,
    Map<String, Anchor> anchors,
    Map<String, String> replacements) {
  public Discussion {
    anchors = Map.copyOf(anchors);
    replacements = Map.copyOf(replacements);
  }

  /** Of a review that has ended. */
  static Discussion of(
      PullRequest pull,
      Collection<FileChange> changes,
      Review review,
      Function<Place.Lines, Optional<SourceText>> texts) {
    var lines = CommentableLines.of(changes);
    var anchors = new HashMap<String, Anchor>();
    var replacements = new HashMap<String, String>();
    for (var finding : review.findings()) {
      if (finding.place() instanceof Place.Lines place && !place.outside()) {
        var anchor = lines.at(place);
        anchor.ifPresent(it -> anchors.put(finding.id(), it));
        // What replaces the lines of a place must stand beside just these.
        anchor
            .filter(it -> it.startLine() == place.line() && it.line() == place.endLine())
            .flatMap(it -> FindingComment.replacement(finding, texts.apply(place)))
            .ifPresent(text -> replacements.put(finding.id(), text));
      }
    }
    return new Discussion(
        pull.name(), pull.base(), pull.start(), pull.head(), anchors, replacements);
  }

  /** As it is kept with a review. */
  public ObjectNode json() {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("host", name.kind().toString()).put("repository", name.repository());
    node.put("number", name.number()).put("base", base).put("start", start).put("head", head);
    var places = node.putObject("anchors");
    anchors.forEach((id, anchor) -> places.set(id, anchor.json()));
    var texts = node.putObject("replacements");
    replacements.forEach(texts::put);
    return node;
  }

  /** Reads what was kept; empty where a review was of no pull request. */
  public static Optional<Discussion> of(JsonNode node) {
    if (!node.isObject()) {
      return Optional.empty();
    }
    var anchors = new HashMap<String, Anchor>();
    node.path("anchors")
        .properties()
        .forEach(each -> anchors.put(each.getKey(), Anchor.of(each.getValue())));
    var replacements = new HashMap<String, String>();
    node.path("replacements")
        .properties()
        .forEach(each -> replacements.put(each.getKey(), each.getValue().asText()));
    var kind =
        node.path("host").asText().equals(HostKind.GITLAB.toString())
            ? HostKind.GITLAB
            : HostKind.GITHUB;
    return Optional.of(
        new Discussion(
            new PullRequestName(
                kind, node.path("repository").asText(), node.path("number").asInt()),
            node.path("base").asText(),
            node.path("start").asText(),
            node.path("head").asText(),
            anchors,
            replacements));
  }
}
