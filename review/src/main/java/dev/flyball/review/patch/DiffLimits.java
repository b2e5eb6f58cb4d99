package dev.flyball.review.patch;

/**
 * The limits to the text of a change that is kept. A file that has more keeps its counts and loses
 * its lines.
 *
 * @param aFile bytes of one file, each line counted with what a line weighs by itself
 * @param inAll bytes of all files that one reading keeps
 */
public record DiffLimits(long aFile, long inAll) {
  /** What a line of no text weighs. */
  static final int LINE = 64;

  private static final long MEBIBYTE = 1 << 20;

  public static final DiffLimits USUAL = new DiffLimits(8 * MEBIBYTE, 256 * MEBIBYTE);

  public DiffLimits {
    if (aFile < 0 || inAll < 0) {
      throw new IllegalArgumentException(
          "bytes to keep are not negative, but were %d a file and %d in all"
              .formatted(aFile, inAll));
    }
  }
}
