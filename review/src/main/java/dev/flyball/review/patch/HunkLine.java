package dev.flyball.review.patch;

/**
 * A line of a hunk. Its text has no line feed, but keeps a carriage return.
 *
 * @param oldNumber where it was, from 1; of an added line, where it would have been
 * @param newNumber where it is, from 1; of a deleted line, where it would be
 * @param newline whether a line feed ends it; the last line of a file may have none
 */
public record HunkLine(Kind kind, String text, int oldNumber, int newNumber, boolean newline) {
  /** The side that a line is on. */
  public enum Kind {
    CONTEXT,
    ADDED,
    DELETED
  }

  HunkLine withoutNewline() {
    return new HunkLine(kind, text, oldNumber, newNumber, false);
  }
}
