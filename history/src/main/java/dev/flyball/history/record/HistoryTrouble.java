package dev.flyball.history.record;

/** The trouble of a history in keeping what is recorded, if it has any. */
public sealed interface HistoryTrouble {
  /** No trouble: all is well. */
  record None() implements HistoryTrouble {}

  /** A database that does not take what it is given; it is tried again, and nothing is lost yet. */
  record Retrying(String reason) implements HistoryTrouble {}

  /** The end of trying: this much was not kept, and nothing more will be. */
  record GaveUp(String reason, long lost) implements HistoryTrouble {}

  HistoryTrouble NONE = new None();
}
