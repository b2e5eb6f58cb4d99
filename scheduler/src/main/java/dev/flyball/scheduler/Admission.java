package dev.flyball.scheduler;

import dev.flyball.call.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to "may this call go?".
 *
 * @param <T> what an answer to the call is
 */
public sealed interface Admission<T> {
  /**
   * An answer that stays: the call may go, or never will.
   *
   * @param <T> what an answer to the call is
   */
  sealed interface Decided<T> extends Admission<T> {}

  /**
   * It may, now.
   *
   * @param <T> what an answer to the call is
   * @param permit stands for the attempt, and must be settled or closed
   */
  record Granted<T>(Permit<T> permit) implements Decided<T> {}

  /**
   * It may not, ever.
   *
   * @param <T> what an answer to the call would have been
   * @param outcome the call's end
   */
  record Refused<T>(Outcome.Refused<T> outcome) implements Decided<T> {}

  /**
   * Not yet.
   *
   * @param <T> what an answer to the call is
   * @param constraint what it waits for
   * @param left for how long, if that is known; else until something settles
   */
  record Wait<T>(Constraint constraint, Optional<Duration> left) implements Admission<T> {}
}
