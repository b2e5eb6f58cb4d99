package dev.flyball.run;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a run ends before everything is asked.
 *
 * @param message for people: what happened and what to do
 * @param resumeAt when the same command can go on, where that is known
 */
public record StopReason(Kind kind, String message, Optional<Instant> resumeAt) {
  /** What ended it. */
  public enum Kind {
    INTERRUPTED,
    BUDGET,
    /** The provider refuses everything for now or for good: a spend cap. */
    SHUT,
    KEY_REFUSED,
    UNREACHABLE,
    PARKED,
    DEADLINE,
    /** Answers cannot be written. */
    DISK,
    /** The input could not be read again. */
    INPUT
  }

  public static StopReason of(Kind kind, String message) {
    return new StopReason(kind, message, Optional.empty());
  }
}
