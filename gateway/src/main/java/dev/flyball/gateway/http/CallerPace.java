package dev.flyball.gateway.http;

/**
 * What holds a caller's own calls back before they stand in a lane with those of others: the limits
 * that the caller was given. Never blocks.
 */
@FunctionalInterface
public interface CallerPace {
  /** Whoever has no limits of their own. */
  CallerPace NONE = go -> Place.GRANTED;

  /**
   * A call comes in.
   *
   * @param go told once when it may go on, unless {@link Place#isGranted} says so at once; on some
   *     thread, and not if it has left before
   */
  Place enter(Runnable go);

  /** The place of one call. */
  interface Place {
    /** Of a call that nothing holds back. */
    Place GRANTED =
        new Place() {
          @Override
          public boolean isGranted() {
            return true;
          }

          @Override
          public void leave(long tokensUsed) {}
        };

    /** Whether it may go on. */
    boolean isGranted();

    /**
     * It is over, or has left the line. To be said once, however it ended; again is of no effect.
     *
     * @param tokensUsed by all of its attempts
     */
    void leave(long tokensUsed);
  }
}
