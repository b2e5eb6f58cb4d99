package dev.flyball.history.store;

import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.PastReview;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunEnding;
import dev.flyball.history.record.RunForecast;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import java.time.Instant;
import java.util.List;

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

  /** A key that a tenant was given. */
  record KeyMade(TenantKey key, Receipt receipt) implements PendingWrite {}

  /** The end of a tenant's key. */
  record KeyRevoked(String tenant, Instant at, Receipt receipt) implements PendingWrite {}

  /** What tenants have used more. */
  record Spent(List<TenantSpending> more, Receipt receipt) implements PendingWrite {}

  /** The review of a pull request, and the id of the run that made it. */
  record Reviewed(PastReview review, String run, Receipt receipt) implements PendingWrite {}
}
