package dev.flyball.forecast;

/**
 * Every figure that the arithmetic of repository reviews starts from, before any run has taught
 * better ones.
 */
public final class ReviewFigures {
  /** Tokens of a lens's question, before the file. */
  public static final long SYSTEM_PROMPT_TOKENS = 600;

  /** Tokens around a file: its name, its symbols, headings. */
  public static final long FILE_OVERHEAD_TOKENS = 50;

  public static final long OUTPUT_TOKENS_A_FILE = 300;
  public static final long OUTPUT_TOKENS_A_SYMBOL = 150;

  public static final double SECONDS_A_FILE = 4;
  public static final double SECONDS_A_SYMBOL = 0.8;

  /**
   * What part of several hands' work is not lost to limits, to the last ones and to the network.
   */
  public static final double CONCURRENCY_EFFICIENCY = 0.75;

  /** How many lenses look at each file of a repository: five fast ones and two deep ones. */
  public static final int LENSES = 7;

  private ReviewFigures() {}
}
