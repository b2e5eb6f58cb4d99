package dev.flyball.review.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.review.symbol.SyntaxTree;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that were made to be slow, and rule files that are wrong. */
@Timeout(300)
final class HostileCodeTest {
  private static final RuleSearch ALL = RuleSearch.of(RuleFiles.all());

  private static int hits(RuleLanguage language, String code) {
    if (language.grammar().isEmpty()) {
      return ALL.in(language, code, rule -> true).hits().size();
    }
    try (var tree = SyntaxTree.of(language.grammar().get(), code).orElse(null)) {
      return tree == null ? 0 : ALL.in(tree, rule -> true).hits().size();
    }
  }

  private static String lines(int count, String line) {
    return IntStream.range(0, count)
        .mapToObj(i -> line.replace("#", Integer.toString(i)))
        .collect(Collectors.joining());
  }

  @Test
  void every_language_bears_depth_length_and_nonsense() {
    var texts =
        List.of(
            "",
            "\0\u001b\uD800",
            "(".repeat(5_000) + "1" + ")".repeat(5_000),
            "{".repeat(5_000),
            "a[".repeat(4_000),
            "if (a) {".repeat(500) + "gets(b); eval(b);" + "}".repeat(500),
            "a: ".repeat(5_000),
            "RUN a \\\n".repeat(1_000),
            "\"".repeat(1_999),
            "x".repeat(100_000));
    for (var language : RuleLanguage.values()) {
      for (var text : texts) {
        assertThat(hits(language, text)).as(language.key()).isLessThan(10_000);
      }
    }
  }

  /**
   * What the parser mends takes it the square of the length. The bound is one for all languages.
   */
  @Test
  void a_file_that_takes_the_parser_for_ever_is_given_up() {
    var text = "RUN a \\\n".repeat(60_000);
    assertThat(SyntaxTree.of(RuleLanguage.JAVA.grammar().orElseThrow(), text)).isEmpty();
    assertThat(hits(RuleLanguage.DOCKERFILE, text)).isLessThan(10_000);
  }

  @Test
  void a_line_of_a_megabyte_is_looked_through_or_given_up() {
    assertThat(hits(RuleLanguage.JAVASCRIPT, "var a = [" + "eval(b),".repeat(100_000) + "1];"))
        .isLessThan(10_000);
    assertThat(hits(RuleLanguage.JAVASCRIPT, "var a = [" + "eval(b),".repeat(2_000) + "1];"))
        .isPositive();
  }

  @Test
  void values_that_depend_on_each_other_come_to_an_end() {
    for (var line :
        List.of("    v = v + a\n    eval(v)\n", "    v#1 = v# + v#1\n    eval(v#1)\n")) {
      assertThat(hits(RuleLanguage.PYTHON, "def f(a):\n    v0 = a\n" + lines(300, line)))
          .isPositive();
      // A function of which only the beginning is looked at gets the benefit of the doubt.
      assertThat(hits(RuleLanguage.PYTHON, "def f(a):\n    v0 = a\n" + lines(3_000, line)))
          .isZero();
    }
  }

  @Test
  void an_alias_in_a_workflow_is_not_multiplied() {
    var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a%d: &a%d [".formatted(i, i));
      bomb.append("*a%d, ".formatted(i - 1).repeat(9)).append("x]\n");
    }
    assertThat(hits(RuleLanguage.WORKFLOW, bomb.toString())).isLessThan(100);
  }

  @Test
  void a_rule_file_that_is_wrong_is_refused_with_its_id_and_the_key() {
    var good =
        """
        severity: minor
        category: correctness
        title: T
        message: M.
        fix: F.
        query: (call) @finding
        """;
    assertThat(RuleReader.read("python/x", good).id()).isEqualTo("python/x");
    refused(good.replace("minor", "tiny"), "python/x has no severity tiny");
    refused(good.replace("correctness", "taste"), "has no category taste");
    refused(good + "quarry: a\n", "has no key quarry");
    refused(good + "cwe: [CWE-95]\n", "has a number where there was \"CWE-95\"");
    refused(good + "workflow: {path: a}\n", "has one of query, workflow");
    refused(good + "if-text: '('\n", "has a pattern that is none");
    refused(good + "where: nowhere\n", "main, tests or both");
    refused(good + "languages: [cobol]\n", "is for no language cobol");
    refused(good.replace("title: T\n", ""), "needs title");
    refused(good + "precision: {right: 2, of: 1, date: 2026-01-01, sample: a}\n", "are true");
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> RuleReader.read("python/x", text)).hasMessageContaining(why);
  }

  @Test
  void a_query_that_is_wrong_is_refused_with_its_rule() {
    for (var query :
        List.of(
            "(no_such_node) @finding",
            "(call) @other",
            "((call) @finding (#like? @finding \"a\"))",
            "((call) @finding (#match? @finding \"(\"))",
            "((call) @finding (#eq? @finding))")) {
      var rule =
          RuleReader.read(
              "python/x",
              """
              severity: minor
              category: correctness
              title: T
              message: M.
              fix: F.
              query: '%s'
              """
                  .formatted(query));
      assertThatThrownBy(() -> RuleSearch.check(rule))
          .as(query)
          .hasMessageContaining("the query of python/x does not fit Python");
    }
  }
}
