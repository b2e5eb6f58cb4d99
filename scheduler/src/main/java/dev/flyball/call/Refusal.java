package dev.flyball.call;

import java.time.Duration;

/** Why a call was turned away by us, without being sent. Its text says what to do. */
public sealed interface Refusal {
  /** More calls wait than the lane's queue may hold. */
  record QueueFull(int waiting) implements Refusal {
    @Override
    public String toString() {
      return waiting + " calls wait already, as many as the queue may hold: send fewer at a time";
    }
  }

  /** Its time was over before it could be sent. */
  record TooLate(Duration within) implements Refusal {
    @Override
    public String toString() {
      return "could not be sent within " + within + ": allow more time or send less";
    }
  }

  /** It needs more than the provider says it allows in a whole period. */
  record TooLarge(Dimension dimension, long needed, long limit) implements Refusal {
    @Override
    public String toString() {
      return "needs %,d of %s, and the limit is %,d: split it".formatted(needed, dimension, limit);
    }
  }

  /** It does not fit what is left of a budget, and nothing is in flight that could make room. */
  record BudgetSpent(Account account, String unit, long needed, long left) implements Refusal {
    @Override
    public String toString() {
      return "budget '%s' has %,d %s left and the call may use %,d: raise the budget"
          .formatted(account, left, unit, needed);
    }
  }

  /** A budget in money is set, and nobody knows what the call costs. */
  record Unpriced(Account account) implements Refusal {
    @Override
    public String toString() {
      return "budget '" + account + "' is in money and the call's price is unknown: add a price";
    }
  }

  /** The lane rests after repeated failures, and the caller asked not to wait for that. */
  record Resting(Duration left) implements Refusal {
    @Override
    public String toString() {
      return "the provider fails repeatedly: try again in " + left;
    }
  }

  /** Nothing could have been sent for longer than the longest wait that is allowed. */
  record Parked(Duration left) implements Refusal {
    @Override
    public String toString() {
      return "nothing can be sent for another " + left + ": resume then, or allow a longer wait";
    }
  }

  /** The provider refuses everything on this lane (spend cap, bad key, wrong address). */
  record LaneShut(String why, String advice) implements Refusal {
    @Override
    public String toString() {
      return why + ": " + advice;
    }
  }

  /** Nothing new starts any more. */
  record ShuttingDown() implements Refusal {
    @Override
    public String toString() {
      return "shutting down: never started";
    }
  }
}
