package dev.flyball.review.select;

/** A file or folder of a tree. Of a folder that is skipped, its path ends in a slash. */
public sealed interface TreeEntry {
  String path();

  /** A file that is to be reviewed. */
  record Reviewed(String path, long size) implements TreeEntry {}

  /**
   * A file or a folder that is not, and why.
   *
   * @param missed whether it is changed source, and nothing that stood before the change says that
   *     it may be left out: without it a review is not complete
   */
  record Skipped(String path, SkipReason why, boolean missed) implements TreeEntry {
    /** One that may be left out. */
    public Skipped(String path, SkipReason why) {
      this(path, why, false);
    }
  }
}
