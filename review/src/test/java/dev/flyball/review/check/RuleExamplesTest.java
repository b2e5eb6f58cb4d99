package dev.flyball.review.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.SourceText;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleFiles;
import dev.flyball.review.rule.RuleHit;
import dev.flyball.review.rule.RuleLanguage;
import dev.flyball.review.rule.RuleMatcher;
import dev.flyball.review.rule.RuleSearch;
import dev.flyball.review.symbol.SyntaxTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every rule file, tried by its own examples. {@code -Drule=python/} tries those whose id begins
 * so.
 */
final class RuleExamplesTest {
  private static final int FEWEST = 3;
  private static final double LEAST_PRECISION = 0.8;

  /** To make a query ready takes longer than to ask it. */
  private static final Map<String, RuleSearch> SEARCHES = new ConcurrentHashMap<>();

  private static Stream<DefectRule> rules() {
    var only = System.getProperty("rule", "");
    return RuleFiles.all().stream().filter(rule -> rule.id().startsWith(only));
  }

  @Test
  void there_are_rules() {
    assertThat(rules()).isNotEmpty();
    assertThat(RuleFiles.all()).extracting(DefectRule::id).doesNotHaveDuplicates();
    assertThat(RuleFiles.all()).isSortedAccordingTo(Comparator.comparing(DefectRule::id));
  }

  @TestFactory
  Stream<DynamicNode> examples() {
    return rules()
        .map(
            rule -> {
              var tests = new ArrayList<DynamicNode>();
              tests.add(DynamicTest.dynamicTest("is well formed", () -> wellFormed(rule)));
              add(tests, rule, "matches", rule.matches());
              add(tests, rule, "ignores", rule.ignores());
              return DynamicContainer.dynamicContainer(rule.id(), tests);
            });
  }

  private static void add(
      List<DynamicNode> tests, DefectRule rule, String name, List<DefectRule.Example> examples) {
    for (int i = 0; i < examples.size(); i++) {
      var example = examples.get(i);
      for (var language : rule.languages()) {
        if (example.language().map(language::equals).orElse(true)) {
          tests.add(
              DynamicTest.dynamicTest(
                  "%s %d in %s".formatted(name, i + 1, language.key()),
                  () -> tried(rule, language, example)));
        }
      }
    }
  }

  private static void wellFormed(DefectRule rule) {
    assertThat(rule.id()).matches("([a-z]+/)?[a-z0-9]+(-[a-z0-9]+)*|java/[A-Z]\\w+");
    RuleSearch.check(rule);
    var about = rule.about();
    assertThat(about.title()).doesNotEndWith(".");
    assertThat(about.message()).endsWith(".");
    assertThat(about.advice()).endsWith(".");
    assertThat(about.cwe()).allMatch(number -> number > 0 && number < 2_000);
    if (!(rule.matcher() instanceof RuleMatcher.BuiltIn)) {
      assertThat(rule.matches()).as("matches").hasSizeGreaterThanOrEqualTo(FEWEST);
      assertThat(rule.ignores()).as("ignores").hasSizeGreaterThanOrEqualTo(FEWEST);
    }
    if (about.on() && about.measured().isPresent() && about.measured().get().of() > 0) {
      assertThat((double) about.measured().get().right() / about.measured().get().of())
          .as("the share of true findings of a rule that is on")
          .isGreaterThanOrEqualTo(LEAST_PRECISION);
    }
  }

  private static void tried(DefectRule rule, RuleLanguage language, DefectRule.Example example) {
    if (rule.matcher() instanceof RuleMatcher.Pmd) {
      assertThat(PmdExamples.FOUND.getOrDefault(PmdExamples.path(rule, example), 0L))
          .as(() -> "findings of %s in%n%s".formatted(rule.id(), example.code()))
          .isEqualTo(example.findings());
      return;
    }
    var hits = hits(rule, language, example.code());
    assertThat(hits.stream().map(hit -> example.code().substring(hit.start(), hit.end())))
        .as(
            () ->
                "findings of %s in%n%s%n%s"
                    .formatted(rule.id(), example.code(), tree(rule, language, example.code())))
        .hasSize(example.findings());
  }

  /** What the parser makes of a text, for whoever writes a query. */
  private static String tree(DefectRule rule, RuleLanguage language, String code) {
    if (!(rule.matcher() instanceof RuleMatcher.Syntax)) {
      return "";
    }
    try (var tree = SyntaxTree.of(language.grammar().orElseThrow(), code).orElseThrow()) {
      return tree.root().toString();
    }
  }

  private static List<RuleHit> hits(DefectRule rule, RuleLanguage language, String code) {
    var search = SEARCHES.computeIfAbsent(rule.id(), id -> RuleSearch.of(List.of(rule)));
    if (language.grammar().isEmpty()) {
      return search.in(language, code, each -> true).hits();
    }
    try (var tree = SyntaxTree.of(language.grammar().get(), code).orElseThrow()) {
      var found = search.in(tree, each -> true);
      assertThat(found.complete()).isTrue();
      return found.hits();
    }
  }

  /**
   * What PMD says of all examples of its rules: it is asked once, because to start it takes long.
   */
  private static final class PmdExamples {
    /** The number of findings of the rule that an example is of, by the path of the example. */
    static final Map<String, Long> FOUND = found();

    private static Map<String, Long> found() {
      var rules = rules().filter(rule -> rule.matcher() instanceof RuleMatcher.Pmd).toList();
      var texts = new ArrayList<SourceText>();
      for (var rule : rules) {
        Stream.of(rule.matches(), rule.ignores())
            .flatMap(List::stream)
            .forEach(example -> texts.add(SourceText.of(path(rule, example), example.code())));
      }
      return PmdDefects.in(texts, rules, 2, CheckListener.NONE).claims().stream()
          .filter(claim -> claim.place().file().orElseThrow().startsWith(claim.rule() + "/"))
          .collect(
              Collectors.groupingBy(
                  claim -> claim.place().file().orElseThrow(), Collectors.counting()));
    }

    static String path(DefectRule rule, DefectRule.Example example) {
      int number = rule.matches().indexOf(example);
      return number >= 0
          ? "%s/Matches%d.java".formatted(rule.id(), number)
          : "%s/Ignores%d.java".formatted(rule.id(), rule.ignores().indexOf(example));
    }
  }
}
