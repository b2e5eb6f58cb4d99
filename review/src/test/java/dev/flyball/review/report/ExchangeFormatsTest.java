package dev.flyball.review.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SampleFindings;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** The formats that other programs read, each held against its rules. */
final class ExchangeFormatsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant MADE = Instant.parse("2026-11-18T20:00:00Z");

  private static Schema schema(String name) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(ExchangeFormatsTest.class.getResourceAsStream(name), InputFormat.JSON);
  }

  private static JsonNode json(String text, String schema) throws Exception {
    assertThat(schema(schema).validate(text, InputFormat.JSON)).isEmpty();
    assertThat(text).doesNotStartWith("\uFEFF");
    return JSON.readTree(text);
  }

  private static Document xml(String text, String schema) throws Exception {
    var rules =
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
            .newSchema(Objects.requireNonNull(ExchangeFormatsTest.class.getResource(schema)));
    rules.newValidator().validate(new StreamSource(new StringReader(text)));
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(text)));
  }

  private static Review everything() {
    return HtmlReportTest.everything();
  }

  @Test
  void code_quality_has_an_entry_for_each_finding_of_a_file_that_counts() throws Exception {
    var entries = json(CodeQualityReport.of(everything()), "code-quality.schema.json");
    // Of six one is known, one is refuted and one is about no file.
    assertThat(entries).hasSize(3);
    assertThat(entries.findValuesAsText("fingerprint")).doesNotHaveDuplicates();
    assertThat(entries.findValuesAsText("severity"))
        .containsExactlyInAnyOrder("critical", "critical", "major");
    var place = entries.findValues("begin");
    assertThat(place).hasSize(3);
  }

  @Test
  void fingerprints_stay_when_lines_move() {
    var claim = SampleFindings.claim("r", Severity.MAJOR, Place.lines(SampleFindings.TEXT, 3, 3));
    var moved =
        SourceText.of("src/Main.java", "// one more line\n" + SampleFindings.TEXT.content());
    var later = SampleFindings.claim("r", Severity.MAJOR, Place.lines(moved, 4, 4));
    var before = Finding.identify(List.of(claim, claim), SampleFindings.texts(SampleFindings.TEXT));
    var after = Finding.identify(List.of(later, later), SampleFindings.texts(moved));
    assertThat(after.stream().map(Finding::id).toList())
        .isEqualTo(before.stream().map(Finding::id).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void diagnostics_are_as_reviewdog_reads_them() throws Exception {
    var texts = SampleFindings.texts(SampleFindings.TEXT);
    var whole = json(DiagnosticReport.whole(everything(), texts), "rdjson.schema.json");
    assertThat(whole.path("diagnostics")).hasSize(3);
    var lines = DiagnosticReport.lines(everything(), texts).lines().toList();
    assertThat(lines).hasSize(3);
    for (var line : lines) {
      json("{\"source\":{\"name\":\"x\"},\"diagnostics\":[" + line + "]}", "rdjson.schema.json");
    }
    assertThat(
            StreamSupport.stream(whole.path("diagnostics").spliterator(), false)
                .map(each -> each.path("severity").asText()))
        .containsExactlyInAnyOrder("ERROR", "ERROR", "WARNING");
  }

  @Test
  void columns_of_diagnostics_count_bytes() throws Exception {
    var text = SourceText.of("a.txt", "äöü🍎 wrong here\n");
    int from = text.line(1).indexOf("wrong") + 1;
    var place = new Place.Lines("a.txt", 1, from, 1, from + 5, DiffSide.RIGHT);
    var finding = new Finding("a", SampleFindings.claim("r", Severity.MAJOR, place), false);
    var report = DiagnosticReport.whole(SampleFindings.review(finding), SampleFindings.texts(text));
    var range = json(report, "rdjson.schema.json").at("/diagnostics/0/location/range");
    // Three letters of two bytes, one of four, and a blank.
    assertThat(range.at("/start/column").asInt()).isEqualTo(3 * 2 + 4 + 1 + 1);
    assertThat(range.at("/end/column").asInt()).isEqualTo(3 * 2 + 4 + 1 + 5 + 1);
  }

  @Test
  void advice_that_is_the_line_as_it_should_be_replaces_it() throws Exception {
    var text = SourceText.of("a.py", "def f():\n    return items[a:b - 1]\n");
    var place = new Place.Lines("a.py", 2, 5, 2, 26, DiffSide.RIGHT);
    assertThat(replacement(text, place, "return items[a:b - 1]", "return items[a:b]"))
        .contains("    return items[a:b]");
    assertThat(
            replacement(
                text, place, "    return items[a:b - 1]", "```python\nreturn items[a:b]\n```"))
        .contains("    return items[a:b]");
    assertThat(replacement(text, place, "return items[a:b - 1]", "Return all items from a to b."))
        .isEmpty();
    assertThat(replacement(text, place, "items[a:b - 1]", "items[a:b]"))
        .as("a part of a line is not the line")
        .isEmpty();
    assertThat(replacement(text, place, "return items[a:b - 1]", "return items[a:b]\u202E"))
        .as("nobody sees what that is")
        .isEmpty();
  }

  private static Optional<String> replacement(
      SourceText text, Place.Lines place, String quote, String advice) {
    var claim =
        new Claim(
            "r",
            place,
            Severity.MAJOR,
            Category.CORRECTNESS,
            List.of("l"),
            "t",
            "m",
            Optional.of(advice),
            Optional.of(quote),
            List.of("s"),
            0.9);
    return FindingComment.replacement(new Finding("a", claim, false), Optional.of(text));
  }

  @Test
  void junit_fails_what_the_gate_stops_and_errs_where_nobody_answered() throws Exception {
    var document = xml(JUnitReport.of(everything(), Gate.CRITICAL, MADE), "junit.xsd");
    assertCounts(document);
    assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(2);
    assertThat(document.getElementsByTagName("error").getLength()).isEqualTo(1);
    assertThat(document.getElementsByTagName("system-out").getLength()).isEqualTo(4);
    var strict = xml(JUnitReport.of(everything(), Gate.MAJOR, MADE), "junit.xsd");
    assertCounts(strict);
    assertThat(strict.getElementsByTagName("failure").getLength()).isEqualTo(4);
    var clean = xml(JUnitReport.of(SampleFindings.review(), Gate.MINOR, MADE), "junit.xsd");
    assertCounts(clean);
    assertThat(clean.getElementsByTagName("testcase").getLength()).isEqualTo(1);
  }

  /** What a suite says of itself is what is in it. */
  private static void assertCounts(Document document) {
    int tests = 0;
    var suites = document.getElementsByTagName("testsuite");
    for (int i = 0; i < suites.getLength(); i++) {
      var suite = (Element) suites.item(i);
      for (var name : List.of("failure", "error")) {
        assertThat(Integer.parseInt(suite.getAttribute(name + "s")))
            .isEqualTo(suite.getElementsByTagName(name).getLength());
      }
      int there = suite.getElementsByTagName("testcase").getLength();
      assertThat(Integer.parseInt(suite.getAttribute("tests"))).isEqualTo(there);
      tests += there;
    }
    assertThat(Integer.parseInt(document.getDocumentElement().getAttribute("tests")))
        .isEqualTo(tests);
  }

  @Test
  void checkstyle_has_an_error_for_each_finding_that_counts() throws Exception {
    var document = xml(CheckstyleReport.of(everything()), "checkstyle.xsd");
    assertThat(document.getElementsByTagName("error").getLength()).isEqualTo(4);
    assertThat(document.getElementsByTagName("file").getLength()).isEqualTo(2);
  }

  @Test
  void a_review_that_is_kept_is_read_back_the_same() throws Exception {
    var stored =
        StoredReview.of(
            "20261118-200000-0123abcd",
            MADE,
            "main...HEAD",
            everything(),
            NullNode.getInstance(),
            JSON.readTree("{\"a\":1}"),
            SampleFindings.texts(SampleFindings.TEXT));
    var back = ReviewCodec.read(JSON.readTree(ReviewCodec.write(stored).toString()));
    assertThat(back).isEqualTo(stored);
    var text = back.read().apply(Place.lines(SampleFindings.TEXT, 3, 3)).orElseThrow();
    assertThat(text.line(3)).isEqualTo(SampleFindings.TEXT.line(3));
  }

  @Test
  void a_kept_review_has_no_secret_of_the_code() {
    var text = SourceText.of("a.py", "password = \"hunter2hunter2XyZ9\"\nconnect(password)\n");
    var finding =
        new Finding("a", SampleFindings.claim("r", Severity.MAJOR, Place.lines(text, 2, 2)), false);
    var stored =
        StoredReview.of(
            "20261118-200000-0123abcd",
            MADE,
            "x",
            SampleFindings.review(finding),
            NullNode.getInstance(),
            NullNode.getInstance(),
            SampleFindings.texts(text));
    assertThat(ReviewCodec.write(stored).toString()).doesNotContain("hunter2hunter2XyZ9");
  }
}
