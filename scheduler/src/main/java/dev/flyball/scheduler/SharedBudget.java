package dev.flyball.scheduler;

/**
 * Money that many schedulers spend together, in one process or in many. An attempt goes only when
 * this has set aside what it may cost, beside the scheduler's own budgets.
 */
public interface SharedBudget {
  /** The answer to a hold. */
  sealed interface Room {
    /** It is set aside. */
    record Held() implements Room {}

    /** Not now, or that is not known yet: {@link #whenRoom} is told when it is worth asking. */
    record Later() implements Room {}

    /**
     * It will never fit.
     *
     * @param left what is left, in millionths of a dollar; below 0 if more was used than held
     */
    record Spent(long left) implements Room {}
  }

  /**
   * Sets aside what an attempt may cost. Called under a lock: it must not block, and must not call
   * the scheduler.
   *
   * @param micros in millionths of a dollar
   * @return whether there is so much
   */
  Room hold(long micros);

  /**
   * Replaces what was set aside by what was spent; under the same rules.
   *
   * @param held as it was handed to {@link #hold}
   * @param spent what the attempt has cost; 0 if it never went
   */
  void settle(long held, long spent);

  /**
   * Names who is to be told that it is worth asking again. Called once, before the first hold.
   *
   * @param told to be called under no lock that {@link #hold} takes; returns soon
   */
  void whenRoom(Runnable told);
}
