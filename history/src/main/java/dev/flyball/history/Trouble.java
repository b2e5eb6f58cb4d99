package dev.flyball.history;

/** Whether what is recorded is being kept. */
public sealed interface Trouble {
  /** All is well. */
  record None() implements Trouble {}

  /** The database does not take what it is given; it is tried again, and nothing is lost yet. */
  record Retrying(String reason) implements Trouble {}

  /** It was tried for long enough: this much was not kept, and nothing more will be. */
  record GaveUp(String reason, long lost) implements Trouble {}

  Trouble NONE = new None();
}
