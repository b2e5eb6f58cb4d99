package dev.flyball.review.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import java.util.Collection;

/**
 * A review as JSON. Every field is always there, null where it says nothing, except {@code
 * baseline}, which only marks. All but ASCII is escaped: the bytes are harmless on a screen and the
 * text is what it was.
 */
public final class JsonReport {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonReport() {}

  /** A review that had no plan. */
  public static String of(Review review) {
    return of(review, NODES.nullNode());
  }

  /**
   * One that had a plan.
   *
   * @param plan as it is written down where its estimate was made
   */
  public static String of(Review review, JsonNode plan) {
    return AsciiJson.pretty(node(review, plan)) + "\n";
  }

  private static ObjectNode node(Review review, JsonNode plan) {
    var root = NODES.objectNode();
    root.put("verdict", review.verdict().toString());
    root.put("mode", review.mode());
    root.set("coverage", coverage(review.coverage()));
    var findings = root.putArray("findings");
    review.findings().forEach(finding -> findings.add(node(finding)));
    root.set("usage", review.usage().map(JsonReport::usage).orElseGet(NODES::objectNode));
    root.set("plan", plan);
    var contradictions = root.putArray("contradictions");
    review.contradictions().forEach(each -> contradictions.add(node(each)));
    return root;
  }

  public static ObjectNode node(Finding finding) {
    var claim = finding.claim();
    var node = NODES.objectNode();
    node.put("id", finding.id());
    node.put("rule", claim.rule());
    node.put("file", claim.place().file().orElse(null));
    switch (claim.place()) {
      case Place.Lines lines -> {
        node.put("line", lines.line());
        node.put("endLine", lines.endLine());
        node.put("side", lines.side().toString());
      }
      case Place.File file -> nowhere(node);
      case Place.Whole whole -> nowhere(node);
    }
    node.put("scope", claim.place().scope().toString());
    node.put("severity", claim.severity().toString());
    node.put("category", claim.category().toString());
    node.set("lenses", words(claim.lenses()));
    node.put("title", claim.title());
    node.put("message", claim.message());
    node.put("suggestion", claim.suggestion().orElse(null));
    node.put("evidence", claim.evidence().orElse(null));
    node.set("sources", words(claim.sources()));
    node.put("confidence", claim.confidence());
    if (finding.baseline()) {
      node.put("baseline", true);
    }
    finding.refuted().ifPresent(why -> node.put("refuted", why));
    return node;
  }

  /** What was overruled is no finding any more, and is written here. */
  private static ObjectNode node(Contradiction contradiction) {
    var node = NODES.objectNode();
    var pair = node.putArray("findings");
    pair.add(contradiction.one().id()).add(contradiction.other().id());
    contradiction
        .settled()
        .ifPresentOrElse(
            settled ->
                node.putObject("settled")
                    .put("holds", settled.holds().toString())
                    .put("reason", settled.reason())
                    .put("source", settled.source()),
            () -> node.putNull("settled"));
    var overruled = node.putArray("overruled");
    contradiction.overruled().forEach(finding -> overruled.add(node(finding)));
    return node;
  }

  private static void nowhere(ObjectNode node) {
    node.putNull("line");
    node.putNull("endLine");
    node.putNull("side");
  }

  private static ObjectNode coverage(ReviewCoverage coverage) {
    var node = NODES.objectNode();
    node.put("files", coverage.files());
    node.put("reviewed", coverage.reviewed());
    var skipped = node.putArray("skipped");
    for (var file : coverage.skipped()) {
      skipped.addObject().put("path", file.path()).put("reason", file.reason());
    }
    node.set("unanswered", words(coverage.unanswered()));
    node.set("onlyForCopies", words(coverage.copiesOnly()));
    var languages = node.putArray("languages");
    for (var each : coverage.depths()) {
      languages
          .addObject()
          .put("language", each.language())
          .put("checkedForDefects", each.defects())
          .put("onlyForCopies", each.copies())
          .put("notChecked", each.unchecked());
    }
    return node;
  }

  private static ObjectNode usage(ReviewUsage usage) {
    var node = NODES.objectNode();
    if (usage.most().isPresent()) {
      long most = usage.most().getAsLong();
      node.put("maxTokens", most);
      node.put("usedTokens", usage.tokens());
      node.put("remainingTokens", usage.remaining().orElseThrow());
      node.put("percentUsed", Math.round(1_000.0 * usage.tokens() / most) / 10.0);
    } else {
      node.putNull("maxTokens").put("usedTokens", usage.tokens());
      node.putNull("remainingTokens").putNull("percentUsed");
    }
    node.put("overspentTokens", usage.excess().overspent());
    node.put("underestimatedTokens", usage.excess().underestimated());
    node.put("costUsd", usage.cost().decimal());
    node.put("durationMs", usage.took().toMillis());
    var byLens = node.putObject("byLens");
    usage.byLens().forEach(byLens::put);
    node.put("tokensPerSecond", usage.tokensPerSecond());
    node.put("endedBy", usage.ending().toString());
    var dropped = node.putArray("droppedLenses");
    usage.dropped().forEach(dropped::add);
    node.put("uncertainTokens", usage.excess().uncertain());
    node.put("asked", usage.asked()).put("cached", usage.cached());
    return node.put("droppedFindings", usage.lost()).put("unsureFindings", usage.unsure());
  }

  private static ArrayNode words(Collection<String> words) {
    var array = NODES.arrayNode();
    words.forEach(array::add);
    return array;
  }
}
