package dev.flyball.review.check;

import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleFiles;
import dev.flyball.review.secret.Secrets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The rules of all checks without a model, and what each means to us. */
public final class Rulebook {
  /** The lens that the checks without a model are. */
  public static final String LENS = "static";

  static final String DUPLICATE_CODE = "duplicate-code";
  static final String UNUSED_SYMBOL = "unused-symbol";
  static final String ADDRESSED = "addressed-to-reviewer";
  static final String ORDERS = "orders-to-reviewer";
  static final String LINK = "link-change";
  static final String SUBMODULE = "submodule-change";
  static final String OWN_FOLDER = "flyball-folder-change";
  static final String HIDDEN = "hidden-characters";
  static final String SECRET = "secret";

  private static final Map<String, CheckRule> RULES =
      RuleFiles.all().stream()
          .map(DefectRule::about)
          .collect(Collectors.toUnmodifiableMap(CheckRule::id, Function.identity()));

  private Rulebook() {}

  /** By id. */
  public static Map<String, CheckRule> rules() {
    return RULES;
  }

  /** How sure a check may be of a rule: as it was measured, or else as the check thinks. */
  static double confidence(String rule, double otherwise) {
    return rule(rule).measured().map(CheckRule.Measured::confidence).orElse(otherwise);
  }

  static CheckRule rule(String id) {
    return Objects.requireNonNull(RULES.get(id), () -> "there is no rule " + id);
  }

  static Claim claim(
      String rule, Place place, String message, String evidence, String source, double confidence) {
    var broken = rule(rule);
    return new Claim(
        rule,
        place,
        broken.severity(),
        broken.category(),
        List.of(LENS),
        broken.title(),
        message.isEmpty() ? broken.message() : Secrets.hidden(message) + " " + broken.message(),
        Optional.of(broken.advice()),
        Optional.of(Secrets.hidden(evidence)),
        List.of(source),
        confidence);
  }
}
