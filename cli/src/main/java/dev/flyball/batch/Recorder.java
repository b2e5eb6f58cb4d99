package dev.flyball.batch;

/** Whoever is told of each attempt, and may take a while to write it down. */
@FunctionalInterface
public interface Recorder {
  void record(Attempted attempt) throws InterruptedException;

  /** For runs that nobody remembers. */
  Recorder NOBODY = attempt -> {};
}
