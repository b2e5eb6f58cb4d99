package dev.flyball.review.secret;

import java.util.List;

/** The secrets in a text: where they are, and the text without them. */
public final class Secrets {
  /** How every note begins that stands in the place of a secret. */
  public static final String NOTE = "[secret: ";

  private Secrets() {}

  /** All, in their order, none inside another. */
  public static List<Secret> in(CharSequence text) {
    return new SecretScan(text).secrets();
  }

  /**
   * A text in which a note stands in the place of each secret.
   *
   * @param count how many there were
   */
  public record Hidden(String text, int count) {}

  /**
   * Puts notes in the place of secrets, which say how long each was. Lines stay lines, and keep the
   * signs of a diff and the blanks that they begin with.
   */
  public static Hidden hide(String text) {
    var secrets = in(text);
    if (secrets.isEmpty()) {
      return new Hidden(text, 0);
    }
    var shown = new StringBuilder(text.length());
    int from = 0;
    for (var secret : secrets) {
      shown.append(text, from, secret.start());
      for (int line = secret.start(); line < secret.end(); ) {
        int lineFeed = text.indexOf('\n', line);
        int end = lineFeed < 0 || lineFeed > secret.end() ? secret.end() : lineFeed;
        int start = line > secret.start() ? margin(text, line, end) : line;
        shown.append(text, line, start);
        int length = end > start && text.charAt(end - 1) == '\r' ? end - start - 1 : end - start;
        if (length > 0) {
          shown.append(NOTE).append(length).append(length == 1 ? " character]" : " characters]");
        }
        shown.append(text, start + length, end);
        if (end < secret.end()) {
          shown.append('\n');
        }
        line = end + 1;
      }
      from = secret.end();
    }
    return new Hidden(shown.append(text, from, text.length()).toString(), secrets.size());
  }

  /** Behind the sign of a diff and the blanks that a line begins with. */
  private static int margin(String text, int line, int end) {
    boolean sign = "+-".indexOf(text.charAt(line)) >= 0 && !text.startsWith("-----", line);
    return Math.min(end, Words.pastBlanks(text, sign ? line + 1 : line, end - line));
  }

  /** A text in which an asterisk stands in the place of each character of a secret. */
  public static String masked(String text) {
    var secrets = in(text);
    if (secrets.isEmpty()) {
      return text;
    }
    var shown = new StringBuilder(text);
    for (var secret : secrets) {
      for (int i = secret.start(); i < secret.end(); i++) {
        if (!Character.isWhitespace(text.charAt(i))) {
          shown.setCharAt(i, '*');
        }
      }
    }
    return shown.toString();
  }

  /** The same as {@link #hide}, for who does not count. */
  public static String hidden(String text) {
    return hide(text).text();
  }
}
