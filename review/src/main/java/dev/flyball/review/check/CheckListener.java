package dev.flyball.review.check;

/** Who is told how far the checks are; from any thread, and once for each file and step. */
@FunctionalInterface
public interface CheckListener {
  CheckListener NONE = (step, done, of) -> {};

  /** What is being done. */
  enum Step {
    DEFECTS,
    DUPLICATES,
    USES
  }

  void at(Step step, int done, int of);
}
