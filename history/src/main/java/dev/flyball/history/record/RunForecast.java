package dev.flyball.history.record;

import dev.flyball.call.Usage;
import java.time.Duration;

/** What was expected of a run before it began. */
public sealed interface RunForecast {
  /** Nobody asked. */
  record None() implements RunForecast {}

  /**
   * Expected time, tokens and cost.
   *
   * @param calibratedOn how many earlier runs it rests on
   */
  record Expected(Duration p50, Duration p90, Usage usage, int calibratedOn)
      implements RunForecast {}

  RunForecast NONE = new None();
}
