package dev.flyball.review.secret;

import java.util.Optional;

/**
 * Private keys in blocks of lines, as PEM and PGP have them: whole, or cut off at either end, as a
 * window of a diff may show them; with the signs of a diff or of a program around each line, and on
 * one line with its line ends written as escapes.
 */
final class KeyBlocks {
  static final String BEGIN = "-----BEGIN ";
  static final String END = "-----END ";

  private static final String DASHES = "-----";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String KIND = "private key";
  private static final int LONGEST_TITLE = 60;
  private static final int LEAST_LINE = 16;
  private static final int CHECKSUM = 5;
  private static final int LEAST_WHOLE = 8;
  private static final int LEAST_CUT = 24;
  private static final int LEAST_DIFFERENT = 16;

  private final CharSequence text;
  private final Runs runs;

  KeyBlocks(CharSequence text, Runs runs) {
    this.text = text;
    this.runs = runs;
  }

  /**
   * The block that begins at a place.
   *
   * @param end behind what belongs to it
   * @param secret whether it has a private key in it
   */
  record Block(int end, boolean secret) {}

  Block begun(int at) {
    int title = titleEnd(at + BEGIN.length());
    if (title < 0) {
      return new Block(at + BEGIN.length(), false);
    }
    boolean isPrivate = contains(at, title, PRIVATE);
    int place = title;
    int length = 0;
    int end = title;
    while (true) {
      place = pastSigns(place);
      if (startsWith(place, END)) {
        int close = titleEnd(place + END.length());
        boolean whole = length >= LEAST_WHOLE;
        return new Block(whole && close > 0 ? close : end, isPrivate && whole);
      }
      int headerEnd = headerEnd(place);
      if (headerEnd > place) {
        place = headerEnd;
        continue;
      }
      int run = runs.end(Alphabet.BASE64, place);
      if (run == place || !isBody(place, run, length)) {
        return new Block(end, isPrivate && length >= LEAST_CUT);
      }
      length += run - place;
      place = run;
      end = run;
    }
  }

  /**
   * The lines before an END that no BEGIN was seen of.
   *
   * @param floor what is before it belongs to something else
   */
  Optional<Secret> ended(int at, int floor) {
    int close = titleEnd(at + END.length());
    if (close < 0 || !contains(at, close, PRIVATE)) {
      return Optional.empty();
    }
    int start = at;
    int place = at;
    int length = 0;
    while (place > floor) {
      int back = place;
      while (back > floor && isSign(text.charAt(back - 1))) {
        back--;
      }
      // The letter of an escaped line end is none of the key.
      if (back > floor + 1 && text.charAt(back - 2) == '\\' && isEscape(text.charAt(back - 1))) {
        place = back - 2;
        continue;
      }
      int first = back;
      while (first > floor && Alphabet.BASE64.has(text.charAt(first - 1))) {
        first--;
      }
      int escape = first > floor && text.charAt(first - 1) == '\\' ? 1 : 0;
      int run = back - first - escape;
      if (run > 0 && run <= 2 && "+/".indexOf(text.charAt(back - 1)) >= 0) {
        place = first;
        continue;
      }
      if (run <= 0 || (run < LEAST_LINE && length > 0)) {
        break;
      }
      length += run;
      start = first + escape;
      place = first - escape;
    }
    return length >= LEAST_CUT
        ? Optional.of(new Secret(start, close, KIND, Secret.Sign.FORM))
        : Optional.empty();
  }

  Secret secret(int at, Block block) {
    return new Secret(at, block.end(), KIND, Secret.Sign.FORM);
  }

