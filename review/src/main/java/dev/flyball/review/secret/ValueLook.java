package dev.flyball.review.secret;

import java.util.Locale;

/** The look of a value: whether somebody drew it at random, or wrote it in words. */
final class ValueLook {
  /** As many characters of a value are looked at. */
  static final int LONGEST = 256;

  static final int LEAST_RANDOM = 16;
  private static final int SHORT_RANDOM = 8;
  private static final int LEAST_PASSWORD = 6;
  private static final int MOST_BLANKS = 3;

  /** So few digits may follow a word that is still one, as in {@code sha256}. */
  private static final int NUMBER_OF_A_WORD = 3;

  private static final int LONGEST_WORD = 40;
  private static final int TINY = 4;
  private static final int LETTERS_OF_A_HUMP = 7;

  private ValueLook() {}

  /** Whether a value is random enough for a token or a key. */
  static boolean isRandom(CharSequence whole) {
    var value = cut(whole);
    if (value.length() < SHORT_RANDOM || StandIn.is(value) || isExpression(value)) {
      return false;
    }
    if (value.length() < LEAST_RANDOM) {
      return has(value, ' ') == 0 && alternations(value) >= 3 && !isWordy(value);
    }
    return has(value, ' ') == 0 && different(value, 0, value.length()) >= 6 && !isWordy(value);
  }

  /** Whether it can hardly be a name, which has a number in it here and there. */
  static boolean isVeryRandom(CharSequence value) {
    return isRandom(value) && alternations(cut(value)) >= 6;
  }

