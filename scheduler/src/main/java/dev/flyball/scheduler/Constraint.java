package dev.flyball.scheduler;

import dev.flyball.call.Dimension;

/** What a waiting call is waiting for, in words that a screen can show. */
public record Constraint(String name) {
  /** Others were first. */
  public static final Constraint TURN = new Constraint("its turn");

  /** The provider asked the lane to wait. */
  public static final Constraint PAUSE = new Constraint("a pause the provider asked for");

  /** Its own pause before a retry. */
  public static final Constraint RETRY = new Constraint("the pause before a retry");

  /** The lane has retried enough for now. */
  public static final Constraint RETRY_BUDGET = new Constraint("the lane's retry budget");

  public static final Constraint BREAKER = new Constraint("the provider to recover");
  public static final Constraint SLOT = new Constraint("a slot");
  public static final Constraint PACE = new Constraint("the pace");
  public static final Constraint RAMP = new Constraint("the ramp");
  public static final Constraint BUDGET = new Constraint("room in the budget");
  public static final Constraint LEADER = new Constraint("the prompt cache to fill");

  public static final Constraint SHARED = new Constraint("the limit shared with others");

  static Constraint of(Dimension dimension) {
    return new Constraint(dimension.toString().replace('_', ' '));
  }

  @Override
  public String toString() {
    return name;
  }
}
