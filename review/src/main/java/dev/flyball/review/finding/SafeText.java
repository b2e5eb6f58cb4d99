package dev.flyball.review.finding;

/**
 * Text from outside with its power taken away: what would move a cursor, turn the reading direction
 * or not be seen at all is shown instead of obeyed.
 */
public final class SafeText {
  /** What goes in the place of the rest of a text that is too long. */
  public static final String REST = "…";

  private static final int PICTURES = 0x2400;
  private static final int PICTURE_OF_DELETE = 0x2421;

  private SafeText() {}

  /** On one line: line ends and tabs are spaces. */
  public static String line(String text) {
    return shown(text, false);
  }

  /** With its line ends. */
  public static String lines(String text) {
    return shown(text, true);
  }

  /** As long as it may be, the last character saying that there was more. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - REST.length();
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, Math.max(0, end)) + REST;
  }

  /** Without commands to the build server that reads it as a log. */
  public static String withoutCommands(String text) {
    return CommandBreaker.in(text);
  }

  /** A character, or what stands for it if it would steer a screen or not be seen. */
  public static String shown(int character) {
    if (character < ' ') {
      return Character.toString(PICTURES + character);
    }
    if (character == 0x7F) {
      return Character.toString(PICTURE_OF_DELETE);
    }
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          "\\u{%04x}".formatted(character);
      default -> Character.toString(character);
    };
  }

  private static String shown(String text, boolean keepsLines) {
    var shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '\n' -> shown.append(keepsLines ? '\n' : ' ');
                case '\t' -> shown.append(keepsLines ? "  " : " ");
                case '\r' -> shown.append(keepsLines ? "" : " ");
                default -> shown.append(shown(character));
              }
            });
    return shown.toString();
  }
}
