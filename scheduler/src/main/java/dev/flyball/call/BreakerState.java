package dev.flyball.call;

/** The states of a lane's breaker, by what it lets through. */
public enum BreakerState {
  /** Everything. */
  CLOSED,
  /** Nothing: the lane rests after repeated failures. */
  OPEN,
  /** One attempt, whose reply decides. */
  PROBING
}
