package dev.flyball.review.source;

import dev.flyball.review.finding.SafeText;

/** The name of a commit, which must not be taken for anything else. */
public final class Revision {
  private static final int LONGEST = 200;

  private Revision() {}

  static void check(String name) {
    if (name.isBlank()
        || name.startsWith("-")
        || name.startsWith(".")
        || name.contains("..")
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a revision must not begin with - or a dot, and have neither .. nor control characters,"
              + " but was '"
              + shown(name)
              + "'");
    }
  }

  public static String shown(String name) {
    return SafeText.cut(SafeText.line(name), LONGEST);
  }
}
