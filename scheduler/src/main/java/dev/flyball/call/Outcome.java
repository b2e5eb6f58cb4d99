package dev.flyball.call;

import java.util.Optional;

/**
 * The end of a call, after all its attempts.
 *
 * @param <T> what an answer is
 */
public sealed interface Outcome<T> {
  /**
   * It has a real answer.
   *
   * @param <T> what an answer is
   * @param value the answer
   * @param usage of every attempt that was or may have been billed
   * @param attempts how many were made
   */
  record Done<T>(T value, Usage usage, int attempts) implements Outcome<T> {}

  /**
   * We turned it away; it has no answer and costs nothing more.
   *
   * @param <T> what an answer would have been
   * @param refusal why
   * @param attempts how many were made
   */
  record Refused<T>(Refusal refusal, int attempts) implements Outcome<T> {}

  /**
   * It was tried and has no answer.
   *
   * @param <T> what an answer would have been
   * @param why what went wrong and what to change
   * @param last what the last attempt came back with
   * @param usage of every attempt that was or may have been billed
   * @param attempts how many were made
   */
  record GaveUp<T>(String why, Optional<Reply<T>> last, Usage usage, int attempts)
      implements Outcome<T> {}
}
