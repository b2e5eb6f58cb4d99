package dev.flyball.history.record;

/** Whether what is recorded is being kept. */
public sealed interface HistoryTrouble {
  /** All is well. */
  record None() implements HistoryTrouble {}

  /** The database does not take what it is given; it is tried again, and nothing is lost yet. */
  record Retrying(String reason) implements HistoryTrouble {}

  /** It was tried for long enough: this much was not kept, and nothing more will be. */
  record GaveUp(String reason, long lost) implements HistoryTrouble {}

  HistoryTrouble NONE = new None();
}
