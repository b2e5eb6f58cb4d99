package dev.flyball.review.plan;

import java.util.Locale;

/**
 * The way in which a change is gone through: which units there are. How many of them are asked at
 * one time is for the scheduler to decide.
 *
 * <p>Each threshold is the first that no longer belongs below it, so that every change has exactly
 * one mode, and a change that grows never gets a simpler one.
 */
public enum ReviewMode {
  /** What needs thought in questions of its own, the lighter lenses in one. */
  SEQUENTIAL,
  /** A unit for each lens. */
  PARALLEL,
  /** The same in parts, and then a pass across them. */
  INCREMENTAL,
  /** The same, with the advice to split the change. */
  CHUNKED;

  private static final int FEW_FILES = 10;
  private static final int FEW_LINES = 500;
  private static final int SOME_FILES = 30;
  private static final int SOME_LINES = 2_000;
  private static final int MANY_FILES = 100;
  private static final int MANY_LINES = 5_000;
  private static final int COMPLEX = 70;

  /**
   * Of a change of so many files and so many lines, added and deleted together.
   *
   * @param complexity from 0 to 100
   */
  public static ReviewMode of(int files, int lines, int complexity) {
    if (files < 0 || lines < 0 || complexity < 0 || complexity > 100) {
      throw new IllegalArgumentException(
          "a change has at least 0 files and lines and a complexity from 0 to 100, but had %d, %d, %d"
              .formatted(files, lines, complexity));
    }
    if (files <= FEW_FILES && lines < FEW_LINES) {
      return SEQUENTIAL;
    }
    if (files <= SOME_FILES && lines < SOME_LINES) {
      return complexity >= COMPLEX ? PARALLEL : SEQUENTIAL;
    }
    return files <= MANY_FILES && lines < MANY_LINES ? INCREMENTAL : CHUNKED;
  }

  /** Reads the value of {@code --mode}. */
  public static ReviewMode of(String word) {
    for (var each : values()) {
      if (each.toString().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "--mode must be sequential, parallel, incremental or chunked, not '" + word + "'");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
