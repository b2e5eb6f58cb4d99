package dev.flyball.review.source;

/** All files of a repository at one moment: one side of a change. */
public sealed interface TreeState {
  /**
   * The files as a commit has them.
   *
   * @param commit its id, and never a name: Git could take that for something else
   */
  record At(String commit) implements TreeState {
    public At {
      if (!commit.matches("[0-9a-f]{40,64}")) {
        throw new IllegalArgumentException(
            "the id of a commit has 40 to 64 hexadecimal digits, but was '"
                + Revision.shown(commit)
                + "'");
      }
    }
  }

  /** No files, as before the first commit. */
  record Nothing() implements TreeState {}

  /** The files as the next commit would have them. */
  record Index() implements TreeState {}

  /** The files as they are on disk. */
  record Disk() implements TreeState {}
}
