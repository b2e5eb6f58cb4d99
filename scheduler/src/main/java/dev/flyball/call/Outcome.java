package dev.flyball.call;

import java.util.Optional;

/** How a call ended, after all its attempts. */
public sealed interface Outcome<T> {
  /** It has a real answer. {@code usage} covers every attempt that was or may have been billed. */
  record Done<T>(T value, Usage usage, int attempts) implements Outcome<T> {}

  /** We turned it away; it has no answer and costs nothing more. */
  record Refused<T>(Refusal refusal, int attempts) implements Outcome<T> {}

  /**
   * It was tried and has no answer.
   *
   * @param why what went wrong and what to change
   * @param last what the last attempt came back with
   */
  record GaveUp<T>(String why, Optional<Reply<T>> last, Usage usage, int attempts)
      implements Outcome<T> {}
}
