package dev.flyball.review.source;

/** The name of a commit, which must not be taken for anything else. */
public final class Revision {
  private Revision() {}

  static void check(String name) {
    if (name.isBlank()
        || name.startsWith("-")
        || name.startsWith(".")
        || name.contains("..")
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a revision has a name that does not begin with - or a dot, and has neither .. nor"
              + " control characters, but was '"
              + shown(name)
              + "'");
    }
  }

  public static String shown(String name) {
    var plain = name.codePoints().map(each -> Character.isISOControl(each) ? '?' : each);
    var text =
        plain.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
    return text.length() <= 200 ? text.toString() : text.substring(0, 200) + "...";
  }
}
