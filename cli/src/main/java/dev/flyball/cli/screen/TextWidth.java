package dev.flyball.cli.screen;

/** How many columns a text takes on a screen: none for a mark on a letter, two for a wide one. */
final class TextWidth {
  /** First and last of the blocks whose characters are wide; emoji are asked for by themselves. */
  private static final int[][] WIDE = {
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x17000, 0x18CFF},
    {0x1AFF0, 0x1B2FF},
    {0x20000, 0x3FFFD}
  };

  private TextWidth() {}

  static int of(String text) {
    return text.codePoints().map(TextWidth::of).sum();
  }

  static int of(int character) {
    if (character < 0x300) {
      return character == 0xAD ? 0 : 1;
    }
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT
        || (character >= 0x1160 && character <= 0x11FF)) {
      return 0;
    }
    if (Character.isEmojiPresentation(character)) {
      return 2;
    }
    for (var block : WIDE) {
      if (character >= block[0] && character <= block[1]) {
        return 2;
      }
    }
    return 1;
  }
}
