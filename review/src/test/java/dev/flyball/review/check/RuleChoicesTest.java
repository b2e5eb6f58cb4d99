package dev.flyball.review.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.rule.RuleChoices;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What somebody has decided about rules. */
final class RuleChoicesTest {
  private static final List<SourceText> TEXTS =
      List.of(
          SourceText.of("src/a.py", "eval(x)\n"),
          SourceText.of("src/gen/b.py", "eval(x)\n"),
          SourceText.of("tool/c.py", "eval(x)\n"));

  private static List<Claim> by(RuleChoices.Choice... choices) {
    return StaticChecks.on(1)
        .by(RuleChoices.of(List.of(choices)))
        .run(TEXTS, false, CheckListener.NONE)
        .claims();
  }

  private static RuleChoices.Choice choice(
      String rules, boolean on, Optional<Severity> severity, List<String> only, List<String> not) {
    return new RuleChoices.Choice(
        rules,
        Optional.of(on),
        severity,
        only.stream().map(RuleChoices::paths).toList(),
        not.stream().map(RuleChoices::paths).toList());
  }

  @Test
  void a_rule_is_switched_off_by_its_name_or_with_its_language() {
    assertThat(by()).hasSize(3);
    assertThat(by(choice("python/eval-of-text", false, Optional.empty(), List.of(), List.of())))
        .isEmpty();
    assertThat(by(choice("python/*", false, Optional.empty(), List.of(), List.of()))).isEmpty();
    assertThat(by(choice("java/*", false, Optional.empty(), List.of(), List.of()))).hasSize(3);
  }

  @Test
  void a_rule_is_weighed_otherwise() {
    assertThat(
            by(
                choice(
                    "python/eval-of-text",
                    true,
                    Optional.of(Severity.CRITICAL),
                    List.of(),
                    List.of())))
        .extracting(Claim::severity)
        .containsOnly(Severity.CRITICAL);
  }

  @Test
  void a_rule_is_kept_to_paths() {
    assertThat(
            by(
                choice(
                    "python/eval-of-text",
                    true,
                    Optional.empty(),
                    List.of("src/**"),
                    List.of("**/gen/*.py"))))
        .extracting(claim -> claim.place().file().orElseThrow())
        .containsExactly("src/a.py");
  }

  @Test
  void the_last_word_counts() {
    assertThat(
            by(
                choice("*", false, Optional.empty(), List.of(), List.of()),
                choice("python/eval-of-text", true, Optional.empty(), List.of(), List.of())))
        .hasSize(3);
  }

  @Test
  void a_rule_that_is_off_can_be_switched_on() {
    var text =
        List.of(
            SourceText.of(
                "A.java", "class A { int of(int a) { int s = 1; s = a * 2; return s; } }\n"));
    var on = choice("java/UnusedAssignment", true, Optional.empty(), List.of(), List.of());
    assertThat(StaticChecks.on(1).run(text, false, CheckListener.NONE).claims()).isEmpty();
    assertThat(
            StaticChecks.on(1)
                .by(RuleChoices.of(List.of(on)))
                .run(text, false, CheckListener.NONE)
                .claims())
        .hasSize(1);
  }

  @Test
  void a_pattern_with_many_stars_is_refused() {
    assertThatThrownBy(() -> RuleChoices.paths("*a".repeat(9)))
        .hasMessageContaining("at most 8 stars");
  }
}
