package dev.flyball.review.check;

import dev.flyball.review.finding.SourceText;

/**
 * A test of texts that say the same thing over and over.
 *
 * <p>A comparison of every place with every equal one takes the square of their number: a table of
 * a hundred thousand zeros would take hours. So the stretches of {@value #STRETCH} characters of a
 * text, white space not counted, are counted by a hash that rolls along it. The counters are as
 * many as the text has characters, so that a stretch that is rare shares its counter with few.
 */
final class Monotony {
  private static final int STRETCH = 80;
  private static final int TOO_OFTEN = 1_000;
  private static final int FEWEST_COUNTERS = 1 << 10;
  private static final long BASE = 0x100000001B3L;
  private static final long LAST = power(BASE, STRETCH - 1);

  private Monotony() {}

  static boolean of(SourceText text) {
    var content = text.content();
    var counters =
        new int[Integer.highestOneBit(Math.max(FEWEST_COUNTERS, 2 * content.length() - 1))];
    var window = new char[STRETCH];
    long rolling = 0;
    int seen = 0;
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      if (Character.isWhitespace(c)) {
        continue;
      }
      int slot = seen % STRETCH;
      rolling = (rolling - window[slot] * LAST) * BASE + c;
      window[slot] = c;
      seen++;
      if (seen >= STRETCH && ++counters[mixed(rolling) & (counters.length - 1)] > TOO_OFTEN) {
        return true;
      }
    }
    return false;
  }

  private static int mixed(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    return (int) (mixed ^ (mixed >>> 33));
  }

  private static long power(long base, int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= base;
    }
    return power;
  }
}
