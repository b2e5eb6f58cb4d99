package dev.flyball.forecast;

import java.util.List;

/**
 * A file as far as a review's size depends on it.
 *
 * @param symbols how many functions, classes and the like it has
 */
public record ReviewedFile(long tokens, int symbols) {
  /** The lines of a symbol, the first and the last among them. */
  public record Lines(int first, int last) {
    public Lines {
      if (first < 1 || last < first) {
        throw new IllegalArgumentException(
            "lines begin at 1 and end after they began, but were " + first + " to " + last);
      }
    }
  }

  public ReviewedFile {
    if (tokens < 0 || symbols < 0) {
      throw new IllegalArgumentException(
          "a file has at least 0 tokens and symbols, but had " + tokens + " and " + symbols);
    }
  }

  /** A file that is gone since its symbols were found. */
  public static ReviewedFile deleted(List<Lines> symbols) {
    long lines = symbols.stream().mapToLong(each -> each.last() - each.first() + 1L).sum();
    return new ReviewedFile(lines * Figures.TOKENS_A_DELETED_LINE, symbols.size());
  }

  /** What one lens reads of it. */
  public long inputTokens() {
    return Figures.SYSTEM_PROMPT_TOKENS + tokens + Figures.FILE_OVERHEAD_TOKENS;
  }

  /** What one lens says of it. */
  public long outputTokens() {
    return Figures.OUTPUT_TOKENS_A_FILE + symbols * Figures.OUTPUT_TOKENS_A_SYMBOL;
  }

  public double seconds() {
    return Figures.SECONDS_A_FILE + symbols * Figures.SECONDS_A_SYMBOL;
  }
}
