package dev.flyball.review.source;

/** All files of a repository at one moment: one side of a change. */
public sealed interface TreeState {
  /** As a commit has them. */
  record At(String commit) implements TreeState {}

  /** Before the first commit. */
  record Nothing() implements TreeState {}

  /** As the next commit would have them. */
  record Index() implements TreeState {}

  /** As they are on disk. */
  record Disk() implements TreeState {}
}
