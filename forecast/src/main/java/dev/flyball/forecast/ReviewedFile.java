package dev.flyball.forecast;

/**
 * A file as far as a review's size depends on it.
 *
 * @param symbols how many functions, classes and the like it has
 */
public record ReviewedFile(long tokens, int symbols) {
  public ReviewedFile {
    if (tokens < 0 || symbols < 0) {
      throw new IllegalArgumentException(
          "a file has at least 0 tokens and symbols, but had " + tokens + " and " + symbols);
    }
  }

  /** What one lens reads of it. */
  long inputTokens() {
    return ReviewFigures.SYSTEM_PROMPT_TOKENS + tokens + ReviewFigures.FILE_OVERHEAD_TOKENS;
  }

  /** What one lens says of it. */
  long outputTokens() {
    return ReviewFigures.OUTPUT_TOKENS_A_FILE + symbols * ReviewFigures.OUTPUT_TOKENS_A_SYMBOL;
  }

  double seconds() {
    return ReviewFigures.SECONDS_A_FILE + symbols * ReviewFigures.SECONDS_A_SYMBOL;
  }
}
