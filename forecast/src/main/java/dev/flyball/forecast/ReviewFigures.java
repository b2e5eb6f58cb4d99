package dev.flyball.forecast;

/**
 * The figures that the arithmetic of repository reviews starts from, before any run has taught
 * better ones.
 */
final class ReviewFigures {
  /** Tokens of a lens's question, before the file. */
  static final long SYSTEM_PROMPT_TOKENS = 600;

  /** Tokens around a file: its name, its symbols, headings. */
  static final long FILE_OVERHEAD_TOKENS = 50;

  static final long OUTPUT_TOKENS_A_FILE = 300;
  static final long OUTPUT_TOKENS_A_SYMBOL = 150;

  static final double SECONDS_A_FILE = 4;
  static final double SECONDS_A_SYMBOL = 0.8;

  /**
   * What part of several hands' work is not lost to limits, to the last ones and to the network.
   */
  static final double CONCURRENCY_EFFICIENCY = 0.75;

  private ReviewFigures() {}
}
