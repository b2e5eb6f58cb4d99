package dev.flyball.fleet.queue;

import java.time.Duration;

/** The end of one try at an entry. */
public sealed interface EntryEnd {
  /** It is done, and its result is where it belongs. */
  record Finished() implements EntryEnd {}

  /**
   * It may work another time.
   *
   * @param why in a sentence
   * @param pause not before that is over
   */
  record TryLater(String why, Duration pause) implements EntryEnd {}

  /**
   * It will never work.
   *
   * @param why in a sentence
   */
  record Hopeless(String why) implements EntryEnd {}

  /** It was not tried in earnest: somebody else may, at once. */
  record GivenBack() implements EntryEnd {}
}
