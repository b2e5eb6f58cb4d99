package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews that ask models, through the command, of a provider that is simulated. */
class AskedReviewTest {
  private static final String REVIEWED =
      "\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}\"";
  private static final String CLEAN = "{" + REVIEWED + ",\"findings\":[],\"needsMoreContext\":[]}";

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(folder.resolve("here"));
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
    var line = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    Files.writeString(file, line + "\n");
    return CommandDesk.quick().answers(Answers.parse(file.toString()));
  }

  private CommandDesk.Screen review(String... more) {
    var args = new ArrayList<>(List.of("review", "--diff", "HEAD", "--format", "json"));
    args.addAll(List.of("--base-url", desk.simulator().uri().toString()));
    args.addAll(List.of("--model", "claude-haiku-4-5", "--no-history"));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  /** By one lens, so that there is one question. */
  private CommandDesk.Screen ask(String... more) {
    var args = new ArrayList<>(List.of("--lenses", "security", "--no-verify"));
    args.addAll(List.of(more));
    return review(args.toArray(String[]::new));
  }

  private static JsonNode json(CommandDesk.Screen screen) throws IOException {
    return CommandDesk.JSON.readTree(screen.out());
  }

  private static void assertIncomplete(CommandDesk.Screen screen) throws IOException {
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
    assertThat(review.path("plan").path("units")).hasSize(3);
  }

  /** Reviews by what they are of, in the history of a folder. */
  private String counted(String history) {
    return desk.flyball(
            "usage", "--by=review", "--format=csv", "--simulated", "--history=" + history)
        .out()
        .lines()
        .skip(1)
        .map(line -> line.replaceAll("^([^,]*,[^,]*),.*", "$1"))
        .collect(Collectors.joining("; "));
  }

  @Test
  void a_second_review_of_the_same_state_is_no_second_review() throws Exception {
    var history = folder.resolve("history.db").toString();
    for (var subject : List.of("--diff=HEAD", "--worktree", "a")) {
      if (subject.endsWith("worktree")) {
        desk.put("a/One.txt", "another first line of one\n");
      }
      for (int i = 0; i < 2; i++) {
        var screen =
            desk.flyball(
                "review",
                subject,
                "--provider=simulated",
                "--lenses=security",
                "--yes",
                "--history",
                history);
        assertThat(screen.exit()).as(screen.err()).isZero();
      }
    }
    assertThat(counted(history))
        .isEqualTo(
            "local here %s,1; local here HEAD,1; local here worktree,1"
                .formatted(desk.folder.resolve("a")));
    desk.put("a/One.txt", "one more first line of one\n");
    assertThat(
            desk.flyball(
                    "review",
                    "a",
                    "--provider=simulated",
                    "--lenses=security",
                    "--yes",
                    "--history",
                    history)
                .exit())
        .isZero();
    assertThat(counted(history)).contains("/a,2; ");
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
    var screen = ask();
    assertThat(screen.exit()).isEqualTo(1);
    var review = json(screen);
    assertThat(review.path("verdict").asText()).isEqualTo("changes_requested");
    assertThat(review.path("findings")).hasSize(1);
    assertThat(review.path("findings").get(0).path("line").asInt()).isEqualTo(2);
    assertThat(review.path("usage").path("droppedFindings").asInt()).isEqualTo(1);
    assertThat(screen.err()).contains("1 finding dropped");
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
    assertIncomplete(ask());
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

  private static int unanswered(CommandDesk.Screen screen) throws IOException {
    var units = new TreeSet<String>();
    json(screen)
        .path("coverage")
        .path("unanswered")
        .forEach(each -> units.add(each.asText().replaceFirst(":.*", "")));
    return units.size();
  }

  /** No longest answer fits, and together they would need three budgets: each in its turn fits. */
  @Test
  void a_budget_below_one_longest_answer_is_spent_on_one_after_the_other() throws Exception {
    desk.provider(saying(CLEAN).latency(Latency.parse("300ms")));
    var screen = review("--budget-tokens", "9000");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(json(screen).path("verdict").asText()).isEqualTo("approved");
    assertThat(json(screen).path("usage").path("droppedLenses")).isEmpty();
    assertThat(json(screen).path("usage").path("usedTokens").asLong()).isLessThanOrEqualTo(9_000);
  }

  @Test
  void the_end_of_a_budget_is_said() throws Exception {
    desk.provider(saying(CLEAN));
    var screen = review("--mode", "parallel", "--budget-tokens", "2500");
    assertIncomplete(screen);
    assertThat(json(screen).path("usage").path("usedTokens").asLong()).isLessThanOrEqualTo(2_500);
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
    assertThat(screen.err()).contains("--budget-tokens, --budget-usd or --yes");
    assertThat(desk.asked()).isEmpty();
  }

  @Test
  void secrets_are_not_sent() throws Exception {
    var secret = "AKIA" + "ABCDEFGHIJKLMNOP";
    desk.put("c.txt", "key = " + secret + "\n");
    desk.commit("third");
    desk.provider(CommandDesk.quick());
    var screen = review();
    assertThat(screen.err()).contains("removed from what was sent");
    assertThat(screen.out()).doesNotContain(secret);
  }

  @Test
  void an_answer_that_is_too_long_is_asked_for_in_halves() throws Exception {
    var file = folder.resolve("answers.jsonl");
    var longAnswer = "word ".repeat(40_000);
    var lines =
        CommandDesk.JSON
                .createObjectNode()
                .put("pattern", "(?s)review a/One.txt.*review b/Two.txt")
                .put("answer", longAnswer)
            + "\n"
            + CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", CLEAN)
            + "\n";
    Files.writeString(file, lines);
    desk.provider(CommandDesk.quick().answers(Answers.parse(file.toString())));
    var screen = ask();
    assertThat(json(screen).path("verdict").asText()).as(screen.err()).isEqualTo("approved");
    assertThat(desk.asked()).hasSize(4);
    var again = ask();
    assertThat(json(again).path("usage").path("cached").asInt()).isEqualTo(1);
    assertThat(desk.asked()).hasSize(4);
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

  /** The same with the usual budget, which is as large as its plan. */
  @Test
  void a_change_of_fifty_five_files_is_answered_with_the_usual_budget() throws Exception {
    large(55, 11_420);
    desk.provider(saying(CLEAN));
    var screen = review("--progress", "plain");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.err()).contains("budget: up to 1,000,000 tokens");
    assertThat(json(screen).path("usage").path("droppedLenses")).isEmpty();
  }

  /** With less: what it does not reach is named, nothing is approved, and nothing is left over. */
  @Test
  void a_change_of_fifty_five_files_is_incomplete_with_a_small_budget() throws Exception {
    large(55, 11_420);
    desk.provider(saying(CLEAN));
    var screen = review("--budget-tokens", "100000");
    assertThat(screen.exit()).as(screen.err()).isEqualTo(3);
    var review = json(screen);
    assertThat(review.path("verdict").asText()).isEqualTo("incomplete");
    assertThat(review.path("coverage").path("unanswered").toString())
        .contains("security: src/p", "correctness: src/p", "f54.c");
    assertThat(review.path("usage").path("usedTokens").asLong()).isBetween(70_000L, 100_000L);
    assertThat(review.path("usage").path("droppedLenses").toString())
        .contains("security", "correctness", "tests+performance+architecture+style");
  }

  @Test
  void a_budget_holds_what_is_in_flight() throws Exception {
    // Units of less than 25,000 tokens: the input, and 4,000 that the answer may have.
    desk.put("flyball.yaml", "lenses:\n  all: {question: What, tier: deep, required: true}\n");
    desk.commit("a lens");
    large(8, 8 * 1_070);
    desk.provider(saying(CLEAN).latency(Latency.parse("1500ms")));
    var screen = review("--lenses", "all", "--budget-tokens", "100000", "--max-output", "4000");
    var units = json(screen).path("plan").path("units");
    assertThat(units).as(screen.err()).isNotEmpty();
    long held = units.get(0).path("inputTokens").asLong() + 4_000;
    assertThat(desk.simulator().stats().mostInFlight()).isBetween(2L, 100_000 / held + 1);
    assertThat(json(screen).path("usage").path("usedTokens").asLong()).isLessThanOrEqualTo(100_000);
  }

  @Test
  void concurrency_is_of_the_whole_review_with_both_of_its_models() throws Exception {
    large(6, 6 * 200);
    desk.provider(saying(CLEAN).latency(Latency.parse("50ms")));
    var screen =
        review("--mode", "parallel", "--fast-model", "claude-sonnet-5", "--concurrency", "1");
    assertThat(json(screen).path("plan").path("units").size()).isGreaterThan(1);
    assertThat(desk.simulator().stats().mostInFlight()).isEqualTo(1);
  }

  @Test
  void lenses_read_the_code_from_the_cache_that_the_first_has_filled() throws Exception {
    large(2, 2 * 300);
    desk.provider(saying(CLEAN).latency(Latency.parse("200ms")));
    var screen = review("--lenses", "security,correctness,tests");
    assertThat(json(screen).path("plan").path("units").size()).as(screen.err()).isEqualTo(3);
    var stats = desk.simulator().stats();
    assertThat(stats.cacheWrittenTokens()).isGreaterThan(5_000);
    assertThat(stats.cacheReadTokens()).isEqualTo(2 * stats.cacheWrittenTokens());
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

  private static String finding(String file, String quote, String title, String advice) {
    return CommandDesk.JSON
        .createObjectNode()
        .put("lens", "any")
        .put("file", file)
        .put("quote", quote)
        .put("severity", "major")
        .put("category", "correctness")
        .put("title", title)
        .put("message", title + ".")
        .put("suggestion", advice)
        .put("confidence", 0.75)
        .toString();
  }

  private Settings scripted(Map<String, String> answers) throws IOException {
    var file = folder.resolve("answers.jsonl");
    var lines = new StringBuilder();
    answers.forEach(
        (system, answer) ->
            lines.append(
                CommandDesk.JSON
                        .createObjectNode()
                        .put(
                            system.startsWith("system:") ? "system" : "pattern",
                            system.replaceFirst("^system:", ""))
                        .put("answer", answer)
                    + "\n"));
    Files.writeString(file, lines);
    return CommandDesk.quick().answers(Answers.parse(file.toString()));
  }

  @Test
  void two_samples_ask_everything_twice_and_what_both_find_is_surer() throws Exception {
    var found = finding("a/One.txt", "second line of one", "Wrong", "Mend it.");
    desk.provider(
        saying("{" + REVIEWED + ",\"findings\":[" + found + "],\"needsMoreContext\":[]}"));
    var once = json(ask());
    assertThat(once.path("plan").path("units")).hasSize(1);
    assertThat(once.path("findings").get(0).path("confidence").asDouble()).isEqualTo(0.75);
    var twice = json(ask("--samples", "2"));
    assertThat(twice.path("plan").path("units")).hasSize(2);
    assertThat(twice.path("usage").path("cached").asInt()).as("the first sample").isEqualTo(1);
    assertThat(twice.path("findings")).hasSize(1);
    var finding = twice.path("findings").get(0);
    assertThat(finding.path("confidence").asDouble()).isEqualTo(0.85);
    assertThat(finding.path("sources").toString())
        .isEqualTo("[\"claude-haiku-4-5\",\"claude-haiku-4-5 #2\"]");
    assertThat(desk.asked()).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void a_second_look_refutes_what_is_wrong_and_joins_what_is_the_same() throws Exception {
    var answers = new LinkedHashMap<String, String>();
    answers.put(
        "(?s)^(?!.*code of a/One.*code of a/One).*code of a/One.*Check each claim",
        "{\"checked\":[{\"number\":1,\"verdict\":\"holds\",\"reason\":\"It does.\"},"
            + "{\"number\":2,\"verdict\":\"holds\",\"reason\":\"It does.\"},"
            + "{\"number\":3,\"verdict\":\"refuted\",\"reason\":\"Nobody calls it.\"}],"
            + "\"pairs\":[{\"number\":1,\"same\":true}]}");
    var first = finding("a/One.txt", "second line of one", "Wrong total", "Mend it.");
    var other = finding("a/One.txt", "second line of one", "Sums are off", "Add them.");
    var third = finding("b/Two.txt", "second line of two", "Leaks", "Close it.");
    answers.put(
        "(?m)^## security$",
        "{" + REVIEWED + ",\"findings\":[" + first + "],\"needsMoreContext\":[]}");
    answers.put(
        "(?m)^## correctness$",
        "{" + REVIEWED + ",\"findings\":[" + other + "," + third + "],\"needsMoreContext\":[]}");
    desk.provider(scripted(answers));
    var screen = review("--lenses", "security,correctness", "--fail-on", "major");
    var review = json(screen);
    assertThat(review.path("findings")).as(screen.err()).hasSize(2);
    assertThat(review.path("findings").get(0).path("lenses")).hasSize(2);
    assertThat(review.path("findings").get(1).path("refuted").asText())
        .isEqualTo("Nobody calls it.");
    assertThat(screen.err())
        .as("the code of a file is shown once, or nothing is answered")
        .contains("second look at 3 critical or major findings, 1 refuted");
    assertThat(screen.exit()).as("the one that holds is at the gate").isEqualTo(1);
  }

  @Test
  void a_contradiction_is_shown_and_settled_on_request() throws Exception {
    var answers = new LinkedHashMap<String, String>();
    answers.put(
        "system:(?s)cannot both be followed",
        "{\"settled\":[{\"number\":1,\"holds\":\"second\",\"reason\":\"It is needed.\"}]}");
    var missing = finding("a/One.txt", "second line of one", "Missing check of one", "Add it.");
    var needless =
        finding("a/One.txt", "second line of one", "Needless check of one", "Remove it.");
    answers.put(
        "(?s)## security",
        "{" + REVIEWED + ",\"findings\":[" + needless + "],\"needsMoreContext\":[]}");
    answers.put(
        "(?s)## correctness",
        "{" + REVIEWED + ",\"findings\":[" + missing + "],\"needsMoreContext\":[]}");
    desk.provider(scripted(answers));
    var shown = review("--no-verify", "--lenses", "security,correctness");
    assertThat(json(shown).path("findings")).as(shown.err()).hasSize(2);
    assertThat(json(shown).path("contradictions")).hasSize(1);
    assertThat(json(shown).path("contradictions").get(0).path("settled").isNull()).isTrue();
    var settled = review("--no-verify", "--lenses", "security,correctness", "--deliberate");
    var contradiction = json(settled).path("contradictions").get(0);
    assertThat(contradiction.path("settled").path("reason").asText()).isEqualTo("It is needed.");
    assertThat(contradiction.path("overruled")).hasSize(1);
    assertThat(json(settled).path("findings")).hasSize(1);
    assertThat(json(settled).path("usage").path("byLens").has("deliberation")).isTrue();
    int asked = desk.asked().size();
    review("--no-verify", "--lenses", "security,correctness", "--deliberate");
    assertThat(desk.asked()).as("what was settled is not asked again").hasSize(asked);
  }

  /** A blank that answers a word for each symbol that is asked about. */
  private static String ofEachSymbol(String word) {
    var entry =
        CommandDesk.JSON
            .createObjectNode()
            .put("file", "$1")
            .put("symbol", "$2")
            .put("answer", word)
            .put("confidence", 0.9);
    return "{{each:(?m)^- (\\S+): (.+)$=>" + entry + "}}";
  }

  @Test
  void a_repository_is_answered_symbol_by_symbol() throws Exception {
    desk.put(
        "src/Calculator.java",
        """
        public class Calculator {
          public int half(int n) {
            return n / 2;
          }

          public int twice(int n) {
            return n * 2;
          }
        }
        """);
    desk.commit("code");
    var answers = new LinkedHashMap<String, String>();
    for (var lens :
        Map.of(
                "correctness", "OK",
                "best-practices", "GOOD",
                "utility", "DEAD",
                "duplication", "UNIQUE",
                "overengineering", "LEAN",
                "tests", "NONE",
                "documentation", "DOCUMENTED")
            .entrySet()) {
      var reply = CommandDesk.JSON.createObjectNode();
      reply.putArray("reviewed").add(ofEachSymbol(lens.getValue()));
      reply.putArray("needsMoreContext");
      answers.put("(?m)^## " + lens.getKey() + "$", reply.toString());
    }
    desk.provider(scripted(answers));
    var screen =
        desk.flyball(
            "review",
            ".",
            "--yes",
            "--format",
            "json",
            "--no-history",
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5");
    var review = json(screen);
    assertThat(review.path("mode").asText()).as(screen.err()).isEqualTo("repository");
    assertThat(review.path("coverage").path("unanswered")).isEmpty();
    assertThat(review.path("findings").findValuesAsText("title"))
        .contains("Calculator.half is used nowhere", "Calculator.twice has no test");
    assertThat(review.path("findings").findValuesAsText("category"))
        .contains("architecture", "tests");
    assertThat(review.path("contradictions")).as("what is used nowhere needs no test").isNotEmpty();
  }

  @Test
  void a_word_that_is_none_of_the_lens_is_no_answer() throws Exception {
    desk.put("src/A.java", "class A {\n  int one() {\n    return 1;\n  }\n}\n");
    desk.commit("code");
    var reply = CommandDesk.JSON.createObjectNode();
    reply.putArray("reviewed").add(ofEachSymbol("LOOKS_FINE"));
    desk.provider(saying(reply.toString()));
    var screen =
        desk.flyball(
            "review",
            ".",
            "--yes",
            "--format",
            "json",
            "--no-history",
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5");
    assertIncomplete(screen);
  }

  @Test
  void what_answers_used_beyond_their_estimate_is_shown() throws Exception {
    desk.provider(saying(CLEAN).fault("huge-usage:nth=1"));
    var screen = review("--mode", "parallel", "--budget-tokens", "100000", "--concurrency", "1");
    assertIncomplete(screen);
    var usage = json(screen).path("usage");
    assertThat(usage.path("overspentTokens").asLong()).isPositive();
    assertThat(usage.path("overspentTokens").asLong())
        .isLessThanOrEqualTo(usage.path("underestimatedTokens").asLong());
    assertThat(usage.path("endedBy").asText()).isEqualTo("budget");
    assertThat(desk.asked()).as("nothing starts after it").hasSize(1);
    assertThat(screen.err()).contains("tokens more than the budget");
  }

  @Test
  void a_review_is_remembered_with_its_findings() throws Exception {
    var found = finding("a/One.txt", "second line of one", "Wrong", "Mend it.");
    desk.provider(
        saying("{" + REVIEWED + ",\"findings\":[" + found + "],\"needsMoreContext\":[]}"));
    var file = folder.resolve("history.db");
    var screen =
        desk.flyball(
            "review",
            "--diff",
            "HEAD",
            "--base-url",
            desk.simulator().uri().toString(),
            "--model",
            "claude-haiku-4-5",
            "--history",
            file.toString());
    assertThat(screen.exit()).as(screen.err()).isZero();
    try (var database = DriverManager.getConnection("jdbc:sqlite:" + file);
        var rows =
            database
                .createStatement()
                .executeQuery(
                    "select r.decision, r.tokens_used, f.title from reviews r, findings f")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("approved_with_comments");
      assertThat(rows.getLong(2)).isPositive();
      assertThat(rows.getString(3)).isEqualTo("Wrong");
    }
  }

  @Test
  void a_report_that_cannot_be_written_loses_no_answer() throws Exception {
    desk.provider(saying(CLEAN));
    var screen = ask("--format", "json=/dev/full");
    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.err()).contains("the report could not be written", "the answers are kept");
    assertThat(json(ask()).path("usage").path("cached").asInt()).isEqualTo(1);
    assertThat(desk.asked()).hasSize(1);
  }

  @Test
  void progress_is_told_to_programs_each_second() throws Exception {
    desk.provider(saying(CLEAN).latency(Latency.parse("1200ms")));
    var screen = ask("--progress", "json");
    var lines = screen.err().lines().filter(line -> line.startsWith("{")).toList();
    assertThat(lines).isNotEmpty();
    var first = CommandDesk.JSON.readTree(lines.getFirst());
    assertThat(first.path("total").asInt()).isEqualTo(1);
    assertThat(first.path("completed").asInt()).isZero();
    var state = desk.reviews().getFirst().resolve("progress.json");
    var last = CommandDesk.JSON.readTree(state.toFile());
    assertThat(last.path("completed").asInt()).isEqualTo(1);
    assertThat(last.path("files").path("a/One.txt").path("state").asText()).isEqualTo("done");
  }
}
