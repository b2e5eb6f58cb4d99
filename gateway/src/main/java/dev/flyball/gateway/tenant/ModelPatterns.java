package dev.flyball.gateway.tenant;

import java.util.List;
import java.util.function.Predicate;

/** The models that a tenant may ask: names, in which a star stands for any letters. */
record ModelPatterns(List<String> patterns) implements Predicate<String> {
  /** Whether one of them fits; none at all means that all do. */
  @Override
  public boolean test(String model) {
    return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> fits(pattern, model));
  }

  /** Star by star and without going back further than the last, so that it is quick on anything. */
  private static boolean fits(String pattern, String text) {
    int inPattern = 0;
    int inText = 0;
    int star = -1;
    int since = 0;
    while (inText < text.length()) {
      if (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
        star = inPattern++;
        since = inText;
      } else if (inPattern < pattern.length() && pattern.charAt(inPattern) == text.charAt(inText)) {
        inPattern++;
        inText++;
      } else if (star >= 0) {
        inPattern = star + 1;
        inText = ++since;
      } else {
        return false;
      }
    }
    while (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
      inPattern++;
    }
    return inPattern == pattern.length();
  }
}
