package dev.flyball.review.secret;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The values of a Secret of Kubernetes, which are coded in Base64 and named as one likes. */
final class ClusterSecret {
  private static final String KIND = "value of a Kubernetes secret";
  private static final int LONGEST_LINE = 10_000;
  private static final int LEAST = 8;
  private static final int FURTHEST_IN = 40;

  private ClusterSecret() {}

  /** Whether a line says that a resource is one. */
  static boolean isSaid(CharSequence text, int at) {
    if (!Words.startsWith(text, at, "kind") || !beginsLine(text, at)) {
      return false;
    }
    int colon = at + 4;
    colon += colon < text.length() && Words.isQuote(text.charAt(colon)) ? 1 : 0;
    if (!Words.startsWith(text, colon, ":")) {
      return false;
    }
    int value = Words.pastBlanks(text, colon + 1, 4);
    value += value < text.length() && Words.isQuote(text.charAt(value)) ? 1 : 0;
    int end = value + "Secret".length();
    return Words.startsWith(text, value, "Secret")
        && (end >= text.length() || !Alphabet.LETTERS.has(text.charAt(end)));
  }

  private static boolean beginsLine(CharSequence text, int at) {
    int from = at;
    while (from > 0 && from > at - FURTHEST_IN && " \t+-\"'".indexOf(text.charAt(from - 1)) >= 0) {
      from--;
    }
    return from == 0 || text.charAt(from - 1) == '\n';
  }

  /** The values in the lines behind, up to where another resource begins. */
  static List<Secret> behind(CharSequence text, int at) {
    var found = new ArrayList<Secret>();
    boolean inValues = false;
    int line = nextLine(text, at);
    while (line < text.length()) {
      int sign = "+- ".indexOf(text.charAt(line)) >= 0 ? 1 : 0;
      int from = Words.pastBlanks(text, line + sign, LONGEST_LINE);
      if (Words.startsWith(text, line + sign, "---")
          || Words.startsWith(text, line, "---")
          || isKind(text, from)) {
        break;
      }
      int next = nextLine(text, line);
      int quote = from < text.length() && Words.isQuote(text.charAt(from)) ? 1 : 0;
      if (Words.startsWith(text, from + quote, "data")
          || Words.startsWith(text, from + quote, "binaryData")) {
        inValues = true;
      } else if (Words.startsWith(text, from, "metadata")
          || Words.startsWith(text, from, "stringData")
          || Words.startsWith(text, from, "type")) {
        inValues = false;
      } else if (inValues) {
        value(text, from, next, found);
      }
      line = next;
    }
    return found;
  }

  private static boolean isKind(CharSequence text, int from) {
    return Words.startsWith(text, from, "kind") || Words.startsWith(text, from, "\"kind");
  }

  private static void value(CharSequence text, int from, int lineEnd, List<Secret> found) {
    int colon = from;
    while (colon < lineEnd && text.charAt(colon) != ':') {
      colon++;
    }
    int start = Words.pastBlanks(text, colon + 1, 4);
    start += start < lineEnd && Words.isQuote(text.charAt(start)) ? 1 : 0;
    int end = start;
    while (end < lineEnd && Alphabet.BASE64.has(text.charAt(end))) {
      end++;
    }
    if (end - start >= LEAST && isCoded(text.subSequence(start, end))) {
      found.add(new Secret(start, end, KIND, Secret.Sign.FORM));
    }
  }

  private static boolean isCoded(CharSequence value) {
    try {
      return value.length() % 4 == 0 && Base64.getDecoder().decode(value.toString()).length > 0;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }

  private static int nextLine(CharSequence text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
    return at + 1;
  }
}
