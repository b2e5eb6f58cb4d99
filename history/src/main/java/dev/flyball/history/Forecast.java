package dev.flyball.history;

import dev.flyball.call.Usage;
import java.time.Duration;

/** What was expected of a run before it began. */
public sealed interface Forecast {
  /** Nobody asked. */
  record None() implements Forecast {}

  /**
   * Expected time, tokens and cost.
   *
   * @param calibratedOn how many earlier runs it rests on
   */
  record Expected(Duration p50, Duration p90, Usage usage, int calibratedOn) implements Forecast {}

  Forecast NONE = new None();
}
