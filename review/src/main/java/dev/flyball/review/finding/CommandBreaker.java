package dev.flyball.review.finding;

import java.util.List;

/**
 * Breaks the commands that build servers read in a log, one character after the other: {@code ::}
 * where a line begins (GitHub), {@code ##[} and {@code ##word[} anywhere (GitHub, Azure, TeamCity),
 * and the sections of GitLab.
 */
public final class CommandBreaker {
  private static final List<String> SECTIONS = List.of("section_start", "section_end");
  private static final int LONGEST = 13;

  private boolean begins = true;
  private int colons;
  private int hashes;
  private final StringBuilder word = new StringBuilder();
  private boolean allowed;
  private boolean inSequence;

  /** Breaks those of a whole text. */
  static String in(String text) {
    var broken = new StringBuilder(text.length() + 16);
    var breaker = new CommandBreaker();
    text.codePoints().forEach(each -> breaker.next(each, broken));
    return broken.toString();
  }

  /** The next two colons at the beginning of a line are ours. */
  public void allowOne() {
    allowed = true;
  }

  /** What follows is the rest of a sequence of ours for a terminal, up to its letter. */
  public void skipSequence() {
    inSequence = true;
  }

  /** Writes the next character, or what stands for it. */
  public void next(int character, StringBuilder out) {
    if (inSequence) {
      inSequence = !Character.isLetter(character);
      out.appendCodePoint(character);
      return;
    }
    if (character == '\n') {
      begins = true;
      colons = 0;
      hashes = 0;
      word.setLength(0);
      allowed = false;
      out.append('\n');
      return;
    }
    boolean bracket = character == '[' && hashes >= 2;
    hashes = character == '#' ? hashes + 1 : hashes >= 2 && isLetter(character) ? hashes : 0;
    if (bracket) {
      begins = false;
      out.append('⁅');
      return;
    }
    if (begins && colons == 0 && isBlank(character)) {
      out.appendCodePoint(character);
      return;
    }
    if (begins && character == ':') {
      colons++;
      if (colons == 2) {
        begins = false;
        if (!allowed) {
          out.setLength(Math.max(0, out.length() - (endsWithColon(out) ? 1 : 0)));
          out.append('∷');
          return;
        }
      }
      out.append(':');
      return;
    }
    begins = false;
    if (isLetter(character) || character == '_') {
      word.append((char) character);
      if (word.length() > LONGEST) {
        word.deleteCharAt(0);
      }
    } else {
      boolean section = character == ':' && SECTIONS.stream().anyMatch(this::isWord);
      word.setLength(0);
      if (section) {
        out.append('∶');
        return;
      }
    }
    out.appendCodePoint(character);
  }

  private boolean isWord(String name) {
    return word.length() >= name.length()
        && word.substring(word.length() - name.length()).equals(name);
  }

  private static boolean endsWithColon(StringBuilder out) {
    return !out.isEmpty() && out.charAt(out.length() - 1) == ':';
  }

  private static boolean isLetter(int character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
  }

  private static boolean isBlank(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }
}
