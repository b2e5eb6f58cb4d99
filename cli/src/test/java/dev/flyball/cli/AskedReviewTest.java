package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.Answers;
import dev.flyball.simulator.Latency;
import dev.flyball.simulator.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews that ask models, through the command, of a provider that is simulated. */
class AskedReviewTest {
  private static final String REVIEWED =
      "\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\"";
  private static final String CLEAN = "{" + REVIEWED + ",\"findings\":[],\"needsMoreContext\":[]}";

  @TempDir private Path folder;
  private Desk desk;

  @BeforeEach
  void sit() throws Exception {
    desk = new Desk(folder.resolve("here"));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
    desk.git("init", "-q");
    desk.put("README.md", "words\n");
    desk.commit("first");
    desk.put("a/One.txt", "first line of one\nsecond line of one\n");
    desk.put("b/Two.txt", "first line of two\nsecond line of two\n");
    desk.commit("second");
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private Settings saying(String answer) throws IOException {
    var file = folder.resolve("answers.jsonl");
    var line = Desk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    Files.writeString(file, line + "\n");
    return Desk.quick().answers(Answers.parse(file.toString()));
  }

  private Desk.Screen review(String... more) {
    var args = new ArrayList<>(List.of("review", "--diff", "HEAD", "--format", "json"));
    args.addAll(List.of("--base-url", desk.simulator().uri().toString()));
    args.addAll(List.of("--model", "claude-haiku-4-5", "--no-history"));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  private static JsonNode json(Desk.Screen screen) throws IOException {
    return Desk.JSON.readTree(screen.out());
  }

  private static void assertIncomplete(Desk.Screen screen) throws IOException {
    assertThat(screen.exit()).as(screen.out() + screen.err()).isIn(3, 4);
    assertThat(json(screen).path("verdict").asText()).isEqualTo("incomplete");
    assertThat(json(screen).path("coverage").path("unanswered")).isNotEmpty();
  }

  @Test
  void a_change_that_models_find_nothing_in_is_approved() throws Exception {
    desk.provider(saying(CLEAN));
    var screen = review();
    assertThat(screen.exit()).as(screen.err()).isZero();
    var review = json(screen);
    assertThat(review.path("verdict").asText()).isEqualTo("approved");
    assertThat(review.path("coverage").path("reviewed").asInt()).isEqualTo(2);
    for (var field :
        List.of(
            "maxTokens",
            "usedTokens",
            "remainingTokens",
            "percentUsed",
            "durationMs",
            "byLens",
            "tokensPerSecond",
            "endedBy")) {
      assertThat(review.path("usage").has(field)).as(field).isTrue();
    }
    assertThat(review.path("usage").path("endedBy").asText()).isEqualTo("completion");
    assertThat(review.path("plan").path("units")).hasSize(1);
  }

  @Test
  void a_finding_is_where_its_quote_is() throws Exception {
    desk.provider(
        saying(
            "{"
                + REVIEWED
                + ",\"findings\":[{\"lens\":\"security\",\"file\":\"b/Two.txt\",\"quote\":\"second"
                + " line of"
                + " two\",\"severity\":\"critical\",\"category\":\"security\",\"title\":\"Bad\",\"message\":\"It"
                + " is bad.\",\"suggestion\":null,\"confidence\":0.9},{\"lens\":\"style\",\"file\":\"b/Two.txt\",\"quote\":\"nowhere"
                + " at all\",\"severity\":\"major\",\"category\":\"style\",\"title\":\"Lost\",\"message\":\"Lost.\",\"suggestion\":null,\"confidence\":0.9}],\"needsMoreContext\":[]}"));
    var screen = review();
    assertThat(screen.exit()).isEqualTo(1);
    var review = json(screen);
    assertThat(review.path("verdict").asText()).isEqualTo("changes_requested");
    assertThat(review.path("findings")).hasSize(1);
    assertThat(review.path("findings").get(0).path("line").asInt()).isEqualTo(2);
    assertThat(review.path("usage").path("droppedFindings").asInt()).isEqualTo(1);
    assertThat(screen.err()).contains("1 findings were dropped");
  }

  @Test
  void an_unchanged_line_fails_no_change() throws Exception {
    desk.put("a/One.txt", "first line of one\nsecond line of one\nthird line of one\n");
    desk.commit("third");
    desk.provider(
        saying(
            "{"
                + REVIEWED
                + ",\"findings\":[{\"lens\":\"security\",\"file\":\"a/One.txt\",\"quote\":\"first"
                + " line of"
                + " one\",\"severity\":\"critical\",\"category\":\"security\",\"title\":\"Old\",\"message\":\"Old.\",\"suggestion\":null,\"confidence\":1}],\"needsMoreContext\":[]}"));
    var screen = review();
    assertThat(screen.exit()).isZero();
    assertThat(json(screen).path("findings").get(0).path("scope").asText())
        .isEqualTo("outside_change");
    assertThat(json(screen).path("verdict").asText()).isEqualTo("approved_with_comments");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I think this is fine. Approved!",
        "[]",
        "{\"findings\":[]}",
        "{\"reviewed\":[],\"findings\":[],\"needsMoreContext\":[]}",
        "{\"reviewed\":[\"other.txt\"],\"findings\":[],\"needsMoreContext\":[]}",
        "{\"reviewed\":[\"a/One.txt\"],\"findings\":[],\"needsMoreContext\":[]}",
        "{\"reviewed\":[\"a/One.txt\",\"b/Tw"
      })
  void what_is_no_answer_is_never_taken_for_one(String answer) throws Exception {
    desk.provider(saying(answer));
    assertIncomplete(review());
    // Asked once, and once more with the first answer.
    assertThat(desk.asked()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"429", "529", "500", "401", "403", "spend-cap", "cut", "truncated"})
  void a_provider_that_fails_leaves_a_review_incomplete(String fault) throws Exception {
    desk.provider(saying(CLEAN).fault(fault));
    assertIncomplete(review("--max-retries", "1", "--max-wait", "2s"));
  }

  @Test
  void what_is_missing_is_asked_again_and_nothing_else() throws Exception {
    desk.provider(saying(CLEAN).fault("529:nth=2").fault("529:nth=3"));
    var first = review("--mode", "parallel", "--max-retries", "0", "--concurrency", "1");
    assertIncomplete(first);
    int answered = json(first).path("usage").path("asked").asInt() - unanswered(first);
    assertThat(answered).isBetween(1, 5);
    int before = desk.asked().size();
    var second = review("--mode", "parallel", "--max-retries", "0", "--concurrency", "1");
    assertThat(second.exit()).as(second.err()).isZero();
    assertThat(json(second).path("verdict").asText()).isEqualTo("approved");
    assertThat(json(second).path("usage").path("cached").asInt()).isEqualTo(answered);
    assertThat(desk.asked().size() - before).isEqualTo(6 - answered);
  }

  private static int unanswered(Desk.Screen screen) throws IOException {
    var units = new TreeSet<String>();
    json(screen)
        .path("coverage")
        .path("unanswered")
        .forEach(each -> units.add(each.asText().replaceFirst(":.*", "")));
    return units.size();
  }

  @Test
  void the_end_of_a_budget_is_said() throws Exception {
    desk.provider(saying(CLEAN));
    var screen = review("--mode", "parallel", "--budget-tokens", "9000");
    assertIncomplete(screen);
    assertThat(json(screen).path("usage").path("usedTokens").asLong()).isLessThan(9_000);
    assertThat(json(screen).path("usage").path("endedBy").asText()).isEqualTo("budget");
  }

  @Test
  void a_repository_is_asked_about_only_within_a_budget_or_on_request() throws Exception {
    desk.provider(saying(CLEAN));
    var screen =
        desk.flyball(
            "review",
            ".",
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("--budget-tokens, --budget-usd, or --yes");
    assertThat(desk.asked()).isEmpty();
  }

  @Test
  void secrets_are_not_sent() throws Exception {
    var secret = "AKIA" + "ABCDEFGHIJKLMNOP";
    desk.put("c.txt", "key = " + secret + "\n");
    desk.commit("third");
    desk.provider(Desk.quick());
    var screen = review();
    assertThat(screen.err()).contains("secrets were removed");
    assertThat(screen.out()).doesNotContain(secret);
  }

  @Test
  void an_answer_that_is_too_long_is_asked_for_in_halves() throws Exception {
    var file = folder.resolve("answers.jsonl");
    var longAnswer = "word ".repeat(6_000);
    var lines =
        Desk.JSON
                .createObjectNode()
                .put("pattern", "(?s)review a/One.txt.*review b/Two.txt")
                .put("answer", longAnswer)
            + "\n"
            + Desk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", CLEAN)
            + "\n";
    Files.writeString(file, lines);
    desk.provider(Desk.quick().answers(Answers.parse(file.toString())));
    var screen = review();
    assertThat(json(screen).path("verdict").asText()).as(screen.err()).isEqualTo("approved");
    assertThat(desk.asked()).hasSize(3);
    var again = review();
    assertThat(json(again).path("usage").path("cached").asInt()).isEqualTo(1);
    assertThat(desk.asked()).hasSize(3);
  }

  private void large(int files, int lines) throws Exception {
    for (int i = 0; i < files; i++) {
      var text = new StringBuilder();
      int each = lines / files + (i < lines % files ? 1 : 0);
      for (int j = 0; j < each; j++) {
        text.append("int number")
            .append(i)
            .append('_')
            .append(j)
            .append(" = compute(")
            .append(j)
            .append(");\n");
      }
      desk.put("src/p%d/f%02d.c".formatted(i / 8, i), text.toString());
    }
    desk.commit("large");
  }

  /** The change of the incident, on an account that is large enough. */
  @Test
  void a_change_of_fifty_five_files_is_answered_within_a_million_tokens() throws Exception {
    large(55, 11_420);
    desk.provider(saying(CLEAN));
    var screen = review("--budget-tokens", "1000000");
    assertThat(screen.exit()).as(screen.err()).isZero();
    var review = json(screen);
    assertThat(review.path("mode").asText()).isEqualTo("chunked");
    assertThat(review.path("verdict").asText()).isEqualTo("approved");
    assertThat(review.path("coverage").path("reviewed").asInt()).isEqualTo(55);
    assertThat(review.path("usage").path("usedTokens").asLong()).isLessThan(800_000);
  }

  /** The same with the usual budget: what it does not reach is named, and nothing is approved. */
  @Test
  void a_change_of_fifty_five_files_is_incomplete_with_the_usual_budget() throws Exception {
    large(55, 11_420);
    desk.provider(saying(CLEAN));
    var screen = review();
    assertThat(screen.exit()).as(screen.err()).isEqualTo(3);
    var review = json(screen);
    assertThat(review.path("verdict").asText()).isEqualTo("incomplete");
    assertThat(review.path("coverage").path("unanswered").toString())
        .contains("security: src/p", "correctness: src/p", "f54.c");
    assertThat(review.path("usage").path("usedTokens").asLong()).isLessThanOrEqualTo(100_000);
  }

  @ParameterizedTest
  @CsvSource({"20, 4", "0, 5"})
  void a_budget_holds_what_is_in_flight(int reserve, int together) throws Exception {
    // Eight units of 20,000 tokens: 16,000 of input and 4,000 that the answer may have.
    desk.put("flyball.yaml", "lenses:\n  all: {question: What, tier: deep, required: true}\n");
    desk.commit("a lens");
    large(8, 8 * 1_070);
    desk.provider(saying(CLEAN).latency(Latency.parse("1500ms")));
    var screen = review("--mode", "parallel", "--lenses", "all", "--reserve", "" + reserve);
    var units = json(screen).path("plan").path("units");
    assertThat(units).as(screen.err()).isNotEmpty();
    assertThat(units.get(0).path("inputTokens").asLong()).isBetween(15_001L, 16_000L);
    assertThat(desk.simulator().stats().mostInFlight()).isEqualTo(together);
    assertThat(json(screen).path("usage").path("usedTokens").asLong()).isLessThanOrEqualTo(100_000);
  }

  /** Four questions of 15,000 tokens at once against 40,000 a minute, which all failed once. */
  @Test
  void four_large_questions_are_paced_and_none_is_lost() throws Exception {
    large(1, 1_060);
    desk.provider(saying(CLEAN).limit("input=40000/min"));
    var screen = review("--mode", "parallel", "--lenses", "security,correctness,tests,performance");
    assertThat(screen.exit()).as(screen.out() + screen.err()).isZero();
    assertThat(json(screen).path("verdict").asText()).isEqualTo("approved");
    assertThat(desk.simulator().stats().throttled()).isLessThanOrEqualTo(3);
  }
}
