package dev.flyball.fleet.queue;

/** The work itself, of whatever kind. Called by several threads at a time. */
@FunctionalInterface
public interface EntryWork {
  /**
   * Does it, and puts its result where it belongs.
   *
   * @param claim that it is still this worker's can be asked before anything is recorded
   * @throws InterruptedException if the worker ends, or has lost the entry
   */
  EntryEnd work(ClaimedEntry entry, Claim claim) throws InterruptedException;

  /** The right of one worker to an entry. */
  @FunctionalInterface
  interface Claim {
    /** {@return whether nobody else has it; if so, that is true for a whole lease from now} */
    boolean holds() throws InterruptedException;
  }
}
