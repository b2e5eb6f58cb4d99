package dev.flyball.scheduler;

import dev.flyball.call.Outcome;

/**
 * Thrown by {@link Flyball#answer} when a call ended without an answer. The message says why and
 * what to do; {@link #outcome()} says it to programs.
 */
public final class FlyballException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Outcome<?> outcome;

  FlyballException(String message, Outcome<?> outcome) {
    super(message);
    this.outcome = outcome;
  }

  public Outcome<?> outcome() {
    return outcome;
  }
}
