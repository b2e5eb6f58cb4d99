package dev.flyball.review.source;

/** The change of a repository that is meant. */
public sealed interface ChangeRange {
  /** The difference between two revisions: {@code A..B}. */
  record Between(String from, String to) implements ChangeRange {
    public Between {
      Revision.check(from);
      Revision.check(to);
    }
  }

  /** The work of a branch since it left another: {@code A...B}. */
  record SinceFork(String from, String to) implements ChangeRange {
    public SinceFork {
      Revision.check(from);
      Revision.check(to);
    }
  }

  /** The work of one commit on its first parent; of the first commit, all it has. */
  record Single(String revision) implements ChangeRange {
    public Single {
      Revision.check(revision);
    }
  }

  /** The work of the next commit. */
  record Staged() implements ChangeRange {}

  /**
   * The difference of the working tree from the last commit; files that Git was not told of do not
   * count.
   */
  record Worktree() implements ChangeRange {}

  /** Reads {@code A...B} and {@code A..B}, where no name means {@code HEAD}, or one commit. */
  static ChangeRange of(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      return new Single(text);
    }
    boolean three = text.startsWith("...", dots);
    var from = text.substring(0, dots);
    var to = text.substring(dots + (three ? 3 : 2));
    var old = from.isEmpty() ? "HEAD" : from;
    var now = to.isEmpty() ? "HEAD" : to;
    return three ? new SinceFork(old, now) : new Between(old, now);
  }
}
