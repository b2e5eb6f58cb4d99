package dev.flyball.review.symbol;

/** The extent to which a file could be understood. */
public enum ParseQuality {
  PARSED,
  /** The grammar met something that it did not know; the rest is here. */
  PARTLY,
  /** Nested so deeply that the innermost was left out. */
  TOO_DEEP,
  /** No grammar for it, or too much work for one: looked at line by line. */
  GUESSED
}
