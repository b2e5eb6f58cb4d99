package dev.flyball.simulator.limit;

/** A reason to turn a request away before anything is done for it. */
public sealed interface Rejection {
  /**
   * One limit has not enough left.
   *
   * @param level what is left
   * @param after microseconds until it would fit; {@link Meter#UNKNOWN} if no clock says
   */
  record OverLimit(Limit limit, long level, long requested, long after) implements Rejection {}

  /** More than the limit ever holds. */
  record TooLarge(Limit limit, long requested) implements Rejection {}

  /** The money is spent. */
  record SpendCap() implements Rejection {}

  /** Use grows too fast. */
  record Accelerating() implements Rejection {}

  default String word() {
    return switch (this) {
      case OverLimit over -> over.limit().dimension().word();
      case TooLarge large -> "too-large";
      case SpendCap cap -> "spend-cap";
      case Accelerating accelerating -> "acceleration";
    };
  }
}
