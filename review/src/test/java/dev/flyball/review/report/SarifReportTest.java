package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flyball.review.check.Rulebook;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A review as SARIF: what OASIS asks of it, and then what GitHub does. */
final class SarifReportTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(
              SarifReportTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json"),
              InputFormat.JSON);
  private static final CheckRule RULE =
      new CheckRule(
          "java/EqualsNull",
          Severity.MAJOR,
          Category.CORRECTNESS,
          "Compared with null by equals",
          "It is always false, or it throws.",
          "Compare with == null.");
  private static final SarifReport.Tool TOOL =
      new SarifReport.Tool("0.1.0", List.of("model-a"), Map.of(RULE.id(), RULE));
  private static final ReviewCoverage GAPS =
      new ReviewCoverage(
          5,
          1,
          List.of(new ReviewCoverage.Skipped("lib/a.min.js", "minified")),
          List.of("src/Broken.java", "security: src/Slow.java"));

  private static String text(Review review) {
    var sarif = SarifReport.of(review, TOOL);
    assertThat(SCHEMA.validate(sarif, InputFormat.JSON)).isEmpty();
    return sarif;
  }

  private static JsonNode run(Review review) throws IOException {
    return JSON.readTree(text(review)).at("/runs/0");
  }

  private static JsonNode first(Claim claim) throws IOException {
    return run(SampleFindings.review(new Finding("a", claim, false))).at("/results/0");
  }

  private static Claim at(Place place) {
    return SampleFindings.claim("java/EqualsNull", Severity.MAJOR, place);
  }

  private static Finding secure(String id, Severity severity) {
    var claim = SampleFindings.hostile();
    return new Finding(
        id,
        new Claim(
            "java/Key",
            claim.place(),
            severity,
            Category.SECURITY,
            List.of("security"),
            "t",
            "m",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            0.95),
        false);
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  @Test
  void oasis_the_schema_can_refuse() {
    assertThat(SCHEMA.validate("{\"version\":\"2.1.0\"}", InputFormat.JSON)).isNotEmpty();
    assertThat(
            SCHEMA.validate(
                text(SampleFindings.review()).replace("\"driver\"", "\"diver\""), InputFormat.JSON))
        .isNotEmpty();
  }

  @Test
  void oasis_every_kind_of_review_is_valid() {
    text(SampleFindings.review());
    text(SampleFindings.review(GAPS, SampleFindings.finding("a", Severity.MINOR)));
    text(SampleFindings.review(SampleFindings.finding("a", Severity.CRITICAL).known()));
    text(
        SampleFindings.review(
            new Finding("w", at(new Place.Whole()), false),
            new Finding("f", at(new Place.File("a b/ü.java")), false),
            new Finding("h", SampleFindings.hostile(), false)));
  }

  @Test
  void github_schema_and_version_are_named() throws IOException {
    var log = JSON.readTree(text(SampleFindings.review()));
    assertThat(log.get("$schema").textValue()).endsWith("sarif-schema-2.1.0.json");
    assertThat(log.get("version").textValue()).isEqualTo("2.1.0");
    assertThat(log.get("runs")).hasSize(1);
  }

  @Test
  void github_results_and_rules_are_there_even_when_empty() throws IOException {
    var run = run(SampleFindings.review());
    assertThat(run.get("results").isArray()).isTrue();
    assertThat(run.at("/tool/driver/rules").isArray()).isTrue();
  }

  @Test
  void github_a_rule_has_an_id_a_short_and_a_full_description_and_help() throws IOException {
    var rule =
        run(SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR)))
            .at("/tool/driver/rules/0");
    assertThat(rule.get("id").textValue()).isEqualTo("java/EqualsNull");
    assertThat(rule.at("/shortDescription/text").textValue()).isEqualTo(RULE.title());
    assertThat(rule.at("/fullDescription/text").textValue()).isEqualTo(RULE.message());
    assertThat(rule.at("/help/text").textValue())
        .startsWith(RULE.advice())
        .contains("flyball:ignore java/EqualsNull", "rules: {java/EqualsNull: off}", "baseline");
    assertThat(rule.at("/help/markdown").textValue()).contains("## " + RULE.title());
  }

  @Test
  void github_every_rule_of_ours_has_help_tags_and_weaknesses() throws IOException {
    var rules = Rulebook.rules();
    var findings =
        rules.keySet().stream()
            .map(
                id ->
                    new Finding(
                        id,
                        SampleFindings.claim(
                            id, Severity.MAJOR, Place.lines(SampleFindings.TEXT, 3, 3)),
                        false))
            .toArray(Finding[]::new);
    var sarif =
        SarifReport.of(
            SampleFindings.review(findings), new SarifReport.Tool("0.1.0", List.of(), rules));
    assertThat(SCHEMA.validate(sarif, InputFormat.JSON)).isEmpty();
    var told = JSON.readTree(sarif).at("/runs/0/tool/driver/rules");
    assertThat(told).hasSameSizeAs(rules.keySet());
    for (var rule : told) {
      var known = Objects.requireNonNull(rules.get(rule.get("id").textValue()));
      assertThat(rule.at("/help/markdown").textValue()).contains(known.title(), known.advice());
      var tags = rule.at("/properties/tags").toString();
      known.tags().forEach(tag -> assertThat(tags).contains(tag));
      known
          .cwe()
          .forEach(number -> assertThat(tags).contains("external/cwe/cwe-%03d".formatted(number)));
    }
  }

  @Test
  void a_finding_on_a_removed_line_says_so() throws IOException {
    var place = new Place.Lines("a.py", 7, 1, 7, 2, DiffSide.LEFT);
    var result =
        run(SampleFindings.review(
                new Finding("a", SampleFindings.claim("r", Severity.MAJOR, place), false)))
            .at("/results/0");
    assertThat(result.at("/message/text").textValue()).startsWith("(Line 7 before the change.) ");
    assertThat(result.at("/properties/side").textValue()).isEqualTo("left");
    assertThat(result.at("/properties/lineBeforeTheChange").intValue()).isEqualTo(7);
  }

  @Test
  void github_a_rule_that_nobody_described_has_no_empty_text() throws IOException {
    var rule = run(SampleFindings.review(secure("a", Severity.MAJOR))).at("/tool/driver/rules/0");
    for (var text : List.of("/shortDescription/text", "/fullDescription/text", "/help/text")) {
      assertThat(rule.at(text).textValue()).isNotBlank();
    }
  }

  @Test
  void github_texts_have_at_most_1024_characters() throws IOException {
    var longest = "🔴".repeat(5_000);
    var rule = new CheckRule("r", Severity.MAJOR, Category.OTHER, longest, longest, longest);
    var claim =
        new Claim(
            "r",
            Place.lines(SampleFindings.TEXT, 1, 1),
            Severity.MAJOR,
            Category.OTHER,
            List.of(longest),
            longest,
            longest,
            Optional.of(longest),
            Optional.empty(),
            List.of(),
            1);
    var sarif =
        SarifReport.of(
            SampleFindings.review(
                new ReviewCoverage(1, 0, List.of(), List.of(longest)),
                new Finding("a", claim, false)),
            new SarifReport.Tool("0.1.0", List.of(longest), Map.of("r", rule)));
    assertThat(SCHEMA.validate(sarif, InputFormat.JSON)).isEmpty();
    var run = JSON.readTree(sarif).at("/runs/0");
    assertThat(run.findValuesAsText("text"))
        .hasSize(5)
        .allSatisfy(text -> assertThat(text).hasSizeBetween(1_023, 1_024).endsWith("…"));
    assertThat(run.at("/tool/driver/rules/0/properties/tags/1").textValue().length())
        .isLessThanOrEqualTo(1_024);
  }

  @Test
  void github_a_result_has_a_message_and_names_its_rule() throws IOException {
    var run =
        run(
            SampleFindings.review(
                secure("a", Severity.MAJOR), SampleFindings.finding("b", Severity.MINOR)));
    for (var result : run.get("results")) {
      assertThat(result.at("/message/text").textValue()).isNotBlank();
      assertThat(run.at("/tool/driver/rules").get(result.get("ruleIndex").intValue()).get("id"))
          .isEqualTo(result.get("ruleId"));
    }
  }

  @Test
  void github_a_result_has_one_place_with_four_numbers() throws IOException {
    var result = first(at(Place.lines(SampleFindings.TEXT, 3, 3)));
    assertThat(result.get("locations")).hasSize(1);
    assertThat(result.at("/locations/0/physicalLocation/region"))
        .hasToString("{\"startLine\":3,\"startColumn\":5,\"endLine\":3,\"endColumn\":30}");
  }

  @Test
  void github_a_finding_about_a_file_is_at_its_beginning() throws IOException {
    assertThat(
            first(at(new Place.File("a.java")))
                .at("/locations/0/physicalLocation/region/startLine"))
        .hasToString("1");
  }

  @Test
  void github_a_finding_about_everything_is_no_result_but_a_notification() throws IOException {
    var run = run(SampleFindings.review(new Finding("w", at(new Place.Whole()), false)));
    assertThat(run.get("results")).isEmpty();
    assertThat(run.at("/invocations/0/toolExecutionNotifications/0/level").textValue())
        .isEqualTo("error");
    assertThat(run.at("/invocations/0/executionSuccessful").booleanValue()).isTrue();
  }

  @Test
  void github_uris_are_relative_and_percent_encoded() throws IOException {
    var path = "a b/ü#?%:[x]\\/c.java";
    var uri =
        first(at(new Place.File(path)))
            .at("/locations/0/physicalLocation/artifactLocation/uri")
            .textValue();
    assertThat(uri).isEqualTo("a%20b/%C3%BC%23%3F%25%3A%5Bx%5D%5C/c.java");
    assertThat(URI.create(uri).isAbsolute()).isFalse();
    assertThat(URI.create(uri).getPath()).isEqualTo(path);
  }

  @Test
  void github_a_result_is_known_again_by_its_fingerprint() throws IOException {
    var run =
        run(SampleFindings.review(SampleFindings.finding("0123456789abcdef", Severity.MAJOR)));
    assertThat(run.at("/results/0/partialFingerprints/primaryLocationLineHash").textValue())
        .isEqualTo("0123456789abcdef:1");
  }

  @Test
  void github_levels_follow_severities() throws IOException {
    var run =
        run(
            SampleFindings.review(
                SampleFindings.finding("a", Severity.CRITICAL),
                SampleFindings.finding("b", Severity.MAJOR),
                SampleFindings.finding("c", Severity.MINOR)));
    assertThat(run.get("results").findValuesAsText("level"))
        .containsExactly("error", "error", "note");
  }

  @Test
  void github_only_security_has_a_security_severity_and_the_gravest_counts() throws IOException {
    var run =
        run(
            SampleFindings.review(
                secure("a", Severity.MINOR),
                secure("b", Severity.CRITICAL),
                SampleFindings.finding("c", Severity.MINOR)));
    var rules = list(run.at("/tool/driver/rules"));
    assertThat(rules.get(0).at("/properties/security-severity").textValue()).isEqualTo("9.5");
    assertThat(rules.get(1).at("/properties/security-severity").isMissingNode()).isTrue();
    assertThat(rules.get(1).at("/properties/problem.severity").textValue())
        .isEqualTo("recommendation");
  }

  @Test
  void github_precision_follows_confidence() throws IOException {
    var run = run(SampleFindings.review(secure("a", Severity.MAJOR)));
    assertThat(run.at("/tool/driver/rules/0/properties/precision").textValue())
        .isEqualTo("very-high");
  }

  @Test
  void github_a_rule_has_at_most_20_tags() throws IOException {
    var claim = at(Place.lines(SampleFindings.TEXT, 1, 1));
    var lenses = IntStream.range(0, 50).mapToObj(i -> "lens" + i).toList();
    var many =
        new Claim(
            claim.rule(),
            claim.place(),
            claim.severity(),
            claim.category(),
            lenses,
            "t",
            "m",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            1);
    var tags =
        run(SampleFindings.review(new Finding("a", many, false)))
            .at("/tool/driver/rules/0/properties/tags");
    assertThat(tags).hasSize(20);
    assertThat(tags.get(0).textValue()).isEqualTo("correctness");
  }

  @Test
  void github_a_run_has_at_most_25000_results_the_gravest_first() throws IOException {
    var findings =
        IntStream.range(0, 25_010)
            .mapToObj(
                i ->
                    SampleFindings.finding(
                        "f" + i, i < 25_000 ? Severity.MINOR : Severity.CRITICAL))
            .toArray(Finding[]::new);
    var run = JSON.readTree(SarifReport.of(SampleFindings.review(findings), TOOL)).at("/runs/0");
    assertThat(run.get("results")).hasSize(25_000);
    assertThat(run.at("/results/9/level").textValue()).isEqualTo("error");
    assertThat(run.at("/invocations/0/toolExecutionNotifications/0/message/text").textValue())
        .startsWith("10 findings are left out");
  }

  @Test
  void github_a_file_has_at_most_10_megabytes_when_zipped() {
    var random = new Random(7);
    var findings =
        IntStream.range(0, 13_500)
            .mapToObj(
                i -> {
                  var noise = new StringBuilder();
                  random.ints(1_000, '!', '~').forEach(noise::appendCodePoint);
                  var claim = at(Place.lines(SampleFindings.TEXT, 1, 1));
                  return new Finding(
                      "f" + i,
                      new Claim(
                          claim.rule(),
                          claim.place(),
                          claim.severity(),
                          claim.category(),
                          List.of(),
                          "t",
                          noise.toString(),
                          Optional.empty(),
                          Optional.empty(),
                          List.of(),
                          1),
                      false);
                })
            .toArray(Finding[]::new);
    var sarif = SarifReport.of(SampleFindings.review(findings), TOOL);
    assertThat(zipped(sarif)).isBetween(1_000_000, 10_000_000);
    assertThat(sarif).contains("findings are left out: GitHub takes no more in one file.");
  }

  @Test
  void github_a_run_names_its_category() throws IOException {
    assertThat(run(SampleFindings.review()).at("/automationDetails/id").textValue())
        .isEqualTo("flyball/");
  }

  @Test
  void github_what_had_no_answer_makes_the_execution_unsuccessful() throws IOException {
    var invocation = run(SampleFindings.review(GAPS)).at("/invocations/0");
    assertThat(invocation.get("executionSuccessful").booleanValue()).isFalse();
    assertThat(invocation.get("toolExecutionNotifications").findValuesAsText("text"))
        .containsExactly(
            "Not reviewed, because there was no answer: src/Broken.java",
            "Not reviewed, because there was no answer: security: src/Slow.java",
            "Skipped: lib/a.min.js (minified)");
    assertThat(invocation.get("toolExecutionNotifications").findValuesAsText("level"))
        .containsExactly("error", "error", "note");
  }

  @Test
  void github_no_fix_is_offered_that_is_not_complete() throws IOException {
    assertThat(first(at(Place.lines(SampleFindings.TEXT, 3, 3))).has("fixes")).isFalse();
  }

  @Test
  void models_are_extensions_of_the_tool() throws IOException {
    assertThat(run(SampleFindings.review()).at("/tool/extensions/0/name").textValue())
        .isEqualTo("model-a");
  }

  @Test
  void what_the_baseline_knows_is_suppressed() throws IOException {
    var result =
        run(SampleFindings.review(SampleFindings.finding("a", Severity.MAJOR).known()))
            .at("/results/0");
    assertThat(result.at("/suppressions/0/kind").textValue()).isEqualTo("external");
    assertThat(result.get("baselineState").textValue()).isEqualTo("unchanged");
  }

  @Test
  void hostile_text_has_no_power() throws IOException {
    var sarif = text(SampleFindings.review(new Finding("h", SampleFindings.hostile(), false)));
    assertThat(sarif).matches("[\\n\\x20-\\x7e]*");
    for (var text : JSON.readTree(sarif).findValuesAsText("text")) {
      assertThat(text).doesNotContain("](", "\u001b", "\u202e", "\u0007", "\u200b");
    }
  }

  private static int zipped(String text) {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.size();
  }
}
