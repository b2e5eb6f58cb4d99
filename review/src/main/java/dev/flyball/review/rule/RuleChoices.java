package dev.flyball.review.rule;

import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What somebody has decided about rules: which are on, how grave they are, and where. Of several
 * choices about one rule the last that says something counts.
 */
public final class RuleChoices {
  /** All rules as their files have them. */
  public static final RuleChoices NONE = new RuleChoices(List.of());

  private static final int MOST_STARS = 8;

  private final List<Choice> choices;

  private RuleChoices(List<Choice> choices) {
    this.choices = List.copyOf(choices);
  }

  /**
   * A choice about some rules.
   *
   * @param rules the id of one, or a beginning of ids and a star
   * @param on whether they are held against code; empty leaves that as it is
   * @param only paths in which they count; none means all
   * @param except paths in which they do not
   */
  public record Choice(
      String rules,
      Optional<Boolean> on,
      Optional<Severity> severity,
      List<Pattern> only,
      List<Pattern> except) {
    public Choice {
      only = List.copyOf(only);
      except = List.copyOf(except);
    }

    /** Whether it is about a rule. */
    public boolean names(String id) {
      return rules.endsWith("*")
          ? id.startsWith(rules.substring(0, rules.length() - 1))
          : rules.equals(id);
    }

    private boolean holds(String path) {
      return (only.isEmpty() || only.stream().anyMatch(each -> each.matcher(path).matches()))
          && except.stream().noneMatch(each -> each.matcher(path).matches());
    }
  }

  public static RuleChoices of(List<Choice> choices) {
    return choices.isEmpty() ? NONE : new RuleChoices(choices);
  }

  /** These, and then others, which have the last word. */
  public RuleChoices then(RuleChoices others) {
    var all = new ArrayList<>(choices);
    all.addAll(others.choices);
    return of(all);
  }

  /**
   * A pattern of paths, in which a star is anything but a slash and two are anything.
   *
   * @throws IllegalArgumentException for one with so many stars that it would take for ever
   */
  public static Pattern paths(String glob) {
    if (glob.chars().filter(c -> c == '*').count() > MOST_STARS) {
      throw new IllegalArgumentException(
          "a pattern of paths has at most %d stars, but was %s".formatted(MOST_STARS, glob));
    }
    var regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      if (glob.startsWith("**/", i)) {
        regex.append("(?:.*/)?");
        i += 2;
      } else if (glob.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else {
        switch (glob.charAt(i)) {
          case '*' -> regex.append("[^/]*");
          case '?' -> regex.append("[^/]");
          default -> regex.append(Pattern.quote(String.valueOf(glob.charAt(i))));
        }
      }
    }
    return Pattern.compile(regex + (glob.endsWith("/") ? ".*" : ""), Pattern.DOTALL);
  }

  /** Whether a rule is on anywhere at all. */
  public boolean on(CheckRule rule) {
    boolean on = rule.on();
    for (var choice : choices) {
      if (choice.names(rule.id())) {
        on = choice.on().orElse(on);
      }
    }
    return on;
  }

  /** Whether a rule is on in a file. */
  public boolean on(CheckRule rule, String path) {
    boolean on = rule.on();
    for (var choice : choices) {
      if (choice.names(rule.id())) {
        on = choice.on().orElse(on) && choice.holds(path);
      }
    }
    return on;
  }

  /** How grave a rule is in the end. */
  public Severity severity(CheckRule rule) {
    return chosen(rule.id()).orElse(rule.severity());
  }

  /** The severity that somebody has chosen for a rule. */
  public Optional<Severity> chosen(String id) {
    Optional<Severity> severity = Optional.empty();
    for (var choice : choices) {
      if (choice.names(id)) {
        severity = choice.severity().isPresent() ? choice.severity() : severity;
      }
    }
    return severity;
  }
}
