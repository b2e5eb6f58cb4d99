package dev.flyball.review.rule;

import dev.flyball.review.finding.CheckRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A rule as its file has it.
 *
 * @param about what breaking it means
 * @param ifText what the text of a file must have somewhere
 * @param unlessText what it must not have anywhere
 * @param matches code that breaks it
 * @param ignores code that does not
 */
public record DefectRule(
    CheckRule about,
    Set<RuleLanguage> languages,
    CodeRole where,
    RuleMatcher matcher,
    Optional<Pattern> ifText,
    Optional<Pattern> unlessText,
    List<Example> matches,
    List<Example> ignores) {
  private static final int LONGEST = 200_000;

  public DefectRule {
    languages = Set.copyOf(languages);
    matches = List.copyOf(matches);
    ignores = List.copyOf(ignores);
  }

  /** The code that a rule is held against. */
  public enum CodeRole {
    MAIN,
    TESTS,
    BOTH;

    public boolean includes(boolean test) {
      return this == BOTH || (this == TESTS) == test;
    }
  }

  /**
   * A piece of code that shows a rule, and tries it.
   *
   * @param language empty for each of the rule's languages
   * @param findings how many it has
   */
  public record Example(String code, Optional<RuleLanguage> language, int findings) {}

  public String id() {
    return about.id();
  }

  /** Whether a text may break it at all. */
  boolean concerns(String whole) {
    var text = whole.length() > LONGEST ? whole.substring(0, LONGEST) : whole;
    return ifText.map(each -> each.matcher(text).find()).orElse(true)
        && !unlessText.map(each -> each.matcher(text).find()).orElse(false);
  }
}
