package dev.flyball.run;

/** A listener that is told of each attempt, and may take a while to write it down. */
@FunctionalInterface
public interface AttemptListener {
  /** An attempt is over. */
  void record(FinishedAttempt attempt) throws InterruptedException;

  /** For runs that nobody remembers. */
  AttemptListener NOBODY = attempt -> {};
}
