package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.call.Cost;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A review as JSON. */
final class JsonReportTest {
  private static JsonNode read(Review review) throws Exception {
    return new ObjectMapper().readTree(JsonReport.of(review));
  }

  private static List<String> fields(JsonNode node) {
    return node.propertyStream().<String>map(Map.Entry::getKey).toList();
  }

  @Test
  void a_review_has_the_fields_that_were_promised() throws Exception {
    var coverage =
        new ReviewCoverage(
            3, 1, List.of(new ReviewCoverage.Skipped("a.min.js", "minified")), List.of("b.py"));
    var json = read(SampleFindings.review(coverage, SampleFindings.finding("a", Severity.MAJOR)));
    assertThat(fields(json))
        .containsExactly(
            "verdict", "mode", "coverage", "findings", "usage", "plan", "contradictions");
    assertThat(json.get("verdict").textValue()).isEqualTo("incomplete");
    assertThat(json.get("coverage"))
        .hasToString(
            "{\"files\":3,\"reviewed\":1,\"skipped\":[{\"path\":\"a.min.js\",\"reason\":\"minified\"}],"
                + "\"unanswered\":[\"b.py\"],\"onlyForCopies\":[],\"languages\":[]}");
    assertThat(json.get("usage")).isEmpty();
    assertThat(json.get("plan").isNull()).isTrue();
  }

  @Test
  void a_finding_has_the_fields_that_were_promised() throws Exception {
    var json =
        read(SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR))).at("/findings/0");
    assertThat(fields(json))
        .containsExactly(
            "id",
            "rule",
            "file",
            "line",
            "endLine",
            "side",
            "scope",
            "severity",
            "category",
            "lenses",
            "title",
            "message",
            "suggestion",
            "evidence",
            "sources",
            "confidence");
    assertThat(json)
        .hasToString(
            "{\"id\":\"a\",\"rule\":\"java/EqualsNull\",\"file\":\"src/Main.java\",\"line\":3,"
                + "\"endLine\":3,\"side\":\"right\",\"scope\":\"line\",\"severity\":\"major\","
                + "\"category\":\"correctness\",\"lenses\":[\"static\"],"
                + "\"title\":\"Compared with null by equals\","
                + "\"message\":\"This is always false, or throws.\","
                + "\"suggestion\":\"Compare with == null.\",\"evidence\":\"name.equals(null)\","
                + "\"sources\":[\"pmd\"],\"confidence\":0.9}");
  }

  @Test
  void a_finding_without_lines_has_the_same_fields() throws Exception {
    var finding =
        new Finding(
            "w", SampleFindings.claim("lens/style", Severity.MINOR, new Place.Whole()), false);
    var json = read(SampleFindings.review(finding)).at("/findings/0");
    assertThat(fields(json)).hasSize(16);
    assertThat(List.of("file", "line", "endLine", "side"))
        .allMatch(field -> json.get(field).isNull());
    assertThat(json.get("scope").textValue()).isEqualTo("whole");
  }

  @Test
  void what_the_baseline_knows_is_marked() throws Exception {
    var json = read(SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR).known()));
    assertThat(json.at("/findings/0/baseline").booleanValue()).isTrue();
  }

  @Test
  void findings_are_in_order_whatever_order_they_came_in() throws Exception {
    var minor = SampleFindings.finding("a", Severity.MINOR);
    var critical = SampleFindings.finding("b", Severity.CRITICAL);
    assertThat(JsonReport.of(SampleFindings.review(minor, critical)))
        .isEqualTo(JsonReport.of(SampleFindings.review(critical, minor)));
    assertThat(read(SampleFindings.review(minor, critical)).at("/findings/0/id").textValue())
        .isEqualTo("b");
  }

  @Test
  void hostile_text_is_escaped_and_stays_what_it_was() throws Exception {
    var json =
        JsonReport.of(SampleFindings.review(new Finding("h", SampleFindings.hostile(), false)));
    assertThat(json).matches("[\\n\\x20-\\x7e]*");
    assertThat(new ObjectMapper().readTree(json).at("/findings/0/message").textValue())
        .isEqualTo(SampleFindings.HOSTILE);
  }

  @Test
  void what_was_used_is_written_in_the_order_that_was_promised() throws Exception {
    assertThat(read(used(OptionalLong.of(10_000))).get("usage"))
        .hasToString(
            "{\"maxTokens\":10000,\"usedTokens\":2345,\"remainingTokens\":7655,"
                + "\"percentUsed\":23.5,\"overspentTokens\":1,\"underestimatedTokens\":2,"
                + "\"costUsd\":\"0.012300\",\"durationMs\":1500,"
                + "\"byLens\":{\"security\":1345,\"tests\":1000},\"tokensPerSecond\":1563,"
                + "\"endedBy\":\"budget\",\"droppedLenses\":[\"tests\"],\"uncertainTokens\":7,\"asked\":4,\"cached\":3,"
                + "\"droppedFindings\":5,\"unsureFindings\":6}");
    assertThat(read(used(OptionalLong.empty())).get("usage").toString())
        .startsWith(
            "{\"maxTokens\":null,\"usedTokens\":2345,\"remainingTokens\":null,"
                + "\"percentUsed\":null,\"overspentTokens\":1,");
  }

  @Test
  void a_plan_is_written_as_it_is_handed_in() throws Exception {
    var plan = JsonNodeFactory.instance.objectNode().put("mode", "sequential");
    var json = JsonReport.of(SampleFindings.review(), plan);
    assertThat(new ObjectMapper().readTree(json).get("plan")).isEqualTo(plan);
  }

  private static Review used(OptionalLong most) {
    return new Review(
        Verdict.APPROVED,
        "sequential",
        SampleFindings.all(1),
        List.of(),
        List.of(),
        Optional.of(
            new ReviewUsage(
                most,
                2_345,
                new ReviewUsage.Excess(1, 2, 7),
                List.of("tests"),
                Cost.dollars("0.0123"),
                Duration.ofMillis(1_500),
                Map.of("tests", 1_000L, "security", 1_345L),
                ReviewUsage.Ending.BUDGET,
                4,
                3,
                5,
                6)));
  }
}
