package dev.flyball.review.lens;

import dev.flyball.llm.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * Text from outside as it stands in a prompt: a name cannot leave its line, what a compiler sees is
 * what a model sees, and nothing of it looks like the lines that set it off.
 */
public final class PromptText {
  private static final String PLAIN = "._-/+@~%=";
  private static final String FENCE = "=====";
  private static final int PICTURES = 0x2400;
  private static final int PICTURE_OF_DELETE = 0x2421;

  private PromptText() {}

  /** The name of a file: as it is if it is plain, else a JSON string in ASCII. */
  public static String name(String path) {
    boolean plain =
        !path.isEmpty()
            && path.chars().allMatch(it -> isAsciiLetterOrDigit(it) || PLAIN.indexOf(it) >= 0);
    return plain ? path : quoted(path);
  }

  /** The name of a function or type, which may have blanks and signs in it. */
  public static String symbol(String path) {
    boolean plain = path.codePoints().allMatch(it -> isSeenInLine(it) && it != '"' && it != '\\');
    return plain && !path.isBlank() ? path : quoted(path);
  }

  /** Some names of files, in one line. */
  public static String names(Collection<String> paths) {
    return String.join(", ", paths.stream().map(PromptText::name).toList());
  }

  /**
   * The one of some names that a model meant: itself, or as it was written here, with or without
   * its quotes; what is none of them stays what it is.
   */
  public static String meant(String said, Collection<String> names) {
    if (names.contains(said)) {
      return said;
    }
    for (var name : names) {
      var quoted = quoted(name);
      if (said.equals(quoted) || said.equals(quoted.substring(1, quoted.length() - 1))) {
        return name;
      }
    }
    return said;
  }

  /** With its lines and tabs; every other control and format character is something to look at. */
  public static String content(String text) {
    if (text.chars().allMatch(PromptText::isSeen)) {
      return text;
    }
    var shown = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      i += Character.charCount(character);
      boolean endsLine = character == '\r' && i < text.length() && text.charAt(i) == '\n';
      if (endsLine) {
        continue;
      }
      if (isSeen(character)) {
        shown.appendCodePoint(character);
      } else if (character < ' ') {
        shown.appendCodePoint(PICTURES + character);
      } else if (character == 0x7F) {
        shown.appendCodePoint(PICTURE_OF_DELETE);
      } else if (isHidden(character)) {
        shown.append(escaped(character));
      } else {
        shown.appendCodePoint(character);
      }
    }
    return shown.toString();
  }

  /** The same in one line. */
  public static String line(String text) {
    return content(text).replace("\r", "").replace('\n', ' ');
  }

  /**
   * A mark that is in none of some texts: made of all that is shown, so that nobody can have
   * written it into that beforehand, and the same for the same.
   *
   * @param seed stands for what is shown
   */
  public static String mark(String seed, List<String> texts) {
    var print = seed;
    for (int i = 0; ; i++) {
      var mark = FENCE + print;
      if (texts.stream().noneMatch(text -> text.contains(mark))) {
        return mark;
      }
      print = print(seed + i);
    }
  }

  /** Stands for a text. */
  public static String print(String text) {
    var digest = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, 16);
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"' || character == '\\') {
        quoted.append('\\').append(character);
      } else if (character >= ' ' && character < 0x7F) {
        quoted.append(character);
      } else {
        quoted.append("\\u%04x".formatted((int) character));
      }
    }
    return quoted.append('"').toString();
  }

  private static String escaped(int character) {
    return character <= Character.MAX_VALUE
        ? "\\u%04x".formatted(character)
        : "\\u{%x}".formatted(character);
  }

  private static boolean isSeenInLine(int character) {
    return (character >= ' ' && character < 0x7F) || Character.isLetterOrDigit(character);
  }

  /** Of most characters it is known at once. */
  private static boolean isSeen(int character) {
    return (character >= ' ' && character < 0x7F) || character == '\n' || character == '\t';
  }

  private static boolean isHidden(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  private static boolean isAsciiLetterOrDigit(int character) {
    return character < 0x80 && Character.isLetterOrDigit(character);
  }
}
