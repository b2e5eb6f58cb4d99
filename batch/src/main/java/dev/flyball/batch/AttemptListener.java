package dev.flyball.batch;

/** Whoever is told of each attempt, and may take a while to write it down. */
@FunctionalInterface
public interface AttemptListener {
  void record(LineAttempt attempt) throws InterruptedException;

  /** For runs that nobody remembers. */
  AttemptListener NOBODY = attempt -> {};
}
