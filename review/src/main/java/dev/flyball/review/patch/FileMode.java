package dev.flyball.review.patch;

import java.util.Locale;

/** The mode that Git keeps for a file: what sort of thing it is, and if it is run. */
public record FileMode(int bits) {
  private static final int SORT = 0170000;
  private static final int LINK = 0120000;
  private static final int SUBMODULE = 0160000;

  public FileMode {
    if (bits < 0 || bits > 0177777) {
      throw new IllegalArgumentException(
          "a mode has at most six octal digits, but was " + Integer.toOctalString(bits));
    }
  }

  public boolean symlink() {
    return (bits & SORT) == LINK;
  }

  public boolean submodule() {
    return (bits & SORT) == SUBMODULE;
  }

  /** Of a regular file, whether it may be run. */
  public boolean executable() {
    return !symlink() && !submodule() && (bits & 0111) != 0;
  }

  /** A file and a link, say, are not. */
  public boolean sameSort(FileMode other) {
    return (bits & SORT) == (other.bits & SORT);
  }

  /** As Git writes it, {@code 100644}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%06o", bits);
  }
}
