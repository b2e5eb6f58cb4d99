package dev.flyball.review.source;

/** All files of a repository at one moment: one side of a change. */
public sealed interface State {
  /** As a commit has them. */
  record At(String commit) implements State {}

  /** Before the first commit. */
  record Nothing() implements State {}

  /** As the next commit would have them. */
  record Index() implements State {}

  /** As they are on disk. */
  record Disk() implements State {}
}
