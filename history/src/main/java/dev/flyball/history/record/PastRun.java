package dev.flyball.history.record;

import java.time.Instant;

/** A run as it is remembered. */
public record PastRun(String id, RunStart run, Instant started, RunForecast forecast, State state) {
  /** The state of a run, as far as it was heard of. */
  public sealed interface State {}

  /** A run that ended, and said so. */
  public record Ended(Instant at, RunEnding ending) implements State {}

  /** A run that goes on, or was killed. */
  public record Open() implements State {}
}
