package dev.flyball.cli.screen;

import dev.flyball.review.finding.CommandBreaker;
import dev.flyball.review.finding.SafeText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.security.SecureRandom;
import java.util.Map;

/**
 * The last door before a screen or a log, through which every character of the commands goes. What
 * steers a terminal or a build server comes out as something to look at, wherever it is from; only
 * what {@link Terminal} and the annotations of a review mean as such is passed on, which they say
 * by a sign that is drawn anew in each process and that no text from outside can know.
 */
public final class InertWriter extends Writer {
  private static final int SIGNS = 4;
  private static final int FIRST_PRIVATE = 0xE000;
  private static final int PRIVATE = 6_400;
  private static final String MARK = mark();

  /** What screens draw, and what stands for it where only plain letters can be shown. */
  private static final Map<Integer, String> IN_PLAIN_LETTERS =
      Map.ofEntries(
          Map.entry(0x2588, "#"),
          Map.entry(0x2591, "-"),
          Map.entry(0x2192, "->"),
          Map.entry(0x2026, "..."),
          Map.entry(0x00d7, "x"),
          Map.entry(0x00f7, "/"),
          Map.entry(0x00b7, "-"),
          Map.entry(0x2013, "-"),
          Map.entry(0x2014, "-"),
          Map.entry(0x2022, "*"),
          Map.entry(0x2018, "'"),
          Map.entry(0x2019, "'"),
          Map.entry(0x201c, "\""),
          Map.entry(0x201d, "\""),
          Map.entry(0x2502, "|"),
          Map.entry(0x2500, "-"),
          Map.entry(0x2265, ">="),
          Map.entry(0x2264, "<="));

  private static final int FIRST_EIGHTH = 0x2589;
  private static final int HALF = 0x258c;
  private static final int LAST_EIGHTH = 0x258f;

  private final Writer out;
  private final boolean plainLetters;
  private final CommandBreaker commands = new CommandBreaker();
  private int matched;
  private boolean trusted;
  private boolean returned;
  private char high;

  private InertWriter(Writer out, boolean plainLetters) {
    this.out = out;
    this.plainLetters = plainLetters;
  }

  /** A writer in front of another one. */
  public static PrintWriter before(PrintWriter out) {
    return before(out, Map.of());
  }

  /** The same, which draws with plain letters where the user's locale has no others. */
  public static PrintWriter before(PrintWriter out, Map<String, String> environment) {
    return new PrintWriter(new InertWriter(out, TerminalTraits.isPlain(environment)), true);
  }

  private static String mark() {
    var random = new SecureRandom();
    var mark = new StringBuilder("\u001b");
    random
        .ints(SIGNS, FIRST_PRIVATE, FIRST_PRIVATE + PRIVATE)
        .forEach(sign -> mark.append((char) sign));
    return mark.toString();
  }

  /** A sequence that steers the screen, without the escape that begins it: {@code [1m}. */
  static String sequence(String rest) {
    return MARK + rest;
  }

  /** A line that is meant for the build server. */
  public static String command(String line) {
    return MARK + line;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    var shown = new StringBuilder(length + 16);
    for (int i = offset; i < offset + length; i++) {
      next(text[i], shown);
    }
    // Nobody writes the sign in two parts.
    notTheMark(shown);
    out.append(shown);
  }

  private void next(char character, StringBuilder shown) {
    if (character == MARK.charAt(matched)) {
      matched++;
      if (matched == MARK.length()) {
        matched = 0;
        trusted = true;
      }
      return;
    }
    if (matched > 0) {
      notTheMark(shown);
      next(character, shown);
      return;
    }
    if (trusted) {
      trusted = false;
      if (character == '[') {
        shown.append('\u001b').append(character);
        commands.skipSequence();
        return;
      }
      commands.allowOne();
    }
    plain(character, shown);
  }

  private void notTheMark(StringBuilder shown) {
    var other = MARK.substring(0, matched);
    matched = 0;
    other.chars().forEach(each -> plain((char) each, shown));
  }

  private void plain(char character, StringBuilder shown) {
    if (returned) {
      returned = false;
      // Before a line feed it is the end of a line; elsewhere it would write over what stands
      // there.
      shown.append(character == '\n' ? "" : SafeText.shown('\r'));
    }
    if (high != 0) {
      char first = high;
      high = 0;
      if (Character.isLowSurrogate(character)) {
        append(Character.toCodePoint(first, character), shown);
        return;
      }
      append(first, shown);
    }
    if (Character.isHighSurrogate(character)) {
      high = character;
    } else if (character == '\r') {
      returned = true;
    } else {
      append(character, shown);
    }
  }

  private void append(int character, StringBuilder shown) {
    if (character == '\n' || character == '\t') {
      commands.next(character, shown);
    } else if (plainLetters && character >= FIRST_EIGHTH && character <= LAST_EIGHTH) {
      commands.next(character <= HALF ? '#' : '-', shown);
    } else if (plainLetters && IN_PLAIN_LETTERS.containsKey(character)) {
      IN_PLAIN_LETTERS.get(character).chars().forEach(each -> commands.next(each, shown));
    } else {
      SafeText.shown(character).codePoints().forEach(each -> commands.next(each, shown));
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
    if (out instanceof PrintWriter printer && printer.checkError()) {
      throw new IOException("the output cannot be written");
    }
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }
}
