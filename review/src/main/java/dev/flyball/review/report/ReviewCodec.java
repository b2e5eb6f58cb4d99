package dev.flyball.review.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Contradiction;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** The form in which a {@link StoredReview} is kept: all of it, and read back the same. */
public final class ReviewCodec {
  /** The form that is written; another is not read. */
  public static final int VERSION = 1;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ReviewCodec() {}

  public static ObjectNode write(StoredReview stored) {
    var review = stored.review();
    var node = NODES.objectNode().put("version", VERSION);
    node.put("run", stored.run()).put("made", stored.made().toString());
    node.put("title", stored.title());
    node.put("verdict", review.verdict().toString()).put("mode", review.mode());
    node.set("coverage", coverage(review.coverage()));
    node.set("findings", list(review.findings(), ReviewCodec::finding));
    node.set("contradictions", list(review.contradictions(), ReviewCodec::contradiction));
    review.usage().ifPresent(usage -> node.set("usage", usage(usage)));
    node.set("plan", stored.plan());
    node.set("discussion", stored.discussion());
    node.set("texts", list(stored.texts(), ReviewCodec::excerpt));
    return node;
  }

  /**
   * Reads one back.
   *
   * @throws IllegalArgumentException for what this version has not written
   */
  public static StoredReview read(JsonNode node) {
    if (node.path("version").asInt() != VERSION) {
      throw new IllegalArgumentException(
          "a review of version %d can be read, but this is %s"
              .formatted(VERSION, node.path("version")));
    }
    var review =
        new Review(
            Verdict.valueOf(upper(node.path("verdict"))),
            node.path("mode").asText(),
            coverage(node.path("coverage")),
            list(node.path("findings"), ReviewCodec::finding),
            list(node.path("contradictions"), ReviewCodec::contradiction),
            node.has("usage") ? Optional.of(usage(node.path("usage"))) : Optional.empty());
    return new StoredReview(
        node.path("run").asText(),
        Instant.parse(node.path("made").asText()),
        node.path("title").asText(),
        review,
        node.path("plan").isMissingNode() ? NODES.nullNode() : node.path("plan"),
        node.path("discussion").isMissingNode() ? NODES.nullNode() : node.path("discussion"),
        list(node.path("texts"), ReviewCodec::excerpt));
  }

  private static ObjectNode finding(Finding finding) {
    var claim = finding.claim();
    var node = NODES.objectNode().put("id", finding.id()).put("rule", claim.rule());
    node.set("place", place(claim.place()));
    node.put("severity", claim.severity().toString()).put("category", claim.category().toString());
    node.set("lenses", words(claim.lenses()));
    node.put("title", claim.title()).put("message", claim.message());
    claim.suggestion().ifPresent(it -> node.put("suggestion", it));
    claim.evidence().ifPresent(it -> node.put("evidence", it));
    node.set("sources", words(claim.sources()));
    node.put("confidence", claim.confidence()).put("baseline", finding.baseline());
    finding.refuted().ifPresent(it -> node.put("refuted", it));
    return node;
  }

  private static Finding finding(JsonNode node) {
    var claim =
        new Claim(
            node.path("rule").asText(),
            place(node.path("place")),
            Severity.valueOf(upper(node.path("severity"))),
            Category.valueOf(upper(node.path("category"))),
            words(node.path("lenses")),
            node.path("title").asText(),
            node.path("message").asText(),
            text(node, "suggestion"),
            text(node, "evidence"),
            words(node.path("sources")),
            node.path("confidence").asDouble());
    return new Finding(
        node.path("id").asText(), claim, node.path("baseline").asBoolean(), text(node, "refuted"));
  }

  private static ObjectNode place(Place place) {
    var node = NODES.objectNode();
    return switch (place) {
      case Place.Lines at ->
          node.put("path", at.path())
              .put("line", at.line())
              .put("column", at.column())
              .put("endLine", at.endLine())
              .put("endColumn", at.endColumn())
              .put("side", at.side().toString())
              .put("outside", at.outside());
      case Place.File file -> node.put("path", file.path());
      case Place.Whole whole -> node;
    };
  }

  private static Place place(JsonNode node) {
    if (!node.has("path")) {
      return new Place.Whole();
    }
    return node.has("line")
        ? new Place.Lines(
            node.path("path").asText(),
            node.path("line").asInt(),
            node.path("column").asInt(),
            node.path("endLine").asInt(),
            node.path("endColumn").asInt(),
            side(node),
            node.path("outside").asBoolean())
        : new Place.File(node.path("path").asText());
  }

  private static ObjectNode contradiction(Contradiction pair) {
    var node = NODES.objectNode();
    node.set("one", finding(pair.one()));
    node.set("other", finding(pair.other()));
    pair.settled()
        .ifPresent(
            it ->
                node.putObject("settled")
                    .put("holds", it.holds().toString())
                    .put("reason", it.reason())
                    .put("source", it.source()));
    return node;
  }

