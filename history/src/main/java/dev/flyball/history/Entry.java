package dev.flyball.history;

import java.time.Instant;

/** Something to be written, and the receipt for it. */
sealed interface Entry {
  Receipt receipt();

  /** A run began. */
  record Began(OpenRun run, Instant at, Receipt receipt) implements Entry {}

  /** What is expected of a run that has begun. */
  record Foreseen(OpenRun run, Forecast.Expected forecast, Receipt receipt) implements Entry {}

  /** An attempt ended; {@code call} is its number in its run. */
  record Tried(OpenRun run, long call, PastAttempt attempt, Receipt receipt) implements Entry {}

  /** A run ended. */
  record Ended(OpenRun run, Ending ending, Instant at, Receipt receipt) implements Entry {}

  /** A pull request was reviewed. */
  record Reviewed(Review review, Receipt receipt) implements Entry {}
}
