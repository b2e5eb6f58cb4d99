package dev.flyball.review.secret;

import java.util.ArrayList;
import java.util.List;

/**
 * The form of what one issuer gives out: fixed words and, between them, so many characters of an
 * alphabet.
 *
 * @param first the word that it begins with
 * @param wordy whether other things begin with that word too, so that the rest has to look random
 */
record IssuedForm(String kind, String first, List<Part> rest, boolean wordy) {
  private static final int LEAST_DIFFERENT = 5;

  /** A part behind the first word. */
  sealed interface Part {
    record Word(String word) implements Part {}

    record Run(Alphabet alphabet, int least, int most) implements Part {}
  }

  IssuedForm {
    rest = List.copyOf(rest);
    if (first.isEmpty()) {
      throw new IllegalArgumentException("a form begins with a word, but this does not: " + kind);
    }
  }

  /** From a line such as {@code GitHub token | ghp_{w 30-}}, with a {@code ?} if it is wordy. */
  static IssuedForm of(String line) {
    var fields = line.split(" \\| ", -1);
    var form = fields[1];
    var parts = new ArrayList<Part>();
    int open = form.indexOf('{');
    var first = form.substring(0, open);
    for (int at = open; at < form.length(); ) {
      if (form.charAt(at) == '{') {
        int close = form.indexOf('}', at);
        var counts = form.substring(at + 3, close).split("-", -1);
        int most = counts[1].isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(counts[1]);
        parts.add(
            new Part.Run(Alphabet.of(form.charAt(at + 1)), Integer.parseInt(counts[0]), most));
        at = close + 1;
      } else {
        int next = form.indexOf('{', at);
        int end = next < 0 ? form.length() : next;
        parts.add(new Part.Word(form.substring(at, end)));
        at = end;
      }
    }
    return new IssuedForm(fields[0], first, parts, fields.length > 2);
  }

  /** Behind its last character, if it begins at a place; else -1. */
  int end(CharSequence text, Runs runs, int start) {
    int at = after(text, start, first);
    if (at < 0) {
      return -1;
    }
    int body = at;
    for (var part : rest) {
      switch (part) {
        case Part.Word(var word) -> at = after(text, at, word);
        case Part.Run(var alphabet, var least, var most) -> {
          int length = runs.end(alphabet, at) - at;
          at = length < least || length > most ? -1 : at + length;
        }
      }
      if (at < 0) {
        return -1;
      }
    }
    boolean ends = at == text.length() || !Alphabet.LETTERS.has(text.charAt(at));
    return ends && isDrawn(text, body, at) ? at : -1;
  }

  /** Whether it may have been drawn at random, and is not a row of x that stands for it. */
  private boolean isDrawn(CharSequence text, int from, int to) {
    int end = Math.min(to, from + ValueLook.LONGEST);
    return ValueLook.different(text, from, end) >= LEAST_DIFFERENT
        && !((wordy || isWritten(text, from, end))
            && ValueLook.isWordy(text.subSequence(from, end)))
        && !StandIn.isFiller(text.subSequence(from, end));
  }

  /** Whether there are signs that part words, and no digit. */
  private static boolean isWritten(CharSequence text, int from, int to) {
    boolean parted = false;
    for (int i = from; i < to; i++) {
      parted |= !Alphabet.LETTERS.has(text.charAt(i));
    }
    return parted && !ValueLook.hasDigit(text, from, to);
  }

  private static int after(CharSequence text, int at, String word) {
    return Words.startsWith(text, at, word) ? at + word.length() : -1;
  }
}
