package dev.flyball.simulator.limit;

/**
 * A meter of what is left of one limit. Times are microseconds since the start; all arithmetic is
 * on whole numbers and exact, because the ledger is held against it.
 */
public sealed interface Meter permits Bucket, Window, Slots {
  /** A wait that no clock ends. */
  long UNKNOWN = Long.MAX_VALUE;

  static Meter of(Limit limit, long now) {
    return switch (limit.kind()) {
      case BUCKET -> new Bucket(limit, now);
      case FIXED_WINDOW, SUBWINDOW -> new Window(limit);
      case CONCURRENCY -> new Slots(limit);
    };
  }

  Limit limit();

  /** How long until so much is there; zero if it is there now. */
  default long until(long amount, long now) {
    return amount > limit().burst() ? UNKNOWN : untilThere(amount, now);
  }

  /** How long until so much is there, of which the limit can hold that much. */
  long untilThere(long amount, long now);

  /** Takes it, whether it is there or not. */
  void take(long amount, long now);

  /** Undoes a {@link #take}, as far as that still means something. */
  void giveBack(long amount, long takenAt, long now);

  /** What is left, in whole units; below zero after a debit that was not there. */
  long level(long now);

  /** What is left and how long until nothing is missing, if so much had not been taken. */
  LimitLevel seen(long credit, long now);

  /** The provider has changed its mind. */
  void become(Limit other, long now);
}
