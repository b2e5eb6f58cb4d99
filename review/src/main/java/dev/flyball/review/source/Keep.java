package dev.flyball.review.source;

/**
 * How much text of a change is kept. A file that has more keeps its counts and loses its lines.
 *
 * @param aFile bytes of one file, each line counted with what a line weighs by itself
 * @param inAll bytes of all files that one reading keeps
 */
public record Keep(long aFile, long inAll) {
  /** What a line of no text weighs. */
  static final int LINE = 64;

  private static final long MEBIBYTE = 1 << 20;

  public static final Keep USUAL = new Keep(8 * MEBIBYTE, 256 * MEBIBYTE);

  /** For those who hand each file on, and keep none. */
  public static final Keep ONE_BY_ONE = new Keep(8 * MEBIBYTE, Long.MAX_VALUE);

  public static final Keep COUNTS = new Keep(0, 0);

  public Keep {
    if (aFile < 0 || inAll < 0) {
      throw new IllegalArgumentException(
          "bytes to keep are not negative, but were %d a file and %d in all"
              .formatted(aFile, inAll));
    }
  }
}
