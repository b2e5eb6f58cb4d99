package dev.flyball.history.store;

import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import java.time.Instant;

/** Something to be written, and the receipt for it. */
sealed interface PendingWrite {
  Receipt receipt();

  /** The beginning of a run. */
  record Began(OpenRun run, Instant at, Receipt receipt) implements PendingWrite {}

  /** The forecast of a run that has begun. */
  record Expected(OpenRun run, RunForecast.Expected forecast, Receipt receipt)
      implements PendingWrite {}

  /** The end of an attempt; {@code call} is its number in its run. */
  record Tried(OpenRun run, long call, AttemptRecord attempt, Receipt receipt)
      implements PendingWrite {}

  /** The end of a run. */
  record Ended(OpenRun run, RunEnding ending, Instant at, Receipt receipt)
      implements PendingWrite {}

  /** The review of a pull request. */
  record Reviewed(PastReview review, Receipt receipt) implements PendingWrite {}
}
