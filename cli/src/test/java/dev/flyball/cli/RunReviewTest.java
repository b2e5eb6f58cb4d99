package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reviews without a key, and the plans of those with one. */
class RunReviewTest {
  private static final String LOOP =
      """
      class Loop {
        int first(String[] all) {
          for (String each : all) {
            use(each.equals(null));
          }
          return 0;
        }
      }
      """;
  private static final String FINE = "class Fine {\n  int one() {\n    return 1;\n  }\n}\n";

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder.resolve("here"));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
  }

  private JsonNode json(String... args) throws IOException {
    var screen = desk.flyball(args);
    assertThat(screen.exit()).as(screen.err()).isLessThan(2);
    return CommandDesk.JSON.readTree(screen.out());
  }

  @Test
  void a_folder_is_reviewed_without_a_key_and_nothing_is_approved() throws Exception {
    desk.put("src/Loop.java", LOOP);
    desk.put("README.md", "words\n");
    var screen = desk.flyball("review");
    assertThat(screen.exit()).isZero();
    assertThat(screen.out())
        .contains("Compared with null by equals", "src/Loop.java:4", "▸", "static only")
        .contains("1 of 2 files checked for defects");
    assertThat(screen.out()).doesNotContain("approved");
    assertThat(screen.err()).contains("no model was asked");
  }

  @Test
  void the_gate_decides_about_the_exit_code() throws Exception {
    desk.put("Loop.java", LOOP);
    assertThat(desk.flyball("review", "--fail-on", "major").exit()).isEqualTo(1);
    assertThat(desk.flyball("review", "--fail-on", "critical").exit()).isZero();
    assertThat(desk.flyball("review", "--fail-on", "none").exit()).isZero();
  }

  @Test
  void json_has_what_is_documented() throws Exception {
    desk.put("Loop.java", LOOP);
    desk.put("notes.txt", "x\n");
    var review = json("review", "--format", "json");
    assertThat(review.path("verdict").asText()).isEqualTo("static_only");
    assertThat(review.path("mode").asText()).isEqualTo("static");
    assertThat(review.path("coverage").path("files").asInt()).isEqualTo(2);
    assertThat(review.path("coverage").path("skipped").get(0).path("path").asText())
        .isEqualTo("notes.txt");
    assertThat(review.path("coverage").path("unanswered")).isEmpty();
    var finding = review.path("findings").get(0);
    for (var field :
        List.of(
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
            "confidence")) {
      assertThat(finding.has(field)).as(field).isTrue();
    }
    assertThat(review.has("usage")).isTrue();
    assertThat(review.has("plan")).isTrue();
  }

  @Test
  void files_get_their_formats_and_the_screen_its_own() throws Exception {
    desk.put("Loop.java", LOOP);
    var screen =
        desk.flyball(
            "review",
            "--format",
            "sarif=out/r.sarif",
            "--format",
            "json=out/r.json",
            "--format",
            "annotations");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.out()).startsWith("::warning file=Loop.java,line=4");
    assertThat(
            CommandDesk.JSON.readTree(desk.file("out/r.sarif").toFile()).path("version").asText())
        .isEqualTo("2.1.0");
    assertThat(CommandDesk.JSON.readTree(desk.file("out/r.json").toFile()).path("findings"))
        .isNotEmpty();
    var named = desk.flyball("review", "-o", "r.md");
    assertThat(named.out()).contains("static only");
    assertThat(desk.file("r.md")).content().contains("Compared with null by equals");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "review --format pdf| not as pdf",
        "review --format json --format sarif| write the others as NAME=FILE",
        "review --format json=| name a file after json=",
        "review -o out.bin| choose with --format how out.bin",
        "review --fail-on never| critical, major, minor or none",
        "review --diff HEAD --staged| name one",
        "review --patch none.patch| there is no file",
        "review --plan --lenses secuirty| there is no lens secuirty; the lenses are correctness",
        "review --lenses secuirty| there is no lens secuirty; the lenses are correctness",
        "review --plan --mode fast| sequential, parallel",
        "review --plan --reserve 100| 0 to 99",
        "review --plan --budget-tokens 0| at least 1",
        "review --plan --provider groq| name one",
        "review --write-baseline --staged| not a change",
        "review nowhere| there is no file or folder",
        "review Fine.java nowhere| there is no file or folder",
        "review --staged Fine.java| PATH is the folder of its repository, not Fine.java",
        "review Fine.java --write-baseline| needs one whole folder",
        "review --progress loud| one of auto, bar, plain, json, none",
        "review --samples 3| must be 1 or 2, not 3",
        "review --budget-usd much| write dollars as 12.50",
        "review --concurrency 0| must be auto or at least 1",
        "review --max-retries -1| at least 0",
        "review --reserve 100| 0 to 99"
      })
  void what_cannot_be_is_refused_with_the_way_out(String command, String words) throws Exception {
    desk.put("Fine.java", FINE);
    desk.git("init", "-q");
    var screen = desk.flyball(command.split(" ", -1));
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains(words);
    assertThat(screen.out()).isEmpty();
  }

  @Test
  void files_are_reviewed_by_their_names_and_nothing_else_is() throws Exception {
    desk.git("init", "-q");
    desk.put("src/Loop.java", LOOP);
    desk.put("src/Other.java", LOOP.replace("Loop", "Other"));
    desk.put("lib/deep/Third.java", LOOP.replace("Loop", "Third"));
    desk.put("lib/Fourth.java", LOOP.replace("Loop", "Fourth"));
    var one = desk.flyball("review", "src/Loop.java");
    assertThat(one.out()).contains("src/Loop.java:4", "1 of 1 file");
    assertThat(one.out()).doesNotContain("Other.java");
    var several = json("review", "src/Loop.java", "lib/deep", "--format", "json");
    assertThat(several.path("coverage").path("files").asInt()).isEqualTo(2);
    assertThat(several.path("findings").findValuesAsText("file"))
        .containsExactlyInAnyOrder("src/Loop.java", "lib/deep/Third.java");
  }

  @Test
  void what_another_file_may_use_is_not_unused_in_a_file_alone() throws Exception {
    desk.put("a.py", "def _helper():\n    return 1\n");
    desk.put("b.py", "print('nothing of it')\n");
    assertThat(json("review", ".", "--format", "json").findValuesAsText("rule"))
        .contains("unused-symbol");
    assertThat(json("review", "a.py", "--format", "json").findValuesAsText("rule"))
        .doesNotContain("unused-symbol");
  }

  @Test
  void files_of_two_repositories_are_no_one_review() throws Exception {
    desk.put("one/A.java", FINE);
    desk.put("two/B.java", FINE);
    CommandDesk.git(desk.file("one"), "init", "-q");
    CommandDesk.git(desk.file("two"), "init", "-q");
    var screen = desk.flyball("review", "one/A.java", "two/B.java");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("in another repository", "one after the other");
  }

  @Test
  void a_change_of_nothing_is_called_that() throws Exception {
    desk.git("init", "-q");
    desk.put("Fine.java", FINE);
    desk.commit("first");
    var staged = desk.flyball("review", "--staged");
    assertThat(staged.exit()).isZero();
    assertThat(staged.out()).contains("nothing to review").doesNotContain("static only");
    assertThat(staged.err()).contains("there are no staged changes").doesNotContain("KEY");
    assertThat(desk.flyball("review", "--worktree").err())
        .contains("there are no changes since the last commit");
    assertThat(desk.flyball("review", "--diff", "HEAD..HEAD").err())
        .contains("there are no changes in HEAD..HEAD");
  }

  @Test
  void a_change_is_held_to_the_lines_that_it_added() throws Exception {
    desk.git("init", "-q");
    desk.put("Old.java", LOOP.replace("Loop", "Old"));
    desk.commit("first");
    desk.put("New.java", LOOP.replace("Loop", "New"));
    desk.put("Old.java", LOOP.replace("Loop", "Old").replace("return 0;", "return 1;"));
    desk.commit("second");
    var review = json("review", "--diff", "HEAD~1..HEAD", "--format", "json");
    assertThat(review.path("findings")).hasSize(1);
    assertThat(review.path("findings").get(0).path("file").asText()).isEqualTo("New.java");
    assertThat(review.path("coverage").path("files").asInt()).isEqualTo(2);
  }

  @Test
  void what_is_staged_and_what_is_not_yet_are_changes_too() throws Exception {
    desk.git("init", "-q");
    desk.put("Fine.java", FINE);
    desk.commit("first");
    desk.put("Fine.java", LOOP.replace("Loop", "Fine"));
    assertThat(json("review", "--staged", "--format", "json").path("findings")).isEmpty();
    assertThat(json("review", "--worktree", "--format", "json").path("findings")).hasSize(1);
    desk.git("add", "-A");
    assertThat(json("review", "--staged", "--format", "json").path("findings")).hasSize(1);
  }

  @Test
  void a_patch_is_reviewed_where_it_fits_and_named_where_it_does_not() throws Exception {
    desk.put("Fine.java", FINE);
    desk.put(
        "fits.patch",
        """
        --- a/Fine.java
        +++ b/Fine.java
        @@ -2,3 +2,3 @@
           int one() {
        -    return 1;
        +    return "".equals(null) ? 1 : 2;
           }
        """);
    var fits = json("review", "--patch", "fits.patch", "--format", "json");
    assertThat(fits.path("findings").get(0).path("rule").asText()).isEqualTo("java/EqualsNull");
    desk.put(
        "astray.patch",
        """
        --- a/Fine.java
        +++ b/Fine.java
        @@ -2,3 +2,3 @@
           int two() {
        -    return 1;
        +    return 2;
           }
        """);
    var astray = json("review", "--patch", "astray.patch", "--format", "json");
    assertThat(astray.path("coverage").path("skipped").get(0).path("reason").asText())
        .contains("not known here");
    desk.put("broken.patch", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n");
    var broken = desk.flyball("review", "--patch", "broken.patch");
    assertThat(broken.exit()).isEqualTo(2);
    assertThat(broken.err()).contains("line");
  }

  @Test
  void the_baseline_is_known_and_does_not_fail() throws Exception {
    desk.put("Loop.java", LOOP);
    assertThat(desk.flyball("review", "--write-baseline").out())
        .contains("1 finding is now in the baseline");
    var again = desk.flyball("review", "--fail-on", "minor");
    assertThat(again.exit()).isZero();
    assertThat(again.out()).contains("1 more in the baseline");
    desk.put("Loop.java", FINE.replace("Fine", "Loop"));
    assertThat(desk.flyball("review").err()).contains("1 finding of the baseline is fixed");
    desk.put(".flyball/baseline.json", "{");
    assertThat(desk.flyball("review").err()).contains("write it again");
  }

  @Test
  void a_change_cannot_configure_its_own_review() throws Exception {
    desk.git("init", "-q");
    desk.put("Fine.java", FINE);
    desk.put("flyball.yaml", "review:\n  fail-on: major\n");
    desk.commit("first");
    desk.put("Loop.java", LOOP);
    desk.put("flyball.yaml", "review:\n  fail-on: none\n");
    desk.put(".flyballignore", "Loop.java\n");
    desk.put(
        ".flyball/baseline.json",
        "{\"version\":1,\"findings\":[]}".replace("[]", "[" + known() + "]"));
    desk.commit("second");
    var screen = desk.flyball("review", "--diff", "HEAD~1..HEAD");
    assertThat(screen.exit()).isEqualTo(1);
    assertThat(screen.out()).contains("Loop.java:4");
    assertThat(desk.flyball("review", "--diff", "HEAD~1..HEAD", "--fail-on", "none").exit())
        .isZero();
  }

  private String known() throws IOException {
    var finding = json("review", ".", "--format", "json").path("findings");
    if (finding.isEmpty()) {
      var one = CommandDesk.JSON.createObjectNode();
      return one.put("id", "x").put("rule", "r").put("file", "f").put("title", "t").toString();
    }
    var one = (ObjectNode) finding.get(0);
    return CommandDesk.JSON
        .createObjectNode()
        .put("id", one.path("id").asText())
        .put("rule", one.path("rule").asText())
        .put("file", one.path("file").asText())
        .put("title", one.path("title").asText())
        .toString();
  }

  @Test
  void suppressions_that_a_change_adds_are_listed() throws Exception {
    desk.git("init", "-q");
    desk.put("Fine.java", FINE);
    desk.commit("first");
    desk.put(
        "Loop.java",
        LOOP.replace(
            "use(each.equals(null));",
            "use(each.equals(null)); // flyball:ignore EqualsNull first is enough"));
    desk.commit("second");
    var screen = desk.flyball("review", "--diff", "HEAD");
    assertThat(screen.err())
        .contains("this change adds remarks that suppress findings")
        .contains("Loop.java:4 EqualsNull (first is enough)");
  }

  @Test
  void a_plan_and_an_estimate_are_one_computation() throws Exception {
    desk.git("init", "-q");
    desk.put("Fine.java", FINE);
    desk.commit("first");
    desk.put("Loop.java", LOOP);
    desk.commit("second");
    for (var what : List.of(new String[] {"--diff", "HEAD"}, new String[] {"."})) {
      var planned = new ArrayList<>(List.of("review", "--plan", "--format", "json"));
      planned.addAll(List.of(what));
      var estimated = new ArrayList<>(List.of("estimate", "--json"));
      estimated.addAll(List.of(what));
      var plan = json(planned.toArray(String[]::new));
      assertThat(plan).isEqualTo(json(estimated.toArray(String[]::new)));
      for (var field :
          List.of(
              "files",
              "symbols",
              "calls",
              "inputTokens",
              "outputTokens",
              "steps",
              "mode",
              "units",
              "skipped",
              "consumptionUsd",
              "billedUsd",
              "time")) {
        assertThat(plan.has(field)).as(field).isTrue();
      }
      assertThat(plan.path("time").has("seedMinutes")).isTrue();
      assertThat(plan.path("calls").asInt())
          .as("the units, and the second look at what they find")
          .isGreaterThanOrEqualTo(plan.path("units").size());
      long sum = 0;
      for (var unit : plan.path("units")) {
        sum += unit.path("inputTokens").asLong();
      }
      for (var step : plan.path("steps")) {
        if (step.path("name").asText().equals("second-look")) {
          sum += step.path("inputTokens").asLong();
        }
      }
      assertThat(plan.path("inputTokens").asLong()).isEqualTo(sum);
    }
  }

  @Test
  void a_plan_is_shown_with_its_prompts_and_nothing_is_sent() throws Exception {
    desk.git("init", "-q");
    desk.put("Loop.java", LOOP);
    desk.commit("first");
    var screen = desk.flyball("review", "--plan", "--diff", "HEAD", "--show-prompts");
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.out())
        .contains("1 changed file,", "sequential", "nothing is sent", "claude-sonnet-5")
        .contains("You review source code", "## security", "review Loop.java lines 1 to 8")
        .contains("|      use(each.equals(null));", "commit: first");
  }

  @Test
  void a_prompt_says_nothing_twice() throws Exception {
    desk.git("init", "-q");
    desk.put("cart.js", "function total(items) {\n  return items.length;\n}\n");
    desk.put("shop.js", "exports.checkout = (found) => {\n  return total(found);\n};\n");
    desk.put("page.js", "exports.page = (found) => {\n  return total(found);\n};\n");
    desk.commit("first");
    desk.put("cart.js", "function total(items, rate) {\n  return items.length * rate;\n}\n");
    desk.put("shop.js", "exports.checkout = (found) => {\n  return total(found, 2);\n};\n");
    desk.commit(
        """
        rates for carts

        Customers asked for them.

        - [x] I have read
        the rules.
        - one rate

        Signed-off-by: A <a@example.com>\
        """);
    var screen =
        desk.flyball(
            "review", "--plan", "--diff", "HEAD", "--show-prompts", "--lenses", "correctness");
    assertThat(screen.out())
        .contains("Customers asked for them.", "review shop.js", "reference page.js")
        .containsOnlyOnce("rates for carts")
        .contains("- one rate")
        .doesNotContain("reference shop.js", "I have read", "the rules.", "Signed-off-by");
  }

  @Test
  void a_key_of_openai_plans_with_its_models() throws Exception {
    desk.put("Fine.java", FINE);
    desk.environment.put("OPENAI_API_KEY", "sk-secret");
    var screen = desk.flyball("estimate", ".");
    assertThat(screen.out()).contains("gpt-5.6-terra").doesNotContain("sk-secret");
    assertThat(desk.flyball("estimate", ".", "--model", "claude-opus-5").out())
        .contains("claude-opus-5");
  }

  @Test
  void prefixes_that_are_cached_for_nothing_have_a_price() throws Exception {
    for (int i = 0; i < 40; i++) {
      desk.put("src/F%d.java".formatted(i), FINE);
    }
    desk.environment.put("OPENAI_API_KEY", "sk-secret");
    var plan = json("review", "--plan", "--format", "json", "--model", "gpt-4o");
    assertThat(plan.path("steps").findValuesAsText("cacheReadTokens"))
        .as("lenses on one model read the code from its cache")
        .anyMatch(tokens -> Long.parseLong(tokens) > 0);
    assertThat(plan.path("consumptionUsd").asDouble()).isPositive();
    assertThat(plan.path("mostUsd").asDouble())
        .isGreaterThan(plan.path("consumptionUsd").asDouble());
  }

  @Test
  void lenses_of_the_folder_are_asked() throws Exception {
    desk.put("Fine.java", FINE);
    desk.put(".flyball/lenses/money.md", "# Is money exact?\nLook for floats.\n");
    var plan = json("estimate", ".", "--lenses", "money", "--json");
    assertThat(plan.path("steps").get(0).path("name").asText()).isEqualTo("money");
    desk.put("flyball.yaml", "lenses:\n  money:\n    question: x\n");
    assertThat(desk.flyball("estimate", ".").err()).contains("a lens is defined once");
  }

  @Test
  void a_folder_that_is_no_repository_has_no_changes() throws Exception {
    desk.put("Fine.java", FINE);
    var screen = desk.flyball("review", "--diff", "HEAD");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("is not in a Git repository");
  }

  @Test
  void an_empty_folder_is_reviewed_and_has_nothing() {
    var screen = desk.flyball("review");
    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("0 of 0 files checked for defects", "static only");
  }
}
