package dev.flyball.review.check;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Letters as a reader sees them: without accents and without what is not seen, those of other
 * scripts that look like Latin ones for these, and digits that stand for letters.
 */
final class LetterFolding {
  private static final Map<Integer, Character> LOOK_ALIKES =
      pairs(
          "аaвbсcеeнhіiїiјjкkмmоoрpѕsтtуyхxԁdԛqԝwѵvһhӏlпnгrαaβbεeηnιiκkνvοoρpτtυuχxγyϲcϳjσoωw"
              + "ɡgıiɑaɪiɴnʀrʟlʏyᴀaʙbᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzɢgʜhօoոnսuհhցgզqꮯcꭰd");
  private static final Map<Integer, Character> DIGITS = pairs("0o1i3e4a5s7t");

  private LetterFolding() {}

  private static Map<Integer, Character> pairs(String text) {
    Map<Integer, Character> pairs = new HashMap<>();
    var all = text.codePoints().toArray();
    for (int i = 0; i < all.length; i += 2) {
      pairs.put(all[i], (char) all[i + 1]);
    }
    return Map.copyOf(pairs);
  }

  /** In small letters, without accents and without format characters. */
  static String of(String text) {
    if (text.chars().allMatch(it -> it < 0x80)) {
      return text.toLowerCase(Locale.ROOT);
    }
    var apart =
        Normalizer.normalize(
            Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT),
            Normalizer.Form.NFD);
    var folded = new StringBuilder(apart.length());
    apart
        .codePoints()
        .filter(it -> !isUnseen(it))
        .forEach(it -> folded.appendCodePoint(it == 'ß' ? 's' : it));
    return Normalizer.normalize(folded, Normalizer.Form.NFC);
  }

  /** Whether a reader does not see it: marks on letters, format characters, fillers. */
  static boolean isUnseen(int character) {
    return switch (Character.getType(character)) {
      case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK ->
          !isVoicing(character);
      default ->
          character == 0x115F
              || character == 0x1160
              || character == 0x3164
              || character == 0xFFA0
              || character == 0x2800;
    };
  }

  /** In Japanese the mark makes another letter. */
  private static boolean isVoicing(int character) {
    return character == 0x3099 || character == 0x309A;
  }

  /** A word with Latin letters in the place of those that look like them. */
  static String latin(String word) {
    return replaced(word, LOOK_ALIKES);
  }

  /** A word with letters in the place of digits. */
  static String spelt(String word) {
    return replaced(word, DIGITS);
  }

  private static String replaced(String word, Map<Integer, Character> by) {
    var folded = new StringBuilder(word.length());
    word.codePoints()
        .forEach(
            it -> {
              var other = by.get(it);
              if (other == null) {
                folded.appendCodePoint(it);
              } else {
                folded.append(other.charValue());
              }
            });
    return folded.toString();
  }
}
