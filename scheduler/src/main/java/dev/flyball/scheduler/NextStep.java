package dev.flyball.scheduler;

import dev.flyball.call.Outcome;

/** What follows an attempt. */
public sealed interface NextStep<T> {
  /** The call has its old place in the queue again; wait for its next admission. */
  record Again<T>() implements NextStep<T> {}

  /** The call is over. */
  record Ended<T>(Outcome<T> outcome) implements NextStep<T> {}
}