  private static Contradiction contradiction(JsonNode node) {
    var settled = node.path("settled");
    return new Contradiction(
        finding(node.path("one")),
        finding(node.path("other")),
        settled.isObject()
            ? Optional.of(
                new Contradiction.Settlement(
                    Contradiction.Holds.valueOf(upper(settled.path("holds"))),
                    settled.path("reason").asText(),
                    settled.path("source").asText()))
            : Optional.empty());
  }

  private static ObjectNode coverage(ReviewCoverage coverage) {
    var node = NODES.objectNode();
    node.put("files", coverage.files()).put("reviewed", coverage.reviewed());
    node.set(
        "skipped",
        list(
            coverage.skipped(),
            it -> NODES.objectNode().put("path", it.path()).put("reason", it.reason())));
    node.set("unanswered", words(coverage.unanswered()));
    node.set("copiesOnly", words(coverage.copiesOnly()));
    node.set(
        "depths",
        list(
            coverage.depths(),
            it ->
                NODES
                    .objectNode()
                    .put("language", it.language())
                    .put("defects", it.defects())
                    .put("copies", it.copies())
                    .put("unchecked", it.unchecked())));
    return node;
  }

  private static ReviewCoverage coverage(JsonNode node) {
    return new ReviewCoverage(
        node.path("files").asInt(),
        node.path("reviewed").asInt(),
        list(
            node.path("skipped"),
            it -> new ReviewCoverage.Skipped(it.path("path").asText(), it.path("reason").asText())),
        words(node.path("unanswered")),
        words(node.path("copiesOnly")),
        list(
            node.path("depths"),
            it ->
                new ReviewCoverage.LanguageDepth(
                    it.path("language").asText(),
                    it.path("defects").asInt(),
                    it.path("copies").asInt(),
                    it.path("unchecked").asInt())));
  }

  private static ObjectNode usage(ReviewUsage usage) {
    var node = NODES.objectNode();
    usage.most().ifPresent(most -> node.put("most", most));
    node.put("tokens", usage.tokens()).put("overspent", usage.excess().overspent());
    node.put("underestimated", usage.excess().underestimated());
    node.put("uncertain", usage.excess().uncertain());
    node.set("dropped", words(usage.dropped()));
    node.put("cost", usage.cost().micros()).put("tookMs", usage.took().toMillis());
    var lenses = node.putObject("byLens");
    usage.byLens().forEach(lenses::put);
    node.put("ending", usage.ending().toString()).put("asked", usage.asked());
    node.put("cached", usage.cached()).put("lost", usage.lost());
    return node.put("unsure", usage.unsure());
  }

  private static ReviewUsage usage(JsonNode node) {
    var byLens = new LinkedHashMap<String, Long>();
    node.path("byLens")
        .properties()
        .forEach(each -> byLens.put(each.getKey(), each.getValue().asLong()));
    return new ReviewUsage(
        node.has("most") ? OptionalLong.of(node.path("most").asLong()) : OptionalLong.empty(),
        node.path("tokens").asLong(),
        new ReviewUsage.Excess(
            node.path("overspent").asLong(),
            node.path("underestimated").asLong(),
            node.path("uncertain").asLong()),
        words(node.path("dropped")),
        new Cost(node.path("cost").asLong()),
        Duration.ofMillis(node.path("tookMs").asLong()),
        byLens,
        ReviewUsage.Ending.valueOf(upper(node.path("ending"))),
        node.path("asked").asLong(),
        node.path("cached").asLong(),
        node.path("lost").asLong(),
        node.path("unsure").asLong());
  }

  private static ObjectNode excerpt(StoredReview.Excerpt excerpt) {
    var node = NODES.objectNode();
    node.put("side", excerpt.side().toString()).put("path", excerpt.path());
    node.put("count", excerpt.count());
    var lines = node.putObject("lines");
    excerpt.lines().forEach((number, line) -> lines.put(Integer.toString(number), line));
    return node;
  }

  private static StoredReview.Excerpt excerpt(JsonNode node) {
    Map<Integer, String> lines = new TreeMap<>();
    node.path("lines")
        .properties()
        .forEach(each -> lines.put(Integer.valueOf(each.getKey()), each.getValue().asText()));
    return new StoredReview.Excerpt(
        side(node), node.path("path").asText(), node.path("count").asInt(), lines);
  }

  private static DiffSide side(JsonNode node) {
    return DiffSide.valueOf(upper(node.path("side")));
  }

  private static String upper(JsonNode node) {
    return node.asText().toUpperCase(Locale.ROOT);
  }

  private static Optional<String> text(JsonNode node, String field) {
    return node.has(field) ? Optional.of(node.path(field).asText()) : Optional.empty();
  }

  private static <T> ArrayNode list(Collection<T> all, Function<T, ObjectNode> each) {
    var array = NODES.arrayNode();
    all.forEach(one -> array.add(each.apply(one)));
    return array;
  }

  private static <T> List<T> list(JsonNode array, Function<JsonNode, T> each) {
    var all = new ArrayList<T>();
    array.forEach(one -> all.add(each.apply(one)));
    return all;
  }

  private static ArrayNode words(Collection<String> all) {
    var array = NODES.arrayNode();
    all.forEach(array::add);
    return array;
  }

  private static List<String> words(JsonNode array) {
    return list(array, JsonNode::asText);
  }
}