  /**
   * The piece of a block that has neither end, from the beginning of a line: at least two lines of
   * one length that blocks are written in.
   */
  Optional<Secret> piece(int lineStart) {
    int start = lineStart;
    int end = lineStart;
    int width = 0;
    int lines = 0;
    for (int line = lineStart; line < text.length(); ) {
      int from = line;
      while (from < text.length() && from < line + LEAST_LINE && isMargin(text.charAt(from))) {
        from++;
      }
      int run = runs.end(Alphabet.BASE64, from);
      int length = run - from;
      int next = run < text.length() && text.charAt(run) == '\r' ? run + 1 : run;
      boolean closed = next == text.length() || text.charAt(next) == '\n';
      // With a plus in front it may be one more.
      boolean plus = from == line && length > 0 && text.charAt(from) == '+';
      int own = plus && (length == 65 || length == 71) ? length - 1 : length;
      if (!closed || (own != 64 && own != 70) || (width != 0 && own != width)) {
        break;
      }
      if (ValueLook.different(text, from, run) < LEAST_DIFFERENT) {
        break;
      }
      start = lines == 0 ? run - own : start;
      width = own;
      lines++;
      end = run;
      line = next + 1;
    }
    return lines >= 2
        ? Optional.of(new Secret(start, end, "piece of a key", Secret.Sign.LOOK))
        : Optional.empty();
  }

  private boolean isBody(int from, int to, int before) {
    int length = to - from;
    for (int at = from + 1; at < to; at++) {
      if (text.charAt(at - 1) == '=' && text.charAt(at) != '=' && length > CHECKSUM) {
        return false;
      }
    }
    if (length >= LEAST_LINE || text.charAt(from) == '=' || text.charAt(to - 1) == '=') {
      return true;
    }
    int next = pastSigns(to);
    return (startsWith(next, END) && (before > 0 || !ValueLook.isWordy(text.subSequence(from, to))))
        || (before >= LEAST_CUT && !ValueLook.isWordy(text.subSequence(from, to)));
  }

  /** Behind the line, if it is one of those that tell about the key. */
  private int headerEnd(int place) {
    for (var name : new String[] {"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:"}) {
      if (startsWith(place, name)) {
        int end = place;
        while (end < text.length()
            && text.charAt(end) != '\n'
            && text.charAt(end) != '\\'
            && end < place + 4 * LONGEST_TITLE) {
          end++;
        }
        return end;
      }
    }
    return place;
  }

  /** Behind blanks, line ends, and the signs that diffs and programs put around lines. */
  private int pastSigns(int from) {
    int at = from;
    while (at < text.length()) {
      char each = text.charAt(at);
      if (each == '\\' && at + 1 < text.length() && isEscape(text.charAt(at + 1))) {
        at += 2;
      } else if (isSign(each) && !startsWith(at, DASHES)) {
        at++;
      } else if ((each == '+' || each == '/') && !isInRun(at)) {
        at++;
      } else {
        return at;
      }
    }
    return at;
  }

  /** Whether a sign that keys are written with too has more of them behind it. */
  private boolean isInRun(int at) {
    return runs.end(Alphabet.BASE64, at) - at > 2;
  }

  private static boolean isSign(char each) {
    return Character.isWhitespace(each) || "\"'`,.*#|>;()&-\\".indexOf(each) >= 0;
  }

  private static boolean isMargin(char each) {
    return each == ' ' || each == '\t' || each == '-';
  }

  private static boolean isEscape(char each) {
    return each == 'n' || each == 'r' || each == 't';
  }

  private int titleEnd(int from) {
    int most = Math.min(text.length(), from + LONGEST_TITLE);
    for (int at = from; at < most && text.charAt(at) != '\n'; at++) {
      if (text.charAt(at) == '-') {
        return startsWith(at, DASHES) ? at + DASHES.length() : -1;
      }
    }
    return -1;
  }

  private boolean contains(int from, int to, String word) {
    for (int at = from; at + word.length() <= to; at++) {
      if (startsWith(at, word)) {
        return true;
      }
    }
    return false;
  }

  private boolean startsWith(int at, String word) {
    return Words.startsWith(text, at, word);
  }
}
