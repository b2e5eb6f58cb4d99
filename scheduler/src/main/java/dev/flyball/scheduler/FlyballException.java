package dev.flyball.scheduler;

import dev.flyball.call.Outcome;

/**
 * The exception of {@link Flyball#answer} for a call that ended without an answer. Its message says
 * why and what to do; {@link #outcome()} says it to programs.
 */
public final class FlyballException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Outcome<?> outcome;

  FlyballException(String message, Outcome<?> outcome) {
    super(message);
    this.outcome = outcome;
  }

  /** {@return how the call ended: refused, or given up} */
  public Outcome<?> outcome() {
    return outcome;
  }
}
