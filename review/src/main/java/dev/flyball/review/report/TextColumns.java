package dev.flyball.review.report;

import dev.flyball.review.finding.SafeText;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of text in the columns of a screen: what is seen of it, and in which column each of its
 * characters begins.
 */
final class TextColumns {
  private static final int TAB = 4;

  private final String seen;
  private final int[] starts;
  private final int width;

  private TextColumns(String seen, int[] starts, int width) {
    this.seen = seen;
    this.starts = starts;
    this.width = width;
  }

  /** As much of a text as so many columns show, from one of its characters on. */
  static TextColumns of(String text, int from, int columns) {
    var seen = new StringBuilder();
    int start = Math.min(from, text.length());
    int end = Math.min(text.length(), start + columns);
    var starts = new int[end - start + 1];
    int width = 0;
    int i = start;
    while (i < end) {
      int character = text.codePointAt(i);
      var piece = character == '\t' ? " ".repeat(TAB - width % TAB) : SafeText.shown(character);
      int wide = width(piece);
      if (width + wide > columns) {
        break;
      }
      for (int unit = 0; unit < Character.charCount(character) && i + unit < end; unit++) {
        starts[i + unit - start] = width;
      }
      seen.append(piece);
      width += wide;
      i += Character.charCount(character);
    }
    for (int rest = Math.min(i, end); rest <= end; rest++) {
      starts[rest - start] = width;
    }
    return new TextColumns(seen.toString(), starts, width);
  }

  String seen() {
    return seen;
  }

  int width() {
    return width;
  }

  /** The column in which the n-th character from the beginning starts, as far as it is seen. */
  int start(int character) {
    return starts[Math.max(0, Math.min(character, starts.length - 1))];
  }

  /** A text in lines that are no wider than that, broken between words where that is possible. */
  static List<String> wrapped(String text, int columns) {
    var lines = new ArrayList<String>();
    for (var paragraph : SafeText.lines(text).strip().split("\n", -1)) {
      var line = new StringBuilder();
      int used = 0;
      for (var word : paragraph.strip().split(" +", -1)) {
        int wide = width(word);
        if (used > 0 && used + 1 + wide > columns) {
          lines.add(line.toString());
          line.setLength(0);
          used = 0;
        }
        if (used > 0) {
          line.append(' ');
          used++;
        }
        for (int i = 0; i < word.length(); ) {
          var piece = Character.toString(word.codePointAt(i));
          if (used + width(piece) > columns && used > 0) {
            lines.add(line.toString());
            line.setLength(0);
            used = 0;
          }
          line.append(piece);
          used += width(piece);
          i += piece.length();
        }
      }
      lines.add(line.toString());
    }
    return lines;
  }

  static int width(String text) {
    return text.codePoints().map(TextColumns::width).sum();
  }

  private static int width(int character) {
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (character >= 0x1100 && character <= 0x115F)
            || (character >= 0x2E80 && character <= 0xA4CF)
            || (character >= 0xAC00 && character <= 0xD7A3)
            || (character >= 0xF900 && character <= 0xFAFF)
            || (character >= 0xFE30 && character <= 0xFE6F)
            || (character >= 0xFF00 && character <= 0xFF60)
            || (character >= 0xFFE0 && character <= 0xFFE6)
            || (character >= 0x1F300 && character <= 0x1FAFF)
            || (character >= 0x20000 && character <= 0x3FFFD);
    return wide ? 2 : 1;
  }
}
