package dev.flyball.review.select;

/** A file or folder of a tree. Of a folder that is skipped, its path ends in a slash. */
public sealed interface TreeEntry {
  String path();

  /** A file that is to be reviewed. */
  record Reviewed(String path, long size) implements TreeEntry {}

  /** A file or a folder that is not, and why. */
  record Skipped(String path, SkipReason why) implements TreeEntry {}
}
