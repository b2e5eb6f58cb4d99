package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.symbol.Symbol;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitResultTest {
  private static final String PATH = "src/Main.java";
  private static final String TEXT =
      """
      class Main {
        int one() {
          return first;
        }
        int two() {
          return second;
        }
      }
      """;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @TempDir private Path folder;

  private UnitResult report(Unit unit, JsonNode said) throws Exception {
    try (var subject = SampleUnits.folder(folder, PATH, TEXT)) {
      return UnitResult.of(unit, said, subject, "model-a");
    }
  }

  private static Unit unit() {
    return SampleUnits.unit(List.of("security", "style"), SampleUnits.lines(PATH, 1, 8));
  }

  private static ObjectNode finding() {
    return NODES
        .objectNode()
        .put("lens", "style")
        .put("file", PATH)
        .put("quote", "return first;")
        .put("severity", "critical")
        .put("category", "security")
        .put("title", "A title")
        .put("message", "A message.")
        .put("suggestion", "Do it otherwise.")
        .put("confidence", 0.9);
  }

  private static ObjectNode answer(JsonNode... findings) {
    var answer = NODES.objectNode();
    answer.putArray("reviewed").add(PATH);
    answer.putArray("findings").addAll(List.of(findings));
    answer.putArray("needsMoreContext");
    return answer;
  }

  private Claim claim(JsonNode finding) throws Exception {
    var report = report(unit(), answer(finding));
    assertThat(report.claims()).hasSize(1);
    return report.claims().getFirst();
  }

  private void assertLost(JsonNode finding) throws Exception {
    var report = report(unit(), answer(finding));
    assertThat(report.claims()).isEmpty();
    assertThat(report.lost()).isEqualTo(1);
  }

  @Test
  void a_finding_becomes_a_claim_at_the_place_of_its_quote() throws Exception {
    var claim = claim(finding());
    assertThat(claim.rule()).isEqualTo("style");
    assertThat(claim.lenses()).containsExactly("style");
    assertThat(claim.place()).isEqualTo(new Place.Lines(PATH, 3, 5, 3, 18, DiffSide.RIGHT));
    assertThat(claim.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(claim.category()).isEqualTo(Category.SECURITY);
    assertThat(claim.title()).isEqualTo("A title");
    assertThat(claim.message()).isEqualTo("A message.");
    assertThat(claim.suggestion()).contains("Do it otherwise.");
    assertThat(claim.evidence()).contains("return first;");
    assertThat(claim.sources()).containsExactly("model-a");
    assertThat(claim.confidence()).isEqualTo(0.9);
  }

  @Test
  void files_that_were_not_looked_at_are_missing() throws Exception {
    var unit =
        SampleUnits.unit(
            List.of("security"),
            SampleUnits.lines(PATH, 1, 3),
            SampleUnits.lines(PATH, 5, 8),
            SampleUnits.lines("b", 1, 2),
            SampleUnits.lines("c", 1, 2));
    var answer = answer(finding());
    answer.withArray("reviewed").add("c").add("other").add(7).addNull();
    var report = report(unit, answer);
    assertThat(report.missing()).containsExactly("b");
    assertThat(report.claims()).hasSize(1);
    assertThat(report(unit, NODES.objectNode()).missing()).containsExactly(PATH, "b", "c");
  }

  @Test
  void findings_whose_quotes_are_nowhere_are_lost_and_counted() throws Exception {
    var report =
        report(
            unit(),
            answer(
                finding().put("quote", "return third;"),
                finding(),
                finding().putNull("quote"),
                finding().put("quote", "}"),
                finding().without("quote")));
    assertThat(report.claims()).hasSize(1);
    assertThat(report.lost()).isEqualTo(4);
    assertThat(report.missing()).isEmpty();
  }

  @Test
  void findings_about_files_that_were_not_shown_are_lost() throws Exception {
    assertLost(finding().put("file", "src/Other.java"));
    assertLost(finding().put("file", "../" + PATH));
    assertLost(finding().put("file", ""));
    assertLost(finding().without("file"));
  }

  @Test
  void findings_that_say_nothing_or_are_none_are_lost() throws Exception {
    assertLost(finding().put("title", " ").put("message", "\n"));
    assertLost(NODES.textNode("All of it is wrong."));
    assertLost(NODES.nullNode());
  }

  @Test
  void a_title_stands_for_a_message_and_the_other_way_round() throws Exception {
    assertThat(claim(finding().put("title", "")).title()).isEqualTo("A message.");
    assertThat(claim(finding().putNull("message")).message()).isEqualTo("A title");
    assertThat(claim(finding().put("title", "").put("message", "One.\nTwo.")).title())
        .isEqualTo("One.");
  }

  @Test
  void a_title_has_an_end() throws Exception {
    assertThat(claim(finding().put("title", "x".repeat(5_000))).title()).hasSize(200);
  }

  @Test
  void a_title_is_not_cut_inside_a_character() throws Exception {
    var title = claim(finding().put("title", "x" + "\uD83D\uDE00".repeat(500))).title();
    assertThat(title).hasSize(199).endsWith("\uD83D\uDE00");
  }

  @Test
  void a_lens_that_was_not_asked_is_the_first_that_was() throws Exception {
    assertThat(claim(finding().put("lens", "Style")).rule()).isEqualTo("security");
    assertThat(claim(finding().put("lens", "tests")).rule()).isEqualTo("security");
    assertThat(claim(finding().putNull("lens")).rule()).isEqualTo("security");
  }

  @ParameterizedTest
  @CsvSource({
    "critical,CRITICAL",
    "HIGH,MAJOR",
    "medium,MAJOR",
    "nit,MINOR",
    "terrible,MINOR",
    "'',MINOR"
  })
  void severities_are_understood_and_else_minor(String said, Severity severity) throws Exception {
    assertThat(claim(finding().put("severity", said)).severity()).isEqualTo(severity);
    assertThat(claim(finding().put("severity", 10)).severity()).isEqualTo(Severity.MINOR);
    assertThat(claim(finding().putNull("severity")).severity()).isEqualTo(Severity.MINOR);
  }

  @Test
  void an_unknown_category_is_other_and_none_is_that_of_the_lens() throws Exception {
    assertThat(claim(finding().put("category", "Bug")).category()).isEqualTo(Category.CORRECTNESS);
    assertThat(claim(finding().put("category", "vibes")).category()).isEqualTo(Category.OTHER);
    assertThat(claim(finding().putNull("category")).category()).isEqualTo(Category.STYLE);
    assertThat(claim(finding().without("category")).category()).isEqualTo(Category.STYLE);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1,1",
    "0.25,0.25",
    "85,0.85",
    "100,1",
    "5000,1",
    "-3,0",
    "1e400,1",
    "-1e400,0",
    "'\"0.4\"',0.4",
    "'\"90\"',0.9",
    "'\"high\"',0.7",
    "'\"\"',0.7",
    "'\"NaN\"',0.7",
    "'\"Infinity\"',1",
    "null,0.7",
    "[],0.7",
    "{},0.7"
  })
  void confidences_are_understood_and_else_usual(String said, double confidence) throws Exception {
    assertThat(claim(finding().set("confidence", SampleUnits.json(said))).confidence())
        .isEqualTo(confidence);
    assertThat(claim(finding().put("confidence", Double.NaN)).confidence()).isEqualTo(0.7);
    assertThat(claim(finding().without("confidence")).confidence()).isEqualTo(0.7);
  }

  @Test
  void suggestions_are_words_or_none() throws Exception {
    assertThat(claim(finding().putNull("suggestion")).suggestion()).isEmpty();
    assertThat(claim(finding().put("suggestion", " ")).suggestion()).isEmpty();
    assertThat(claim(finding().put("suggestion", 7)).suggestion()).isEmpty();
  }

  @Test
  void across_all_parts_a_finding_may_be_about_the_whole() throws Exception {
    var across = SampleUnits.unit(List.of());
    var report =
        report(across, answer(finding().put("quote", ""), finding().put("quote", "return first;")));
    assertThat(report.claims())
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.place()).isEqualTo(new Place.Whole());
              assertThat(claim.rule()).isEqualTo("across");
            });
    assertThat(report.lost()).isEqualTo(1);
  }

  @Test
  void files_that_it_would_have_to_see_are_wanted() throws Exception {
    var answer = answer();
    answer.withArray("needsMoreContext").add("src/Other.java").add(" ").add("b");
    assertThat(report(unit(), answer).wanted()).containsExactly("src/Other.java", "b");
    assertThat(report(symbols(), answer).wanted()).containsExactly("src/Other.java", "b");
    assertThat(report(unit(), answer().put("needsMoreContext", "b")).wanted()).isEmpty();
    assertThat(report(unit(), answer().without("needsMoreContext")).wanted()).isEmpty();
  }

  // Symbols

  private static Unit symbols(Symbol... symbols) {
    return SampleUnits.unit(
        List.of(SampleUnits.lens("correction", Lens.Reply.SYMBOLS)),
        List.of(SampleUnits.lines(PATH, 1, 8, symbols)),
        1);
  }

  private static ObjectNode word(String symbol, String word) {
    return NODES
        .objectNode()
        .put("file", PATH)
        .put("symbol", symbol)
        .put("answer", word)
        .put("confidence", 0.8)
        .putNull("quote")
        .putNull("detail")
        .putNull("suggestion");
  }

  private static ObjectNode words(JsonNode... words) {
    var answer = NODES.objectNode();
    answer.putArray("reviewed").addAll(List.of(words));
    answer.putArray("needsMoreContext");
    return answer;
  }

  private static final Symbol ONE = SampleUnits.symbol("one", 2);
  private static final Symbol TWO = SampleUnits.symbol("two", 5);

  @Test
  void a_symbol_that_is_well_has_no_claim_and_another_has() throws Exception {
    var wrong =
        word("Main.two", "ERROR")
            .put("quote", "return second;")
            .put("detail", "It is never set.")
            .put("suggestion", "Set it.");
    var report = report(symbols(ONE, TWO), words(word("Main.one", "ok"), wrong));
    assertThat(report.missing()).isEmpty();
    assertThat(report.lost()).isZero();
    assertThat(report.claims())
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.rule()).isEqualTo("correction");
              assertThat(claim.place())
                  .isEqualTo(new Place.Lines(PATH, 6, 5, 6, 19, DiffSide.RIGHT));
              assertThat(claim.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(claim.category()).isEqualTo(Category.CORRECTNESS);
              assertThat(claim.title()).isEqualTo("Main.two does something wrong");
              assertThat(claim.message()).isEqualTo("It is never set.");
              assertThat(claim.suggestion()).contains("Set it.");
              assertThat(claim.confidence()).isEqualTo(0.8);
            });
  }

  @Test
  void symbols_without_a_word_are_missing() throws Exception {
    var unit = symbols(ONE, TWO);
    assertThat(report(unit, words(word("Main.two", "OK"))).missing())
        .containsExactly(PATH + "#Main.one");
    assertThat(report(unit, words()).missing())
        .containsExactly(PATH + "#Main.one", PATH + "#Main.two");
    var elsewhere = word("Main.one", "OK").put("file", "b");
    assertThat(report(unit, words(elsewhere, word("two", "OK"))).missing()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"FINE", "''", "OK or ERROR", "7"})
  void a_word_that_is_none_is_missing(String word) throws Exception {
    var report = report(symbols(ONE, TWO), words(word("Main.one", word), word("Main.two", "OK")));
    assertThat(report.missing()).containsExactly(PATH + "#Main.one");
    assertThat(report.claims()).isEmpty();
  }

  @Test
  void words_about_symbols_that_nobody_asked_about_do_not_count() throws Exception {
    var report = report(symbols(ONE), words(word("Main.one", "OK"), word("Main.three", "ERROR")));
    assertThat(report.claims()).isEmpty();
    assertThat(report.missing()).isEmpty();
  }

  @Test
  void where_a_quote_is_not_found_the_claim_is_at_the_line_of_the_symbol() throws Exception {
    var line = new Place.Lines(PATH, 5, 1, 5, 1, DiffSide.RIGHT);
    var quoted = word("Main.two", "NEEDS_FIX").put("quote", "return third;");
    assertThat(report(symbols(TWO), words(quoted)).claims())
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.place()).isEqualTo(line);
              assertThat(claim.message()).isEqualTo("Main.two goes wrong in some cases.");
            });
    assertThat(report(symbols(TWO), words(word("Main.two", "DEAD"))).claims())
        .singleElement()
        .satisfies(claim -> assertThat(claim.place()).isEqualTo(line));
  }

  /** Methods of one name have one path; each has a word of its own, in the order of the code. */
  @Test
  void symbols_of_one_name_have_their_words_in_order() throws Exception {
    var unit = symbols(SampleUnits.symbol("one", 2), SampleUnits.symbol("one", 5));
    assertThat(report(unit, words(word("Main.one", "ERROR"), word("Main.one", "OK"))).claims())
        .singleElement()
        .satisfies(
            claim ->
                assertThat(claim.place())
                    .isEqualTo(new Place.Lines(PATH, 2, 1, 2, 1, DiffSide.RIGHT)));
    assertThat(report(unit, words(word("Main.one", "OK"), word("Main.one", "ERROR"))).claims())
        .singleElement()
        .satisfies(
            claim ->
                assertThat(claim.place())
                    .isEqualTo(new Place.Lines(PATH, 5, 1, 5, 1, DiffSide.RIGHT)));
  }

  @Test
  void one_word_for_symbols_of_one_name_is_for_all_of_them() throws Exception {
    var unit = symbols(SampleUnits.symbol("one", 2), SampleUnits.symbol("one", 5));
    var report = report(unit, words(word("Main.one", "ERROR")));
    assertThat(report.missing()).isEmpty();
    assertThat(report.claims()).hasSize(2);
  }

  @Test
  void a_symbol_with_two_defects_has_two_words() throws Exception {
    var report =
        report(symbols(ONE), words(word("Main.one", "ERROR"), word("Main.one", "NEEDS_FIX")));
    assertThat(report.missing()).isEmpty();
    assertThat(report.claims()).hasSize(2);
  }

  @Test
  void a_word_that_is_none_counts_for_nothing() throws Exception {
    var report = report(symbols(ONE), words(word("Main.one", "hm"), word("Main.one", "OK")));
    assertThat(report.missing()).isEmpty();
    assertThat(report.claims()).isEmpty();
  }
}
