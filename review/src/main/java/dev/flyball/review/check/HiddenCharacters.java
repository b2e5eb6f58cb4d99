package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.relation.TestsOf;
import dev.flyball.review.rule.RuleLanguage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Characters that make a reader see something else than a compiler: those that turn the direction
 * of a text, that take no room, or that move a cursor. Where a language or a picture needs them,
 * they are none.
 */
public final class HiddenCharacters {
  private static final double SURE = 0.9;
  private static final int NON_JOINER = 0x200C;
  private static final int JOINER = 0x200D;
  private static final int BYTE_ORDER_MARK = 0xFEFF;
  private static final int FLAG = 0x1F3F4;
  private static final int HEX = 16;

  /** Where they are already: the mark that files begin with, and a hyphen at the end of a line. */
  private static final Set<String> HARMLESS =
      Set.of("U+FEFF", "U+00AD", "U+200B", "U+200C", "U+200D", "U+2060");

  private HiddenCharacters() {}

  /**
   * One claim for each line of a change that has some. Of whole files, one for each file of code
   * that is no test, and only for what makes code read otherwise than it runs: what moves a cursor,
   * and the mark that files begin with, are no news there.
   *
   * @param whole whether the texts are there as they are, and nobody has just written them
   */
  public static List<Claim> in(Collection<SourceText> texts, boolean whole) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      if (text.content().chars().allMatch(HiddenCharacters::isPlain)) {
        continue;
      }
      if (whole && (RuleLanguage.of(text.path()).isEmpty() || TestsOf.isTest(text.path()))) {
        continue;
      }
      var lines = new ArrayList<Integer>();
      var seen = new TreeSet<String>();
      for (int i = 1; i <= text.lines(); i++) {
        var found = in(text.line(i), i == 1);
        if (whole) {
          found.removeIf(each -> movesCursor(each) || HARMLESS.contains(each));
        }
        if (!found.isEmpty() && whole) {
          lines.add(i);
          seen.addAll(found);
        } else if (!found.isEmpty()) {
          claims.add(claim(text, i, "", found));
        }
      }
      if (!lines.isEmpty()) {
        claims.add(
            claim(
                text,
                lines.getFirst(),
                lines.size() == 1
                    ? ""
                    : "So has each of %,d lines of this file.".formatted(lines.size()),
                seen));
      }
    }
    return claims;
  }

  private static Claim claim(SourceText text, int line, String message, Collection<String> found) {
    return Rulebook.claim(
        Rulebook.HIDDEN,
        Place.lines(text, line, line),
        message,
        String.join(", ", found),
        "text",
        SURE);
  }

  /** Whether it is one of the old codes for terminals and printers. */
  private static boolean movesCursor(String number) {
    return Integer.parseInt(number.substring(2), HEX) < 0xA0;
  }

  private static boolean isPlain(int character) {
    return (character >= ' ' && character < 0x7F) || character == '\n' || character == '\t';
  }

  /** Their numbers, each once. */
  private static Collection<String> in(String line, boolean first) {
    var found = new TreeSet<String>();
    if (line.chars().allMatch(HiddenCharacters::isPlain)) {
      return found;
    }
    var all = line.codePoints().toArray();
    var turns = new Turns();
    for (int i = 0; i < all.length; i++) {
      int before = i == 0 ? ' ' : all[i - 1];
      int after = i + 1 == all.length ? ' ' : all[i + 1];
      boolean start = first && i == 0;
      if ((all[i] != BYTE_ORDER_MARK || !start) && isHidden(all[i], before, after)) {
        found.add("U+%04X".formatted(all[i]));
      }
      turns.next(all[i]);
    }
    turns.wrong().forEach(each -> found.add("U+%04X".formatted(each)));
    return found;
  }

  private static boolean isHidden(int character, int before, int after) {
    return switch (character) {
      // A form feed parts the pages of old sources.
      case '\t', '\f' -> false;
      case NON_JOINER, JOINER ->
          (!isJoined(before) && !isJoined(after)) || isLatin(before) || isLatin(after);
      case 0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, BYTE_ORDER_MARK, 0x180E ->
          isLatin(before) || isLatin(after) || (!isJoined(before) && !isJoined(after));
      case 0x115F, 0x1160, 0x3164, 0xFFA0 -> !isHangul(before) && !isHangul(after);
      case 0x00AD -> isCode(before) || isCode(after);
      default ->
          character < ' '
              || (character >= 0x7F && character < 0xA0 && character != 0x85)
              || (character == 0x85 && isLatin(after))
              || (character >= 0xE0000 && character <= 0xE007F && before != FLAG && !isTag(before))
              || (isSelector(character) && isSelector(before));
    };
  }

  private static boolean isTag(int character) {
    return character >= 0xE0020 && character <= 0xE007F;
  }

  private static boolean isSelector(int character) {
    return (character >= 0xFE00 && character <= 0xFE0F)
        || (character >= 0xE0100 && character <= 0xE01EF);
  }

  private static boolean isLatin(int character) {
    return character < 0x250 && (Character.isLetterOrDigit(character) || character == '_');
  }

  private static boolean isCode(int character) {
    return character < 0x80 && "_(){}[]=<>.;\"'".indexOf(character) >= 0;
  }

  private static boolean isHangul(int character) {
    return Character.UnicodeScript.of(character) == Character.UnicodeScript.HANGUL;
  }

  /** Whether it is a letter of a script that joins its letters, or a picture. */
  private static boolean isJoined(int character) {
    return character > 0x250
        && (Character.isLetter(character)
            || Character.getType(character) == Character.OTHER_SYMBOL
            || Character.getType(character) == Character.MODIFIER_SYMBOL
            || Character.getType(character) == Character.NON_SPACING_MARK
            || Character.getType(character) == Character.COMBINING_SPACING_MARK
            || character == '♀'
            || character == '♂');
  }

  /** The turns of direction in a line: they are right where they enclose text that needs them. */
  private static final class Turns {
    private final List<Integer> open = new ArrayList<>();
    private final List<Integer> wrong = new ArrayList<>();
    private final List<Integer> marks = new ArrayList<>();
    private boolean rightToLeft;
    private boolean inside;

    void next(int character) {
      switch (character) {
        case 0x202D, 0x202E -> {
          wrong.add(character);
          open.add(character);
        }
        case 0x202A, 0x202B, 0x2066, 0x2067, 0x2068 -> {
          open.add(character);
          inside = false;
        }
        case 0x202C, 0x2069 -> {
          if (open.isEmpty() || !inside) {
            wrong.add(character);
          }
          if (!open.isEmpty()) {
            open.removeLast();
          }
        }
        case 0x200E, 0x200F, 0x061C -> marks.add(character);
        default -> {
          byte direction = Character.getDirectionality(character);
          if (direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
              || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC) {
            rightToLeft = true;
            inside = true;
          }
        }
      }
    }

    List<Integer> wrong() {
      wrong.addAll(open);
      if (!rightToLeft) {
        wrong.addAll(marks);
      }
      return wrong;
    }
  }
}
