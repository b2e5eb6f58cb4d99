package dev.flyball.history.store;

import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import java.time.Instant;

/** Something to be written, and the receipt for it. */
public sealed interface PendingWrite {
  Receipt receipt();

  /** A run began. */
  record Began(OpenRun run, Instant at, Receipt receipt) implements PendingWrite {}

  /** What is expected of a run that has begun. */
  record Foreseen(OpenRun run, RunForecast.Expected forecast, Receipt receipt)
      implements PendingWrite {}

  /** An attempt ended; {@code call} is its number in its run. */
  record Tried(OpenRun run, long call, AttemptRecord attempt, Receipt receipt)
      implements PendingWrite {}

  /** A run ended. */
  record Ended(OpenRun run, RunEnding ending, Instant at, Receipt receipt)
      implements PendingWrite {}

  /** A pull request was reviewed. */
  record Reviewed(PastReview review, Receipt receipt) implements PendingWrite {}
}
