package dev.flyball.review.finding;

/**
 * A remark in the code that asks for a finding not to be made.
 *
 * @param line where the remark is; for an annotation, where the finding would have been
 * @param rule as it is written there; empty where none is named
 * @param used whether there was anything to suppress
 */
public record Suppression(
    String file, int line, Kind kind, String rule, String reason, boolean used) {
  /** The form that it is written in. */
  public enum Kind {
    /** {@code flyball:ignore RULE reason}, for its own line. */
    IGNORE,
    /** {@code flyball:ignore-next-line RULE reason}. */
    IGNORE_NEXT_LINE,
    /** {@code NOPMD}, for its own line and for PMD alone. */
    NOPMD,
    /** {@code @SuppressWarnings}, for PMD alone. */
    ANNOTATION,
    /** What another tool is told, such as {@code # noqa} or {@code //nolint}. */
    LINTER
  }
}
