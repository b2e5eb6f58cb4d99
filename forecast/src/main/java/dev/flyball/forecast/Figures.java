package dev.flyball.forecast;

/**
 * Every figure that the arithmetic of repository reviews starts from, before any run has taught
 * better ones.
 */
public final class Figures {
  /** Tokens of a lens's question, before the file. */
  public static final long SYSTEM_PROMPT_TOKENS = 600;

  /** Tokens around a file: its name, its symbols, headings. */
  public static final long FILE_OVERHEAD_TOKENS = 50;

  /** Tokens of a line of a symbol whose file is gone. */
  public static final long TOKENS_A_DELETED_LINE = 8;

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

  /** What part of the lenses' tokens a deliberation reads and writes again. */
  public static final double DELIBERATION_COVERAGE = 0.3;

  public static final long SUMMARY_TOKENS_A_FUNCTION = 200;

  /** Of a page of documentation that is written for the first time. */
  public static final Page NEW_PAGE = new Page(3_000, 7_000, 600, 3_500);

  /** Of one that is brought up to date. */
  public static final Page UPDATED_PAGE = new Page(2_000, 4_000, 600, 2_000);

  /** Tokens of a page of documentation, over all turns of its conversation. */
  public record Page(long input, long cacheRead, long cacheWrite, long output) {}

  private Figures() {}
}