  /** Whether a value is what somebody would choose as a password. */
  static boolean isPassword(CharSequence whole) {
    var value = cut(whole);
    if (value.length() < LEAST_PASSWORD || StandIn.is(value) || isExpression(value)) {
      return false;
    }
    if (isRandom(value)) {
      return true;
    }
    int digits = 0;
    int capitals = 0;
    int small = 0;
    int signs = 0;
    int joints = 0;
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (isDigit(each)) {
        digits++;
      } else if (isCapital(each)) {
        capitals++;
      } else if (isSmall(each) || each >= 128) {
        small++;
      } else if ("_-./:\\, ".indexOf(each) >= 0) {
        joints++;
      } else {
        signs++;
      }
    }
    int letters = capitals + small;
    int blanks = has(value, ' ');
    if (letters == 0 || blanks > MOST_BLANKS) {
      return false;
    }
    if (signs == 0 && lower(value).contains("password") && isWordy(value)) {
      return false;
    }
    if (blanks > 0 || (joints > 0 && signs == 0)) {
      return digits > 0 && hasMixedWord(value);
    }
    return digits > 0 || (signs > 0 && capitals > 0 && small > 0 && joints == 0);
  }

  /** Whether it is a piece of program: a call, an index, a template, a pattern. */
  private static boolean isExpression(String value) {
    return encloses(value, '(', ')')
        || encloses(value, '[', ']')
        || encloses(value, '{', '}')
        || encloses(value, '<', '>')
        || value.contains("://")
        || value.contains("${")
        || value.contains("{{")
        || value.contains("%s")
        || value.contains("->")
        || value.contains("::")
        || value.contains("||")
        || value.contains("\\u")
        || value.contains("\\d")
        || value.contains("\\w")
        || (value.startsWith("/") && !isBase64(value))
        || (value.startsWith("%") && value.endsWith("%"))
        || (value.startsWith("__") && value.endsWith("__"))
        || isMail(value);
  }

  private static boolean isBase64(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (!Alphabet.BASE64.has(value.charAt(i))) {
        return false;
      }
    }
    return value.length() >= LEAST_RANDOM && !isWordy(value);
  }

  private static boolean isMail(String value) {
    int at = value.indexOf('@');
    int dot = value.lastIndexOf('.');
    if (at <= 0 || dot < at + 2 || value.length() - dot < 3) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (i != at && !Alphabet.DOTTED.has(value.charAt(i)) && value.charAt(i) != '+') {
        return false;
      }
    }
    return isWordy(value.substring(at + 1));
  }

  private static boolean encloses(String value, char open, char close) {
    int at = value.indexOf(open);
    return at >= 0 && value.indexOf(close, at) > at;
  }

  /** Whether all parts of a value are words, numbers, or words with a number behind them. */
  static boolean isWordy(CharSequence whole) {
    var value = cut(whole);
    if (isCoded(value)) {
      return false;
    }
    int from = 0;
    for (int at = 0; at <= value.length(); at++) {
      if (at == value.length() || !Alphabet.LETTERS.has(value.charAt(at))) {
        if (!isWord(value, from, at)) {
          return false;
        }
        from = at + 1;
      }
    }
    return true;
  }

  /** Whether it is in Base64, which has signs that would part words. */
  private static boolean isCoded(String value) {
    int capitals = 0;
    int small = 0;
    int digits = 0;
    int signs = 0;
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (!Alphabet.BASE64.has(each)) {
        return false;
      }
      capitals += isCapital(each) ? 1 : 0;
      small += isSmall(each) ? 1 : 0;
      digits += isDigit(each) ? 1 : 0;
      signs += each == '/' || each == '+' ? 1 : 0;
    }
    return value.length() >= 2 * LEAST_RANDOM
        && signs > 0
        && digits > 0
        && small > 0
        && 5 * capitals > value.length();
  }

  private static boolean isWord(CharSequence value, int from, int to) {
    int length = to - from;
    int letters = 0;
    int humps = 0;
    int changes = 0;
    for (int i = from; i < to; i++) {
      char each = value.charAt(i);
      letters += isDigit(each) ? 0 : 1;
      if (i > from) {
        char before = value.charAt(i - 1);
        changes += isDigit(each) != isDigit(before) ? 1 : 0;
        humps += isCapital(each) && isSmall(before) ? 1 : 0;
      }
    }
    int digits = length - letters;
    if (letters == 0 || length <= TINY) {
      return true;
    }
    if (digits > 0) {
      // As sha256, utf8mb4 or EC2Instance.
      return digits <= NUMBER_OF_A_WORD
          && changes <= 2
          && humps <= Math.max(1, length / LETTERS_OF_A_HUMP)
          && length <= LONGEST_WORD;
    }
    return humps <= Math.max(1, length / TINY) && !isUnspeakable(value, from, to);
  }

  /** Whether letters have no vowels where words would have some. */
  private static boolean isUnspeakable(CharSequence value, int from, int to) {
    int row = 0;
    int longest = 0;
    int vowels = 0;
    for (int i = from; i < to; i++) {
      boolean vowel = "aeiouyAEIOUY".indexOf(value.charAt(i)) >= 0;
      vowels += vowel ? 1 : 0;
      row = vowel ? 0 : row + 1;
      longest = Math.max(longest, row);
    }
    int length = to - from;
    return length >= 12 && (longest >= 7 || 6 * vowels < length);
  }

  /** Whether one of its words has letters and digits, and not only a number behind. */
  private static boolean hasMixedWord(CharSequence value) {
    int from = 0;
    for (int at = 0; at <= value.length(); at++) {
      if (at == value.length() || " _-./:\\,".indexOf(value.charAt(at)) >= 0) {
        int inner = 0;
        for (int i = from + 1; i < at; i++) {
          inner += isDigit(value.charAt(i - 1)) && !isDigit(value.charAt(i)) ? 1 : 0;
        }
        if (inner > 0 && at - from > 3) {
          return true;
        }
        from = at + 1;
      }
    }
    return false;
  }

  private static int alternations(CharSequence value) {
    int count = 0;
    for (int i = 1; i < value.length(); i++) {
      char before = value.charAt(i - 1);
      char each = value.charAt(i);
      count += isDigit(before) != isDigit(each) || (isSmall(before) && isCapital(each)) ? 1 : 0;
    }
    return count;
  }

  /** How many different characters there are, up to so many as ASCII has. */
  static int different(CharSequence text, int from, int to) {
    long low = 0;
    long high = 0;
    for (int i = from; i < to; i++) {
      char each = text.charAt(i);
      low |= each < 64 ? 1L << each : 0;
      high |= each >= 64 ? 1L << (each & 63) : 0;
    }
    return Long.bitCount(low) + Long.bitCount(high);
  }

  static boolean hasDigit(CharSequence text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (isDigit(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static int has(CharSequence value, char wanted) {
    int count = 0;
    for (int i = 0; i < value.length(); i++) {
      count += value.charAt(i) == wanted ? 1 : 0;
    }
    return count;
  }

  static String cut(CharSequence value) {
    return value.length() <= LONGEST ? value.toString() : value.subSequence(0, LONGEST).toString();
  }

  static String lower(String value) {
    return value.toLowerCase(Locale.ROOT);
  }

  static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  static boolean isCapital(char character) {
    return character >= 'A' && character <= 'Z';
  }

  static boolean isSmall(char character) {
    return character >= 'a' && character <= 'z';
  }
}
