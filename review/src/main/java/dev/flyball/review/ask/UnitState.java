package dev.flyball.review.ask;

/** The state of a unit on its way to an answer. */
public enum UnitState {
  PENDING,
  RUNNING,
  DONE,
  /** Answered by an earlier run. */
  CACHED,
  ERROR
}
