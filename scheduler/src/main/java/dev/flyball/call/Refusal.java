package dev.flyball.call;

import java.time.Duration;

/** The reason for which a call was turned away by us, without being sent. */
public sealed interface Refusal {
  /**
   * More calls wait than the lane's queue may hold.
   *
   * @param waiting how many wait
   */
  record QueueFull(int waiting) implements Refusal {}

  /**
   * Its time was over before it could be sent.
   *
   * @param within the time it had
   */
  record TooLate(Duration within) implements Refusal {}

  /**
   * It needs more than the provider says it allows in a whole period.
   *
   * @param dimension what is counted
   * @param needed what the call needs
   * @param limit what the provider allows
   */
  record TooLarge(Dimension dimension, long needed, long limit) implements Refusal {}

  /**
   * It does not fit what is left of a budget, and nothing is in flight that could make room.
   *
   * @param account whose budget
   * @param unit what is lacking, for people
   * @param needed what the call may use
   * @param left what is left; below 0 if more was used than held
   */
  record BudgetSpent(Account account, String unit, long needed, long left) implements Refusal {}

  /**
   * A budget in money is set, and nobody knows what the call costs.
   *
   * @param account whose budget
   */
  record Unpriced(Account account) implements Refusal {}

  /**
   * The lane rests after repeated failures, and the caller asked not to wait for that.
   *
   * @param left how long it rests
   */
  record Resting(Duration left) implements Refusal {}

  /**
   * There was no answer, or there can be none, for longer than the longest wait that is allowed.
   *
   * @param left how long nothing can be sent from then on
   */
  record Parked(Duration left) implements Refusal {}

  /**
   * The provider refuses everything on this lane (spend cap, bad key, wrong address).
   *
   * @param why what it said
   * @param remedy what to do
   */
  record LaneShut(String why, String remedy) implements Refusal {
    /** {@return what went wrong and what to do, as one sentence: a provider may end its own} */
    public static String words(String why, String remedy) {
      int end = why.length();
      while (end > 0 && ".:;,! ".indexOf(why.charAt(end - 1)) >= 0) {
        end--;
      }
      return remedy.isEmpty() ? why : why.substring(0, end) + ": " + remedy;
    }
  }

  /** Nothing new starts any more. */
  record ShuttingDown() implements Refusal {}

  /** The caller took it back. */
  record Withdrawn() implements Refusal {}

  /** {@return for people: what is in the way, and what to do} */
  default String advice() {
    return switch (this) {
      case QueueFull r ->
          r.waiting + " calls are waiting already, which is the maximum: send fewer at once";
      case TooLate r ->
          "could not be sent within "
              + DurationText.of(r.within)
              + ": allow more time, or send less";
      case TooLarge r ->
          "needs %,d %s, and the limit is %,d: split the request"
              .formatted(r.needed, r.dimension, r.limit);
      case BudgetSpent r ->
          "the budget of '%s' is used up: %s left, and the next call may use %s; raise it"
              .formatted(r.account, amount(r.left, r.unit), amount(r.needed, r.unit));
      case Unpriced r ->
          "the budget of '" + r.account + "' is in money, and the call has no price: add it";
      case Resting r -> "the provider keeps failing: try again in " + DurationText.of(r.left);
      case Parked r ->
          "nothing can be sent for "
              + DurationText.of(r.left)
              + ": resume then, or raise --max-wait";
      case LaneShut r -> LaneShut.words(r.why, r.remedy);
      case ShuttingDown r -> "shutting down: never started";
      case Withdrawn r -> "taken back by its caller";
    };
  }

  private static String amount(long many, String unit) {
    return unit.equals("tokens")
        ? "%,d tokens".formatted(many)
        : new Cost(Math.max(0, many)).shown();
  }
}
