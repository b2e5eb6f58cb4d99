package dev.flyball.review.secret;

/** A set of characters that parts of secrets are written in. */
enum Alphabet {
  DIGITS('d', "0-9"),
  HEX('h', "0-9a-fA-F"),
  CAPITALS('A', "A-Z0-9"),
  LETTERS('w', "A-Za-z0-9"),
  WORD('W', "A-Za-z0-9_"),
  URL('u', "A-Za-z0-9_-"),
  DOTTED('.', "A-Za-z0-9_.~-"),
  BASE64('b', "A-Za-z0-9+/="),
  BASE64_URL('B', "A-Za-z0-9+/_=.-"),
  /** What a value without quotes is written in, in the middle of other text. */
  VALUE('v', "!#$%(-+.-:=?-[]-_a-z{-~-"),
  /** What a value is written in that has the rest of its line for itself. */
  FULL('f', "!-~"),
  /** What an address is written in. */
  ADDRESS('a', "!#-&(-;=?-[]-_a-z|~{}");

  private final char sign;
  private final long low;
  private final long high;

  Alphabet(char sign, String ranges) {
    this.sign = sign;
    long below = 0;
    long above = 0;
    for (int i = 0; i < ranges.length(); i++) {
      boolean range = i + 2 < ranges.length() && ranges.charAt(i + 1) == '-';
      char last = ranges.charAt(range ? i + 2 : i);
      for (char each = ranges.charAt(i); each <= last; each++) {
        below |= each < 64 ? 1L << each : 0;
        above |= each >= 64 ? 1L << (each - 64) : 0;
      }
      i += range ? 2 : 0;
    }
    low = below;
    high = above;
  }

  boolean has(char character) {
    return character < 128
        && ((character < 64 ? low >>> character : high >>> (character - 64)) & 1) != 0;
  }

  static Alphabet of(char sign) {
    for (var each : values()) {
      if (each.sign == sign) {
        return each;
      }
    }
    throw new IllegalArgumentException("no alphabet has the sign " + sign);
  }
}
