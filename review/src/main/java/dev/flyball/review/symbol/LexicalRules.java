package dev.flyball.review.symbol;

import java.util.EnumSet;
import java.util.Set;

/** The form of the comments and the literals of a language. */
enum LexicalRules {
  /** {@code //} to the end of the line and {@code /* *}{@code /}. */
  SLASHES,
  /** A block comment can hold another. */
  NESTED,
  /** {@code #} to the end of the line. */
  HASH,
  /** Three double quotes begin a string of many lines. */
  TRIPLE_DOUBLE,
  TRIPLE_SINGLE,
  /** Between single quotes is a string or a character. */
  SINGLE,
  /** A single quote can also begin a lifetime or stand between digits. */
  LOOSE_SINGLE,
  /** A backquote begins a string as it stands. */
  RAW_BACKQUOTE,
  /** A backquote begins a string with code in it. */
  TEMPLATE,
  /** A slash can begin a regular expression. */
  REGEX,
  /** {@code r#"..."#}. */
  RAW_HASH,
  /** {@code R"x(...)x"}. */
  RAW_PARENTHESIS,
  /** {@code @"..."}, in which a quote is doubled. */
  VERBATIM,
  /** Code can stand in the braces of a string, or after its dollar sign. */
  INTERPOLATED;

  static Set<LexicalRules> of(Language language) {
    return switch (language) {
      case JAVA -> EnumSet.of(SLASHES, TRIPLE_DOUBLE, SINGLE);
      case PYTHON -> EnumSet.of(HASH, TRIPLE_DOUBLE, TRIPLE_SINGLE, SINGLE, INTERPOLATED);
      case JAVASCRIPT, TYPESCRIPT, TSX -> EnumSet.of(SLASHES, SINGLE, TEMPLATE, REGEX);
      case GO -> EnumSet.of(SLASHES, SINGLE, RAW_BACKQUOTE);
      case RUST -> EnumSet.of(SLASHES, NESTED, LOOSE_SINGLE, RAW_HASH, INTERPOLATED);
      case C -> EnumSet.of(SLASHES, LOOSE_SINGLE);
      case CPP -> EnumSet.of(SLASHES, LOOSE_SINGLE, RAW_PARENTHESIS);
      case C_SHARP -> EnumSet.of(SLASHES, TRIPLE_DOUBLE, SINGLE, VERBATIM, INTERPOLATED);
      case KOTLIN -> EnumSet.of(SLASHES, NESTED, TRIPLE_DOUBLE, SINGLE, INTERPOLATED);
    };
  }
}
