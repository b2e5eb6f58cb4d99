package dev.flyball.scheduler;

import dev.flyball.call.Outcome;

/** What follows an attempt. */
public sealed interface Next<T> {
  /** The call has its old place in the queue again; wait for its next admission. */
  record Again<T>() implements Next<T> {}

  /** The call is over. */
  record Ended<T>(Outcome<T> outcome) implements Next<T> {}
}
