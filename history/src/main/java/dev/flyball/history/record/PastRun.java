package dev.flyball.history.record;

import java.time.Instant;

/** A run as it is remembered. */
public record PastRun(String id, RunStart run, Instant started, State state) {
  /** Whether it is known how the run ended. */
  public sealed interface State {}

  /** It ended, and said so. */
  public record Ended(Instant at, RunEnding ending) implements State {}

  /** It is running, or was killed. */
  public record Open() implements State {}
}
