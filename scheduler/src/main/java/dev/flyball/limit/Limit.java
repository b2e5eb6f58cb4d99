package dev.flyball.limit;

import dev.flyball.call.Reply;

/**
 * One of the things that decide when an attempt may go. Whatever it counts, it answers one
 * question, and is told of an attempt's going and ending in the same words as all others. A lane
 * takes the latest answer; if that is not after now, it charges all of them, otherwise none.
 *
 * <p>What a reply teaches about the limit itself is not said here: that differs from one limit to
 * the next.
 */
public interface Limit {
  /**
   * The moment at which an attempt could go. Charges nothing.
   *
   * @param attempt one that has not gone, with what it would be charged
   * @param now the moment at which this is asked
   * @return {@code now} if it could go at once; {@link Long#MAX_VALUE} if not before something
   *     happens whose moment nobody knows
   */
  long availableAt(AttemptCharges attempt, long now);

  /**
   * Takes from the limit what an attempt needs, which goes now.
   *
   * @param attempt where a limit may note what it needs to know later
   * @param now the moment at which it goes
   */
  default void charge(AttemptCharges attempt, long now) {}

  /**
   * Replaces what an attempt was charged by what it has really used.
   *
   * @param attempt one that was charged and sent
   * @param reply what it came back with
   * @param now the moment at which it came back
   */
  default void settle(AttemptCharges attempt, Reply<?> reply, long now) {}

  /**
   * Undoes a charge, as if the attempt had never gone.
   *
   * @param attempt one that was charged and never sent
   * @param now the moment at which that is known
   */
  default void giveBack(AttemptCharges attempt, long now) {}
}
