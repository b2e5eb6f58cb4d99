package dev.flyball.review.source;

/** All files of a repository at one moment: one side of a change. */
public sealed interface TreeState {
  /**
   * As a commit has them.
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

  /** Before the first commit. */
  record Nothing() implements TreeState {}

  /** As the next commit would have them. */
  record Index() implements TreeState {}

  /** As they are on disk. */
  record Disk() implements TreeState {}
}
