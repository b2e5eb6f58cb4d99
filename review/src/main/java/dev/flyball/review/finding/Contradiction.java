package dev.flyball.review.finding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Two findings of different lenses that cannot both be followed: what one wants to be gone, the
 * other wants more of.
 *
 * @param settled what somebody who looked at both has said, if anybody did
 */
public record Contradiction(Finding one, Finding other, Optional<Settlement> settled) {
  /** The one of the two that is right. */
  public enum Holds {
    FIRST,
    SECOND,
    BOTH,
    NEITHER;

    public static Optional<Holds> of(String word) {
      for (var each : values()) {
        if (each.toString().equals(word.strip().toLowerCase(Locale.ROOT))) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The decision about it, and who made it. */
  public record Settlement(Holds holds, String reason, String source) {}

  private static final int TELLING = 3;
  private static final Pattern GOES =
      Pattern.compile(
          "(?i)\\b(?:remove|delete|drop|get rid of|unused|used nowhere|dead code|redundant"
              + "|unnecessary|needless|superfluous|not needed|simplify|inline"
              + "|over-?engineered|more complicated than needed|hardly worth its place)\\b");
  private static final Pattern COMES =
      Pattern.compile(
          "(?i)\\b(?:add|missing|lacks?|introduce|no tests?|untested|not documented|undocumented"
              + "|partly documented|tests that would not notice"
              + "|without an? (?:check|guard|test|validation|limit)"
              + "|should (?:also )?(?:check|validate|handle|test|document|guard|verify))\\b");
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_.#]*");

  /** All of them, in the order of the findings. */
  public static List<Contradiction> among(List<Finding> findings) {
    var all = new ArrayList<Contradiction>();
    for (int i = 0; i < findings.size(); i++) {
      for (int j = i + 1; j < findings.size(); j++) {
        if (between(findings.get(i).claim(), findings.get(j).claim())) {
          all.add(new Contradiction(findings.get(i), findings.get(j), Optional.empty()));
        }
      }
    }
    return all;
  }

  /** Whether only one of two claims can be followed. */
  static boolean between(Claim one, Claim other) {
    return one.place().isNear(other.place())
        && Collections.disjoint(one.lenses(), other.lenses())
        && ((goes(one) && comes(other)) || (comes(one) && goes(other)))
        && !Collections.disjoint(about(one), about(other));
  }

  private static boolean goes(Claim claim) {
    return GOES.matcher(wanted(claim)).find() && !COMES.matcher(wanted(claim)).find();
  }

  private static boolean comes(Claim claim) {
    return COMES.matcher(wanted(claim)).find() && !GOES.matcher(wanted(claim)).find();
  }

  private static String wanted(Claim claim) {
    return claim.title() + ". " + claim.suggestion().orElse("");
  }

  /** The telling words of a title, without those that say what should be done. */
  private static Set<String> about(Claim claim) {
    var title = COMES.matcher(GOES.matcher(claim.title()).replaceAll(" ")).replaceAll(" ");
    return WORD.matcher(title)
        .results()
        .map(found -> found.group().toLowerCase(Locale.ROOT))
        .filter(word -> word.length() > TELLING)
        .collect(Collectors.toCollection(HashSet::new));
  }

  public Contradiction settled(Settlement settlement) {
    return new Contradiction(one, other, Optional.of(settlement));
  }

  /**
   * The findings that do not hold. What is critical is never taken away on the word of one who
   * looked again.
   */
  public List<Finding> overruled() {
    var wrong =
        settled
            .map(Settlement::holds)
            .map(
                holds ->
                    switch (holds) {
                      case FIRST -> List.of(other);
                      case SECOND -> List.of(one);
                      case BOTH -> List.<Finding>of();
                      case NEITHER -> List.of(one, other);
                    })
            .orElse(List.of());
    return wrong.stream().filter(finding -> finding.severity() != Severity.CRITICAL).toList();
  }
}
