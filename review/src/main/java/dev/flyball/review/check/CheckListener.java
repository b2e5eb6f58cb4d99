package dev.flyball.review.check;

/** The receiver of the checks' progress, from any thread, once for each file and step. */
@FunctionalInterface
public interface CheckListener {
  CheckListener NONE = (step, done, of) -> {};

  /** A part of the checks. */
  enum Step {
    /** By PMD. */
    DEFECTS,
    /** By rules of our own, with outlines. */
    RULES,
    DUPLICATES
  }

  void at(Step step, int done, int of);
}
