package dev.flyball.review.check;

/** The receiver of the checks' progress, from any thread, once for each file and step. */
@FunctionalInterface
public interface CheckListener {
  CheckListener NONE = (step, done, of) -> {};

  /** A part of the checks. */
  enum Step {
    DEFECTS,
    DUPLICATES,
    USES
  }

  void at(Step step, int done, int of);
}
