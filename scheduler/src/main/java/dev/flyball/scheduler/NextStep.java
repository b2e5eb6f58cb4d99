package dev.flyball.scheduler;

import dev.flyball.call.Outcome;

/**
 * The consequence of an attempt's reply.
 *
 * @param <T> what an answer is
 */
public sealed interface NextStep<T> {
  /**
   * The call has its old place in the queue again; wait for its next admission.
   *
   * @param <T> what an answer is
   */
  record Again<T>() implements NextStep<T> {}

  /**
   * The call is over.
   *
   * @param <T> what an answer is
   * @param outcome how
   */
  record Ended<T>(Outcome<T> outcome) implements NextStep<T> {}
}
