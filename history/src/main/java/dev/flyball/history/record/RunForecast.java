package dev.flyball.history.record;

import dev.flyball.call.Usage;
import java.time.Duration;

/** The forecast of a run, if one was asked for. */
public sealed interface RunForecast {
  /** No forecast: none was asked for. */
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
