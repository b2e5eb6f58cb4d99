package dev.flyball.scheduler;

import dev.flyball.call.Dimension;

/**
 * The thing that a waiting call waits for, in words that a screen can show.
 *
 * @param name the words
 */
public record Constraint(String name) {
  /** Others were first. */
  public static final Constraint TURN = new Constraint("its turn");

  /** The provider asked the lane to wait. */
  public static final Constraint PAUSE = new Constraint("the pause that the provider asked for");

  /** Its own pause before a retry. */
  public static final Constraint RETRY = new Constraint("the pause before a retry");

  /** The lane has retried enough for now. */
  public static final Constraint RETRY_BUDGET = new Constraint("the retry budget");

  /** The lane rests, or probes, after repeated failures. */
  public static final Constraint BREAKER =
      new Constraint("the provider to recover (it is failing or unreachable)");

  /** As many attempts are in flight as may be, in its lane or in all. */
  public static final Constraint SLOT = new Constraint("a free connection");

  /** A limit that no reply states, and that was felt. */
  public static final Constraint PACE = new Constraint("the learned request rate");

  /** Traffic must grow slowly. */
  public static final Constraint RAMP = new Constraint("the ramp-up");

  /** Others hold what it needs of its budget. */
  public static final Constraint BUDGET = new Constraint("room in the budget");

  /** Another call with the same prompt prefix goes first. */
  public static final Constraint LEADER = new Constraint("the prompt cache to fill");

  /** Somebody has stopped its lane. */
  public static final Constraint STOPPED = new Constraint("an operator to resume the lane");

  /** A limit that this scheduler keeps together with others. */
  public static final Constraint SHARED = new Constraint("the limit shared with others");

  static Constraint of(Dimension dimension) {
    return new Constraint(dimension.toString().replace('_', ' '));
  }

  @Override
  public String toString() {
    return name;
  }
}
