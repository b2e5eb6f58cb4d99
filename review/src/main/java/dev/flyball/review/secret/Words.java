package dev.flyball.review.secret;

/** Small questions to a text. */
final class Words {
  private static final int LOOK_BACK = 200;

  private Words() {}

  static boolean startsWith(CharSequence text, int at, String word) {
    if (at < 0 || at + word.length() > text.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (text.charAt(at + i) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The same, whether in capitals or not; the word is given in small letters. */
  static boolean startsWithAnyCase(CharSequence text, int at, String word) {
    if (at < 0 || at + word.length() > text.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (Character.toLowerCase(text.charAt(at + i)) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Behind the blanks that begin at a place, at most so many. */
  static int pastBlanks(CharSequence text, int from, int most) {
    int at = from;
    while (at < text.length() && at < from + most && isBlank(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** In front of the blanks that end at a place, at most so many. */
  static int beforeBlanks(CharSequence text, int to, int most) {
    int at = to;
    while (at > 0 && at > to - most && isBlank(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  static boolean isBlank(char each) {
    return each == ' ' || each == '\t';
  }

  static boolean isQuote(char each) {
    return each == '"' || each == '\'' || each == '`';
  }

  /** Where the line begins that a place is in, or as far in front of it as is looked at. */
  private static int lineStart(CharSequence text, int place, int most) {
    int at = place;
    while (at > 0 && at > place - most && text.charAt(at - 1) != '\n') {
      at--;
    }
    return at;
  }

  /** Whether one of some words is on the line of a place, not too far in front of it. */
  static boolean lineHas(CharSequence text, int place, String... words) {
    int from = lineStart(text, place, LOOK_BACK);
    for (var word : words) {
      if (contains(text, from, place, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(CharSequence text, int from, int to, String word) {
    for (int at = from; at + word.length() <= to; at++) {
      if (startsWithAnyCase(text, at, word)) {
        return true;
      }
    }
    return false;
  }
}
