package dev.flyball.scheduler;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.limit.Breaker;
import java.time.Duration;

/**
 * What happened, in the order in which it was decided.
 *
 * <p>Of one call: {@link Queued} first, once; then for each attempt {@link Admitted}, {@link
 * Throttled} if it was, {@link Settled}, and {@link Retrying} if there will be another; {@link
 * Finished} last, once. A call that is refused at once has Queued and Finished only. {@link
 * BudgetSpent} comes before the Finished of the call that it ends. Of a lane: {@link LimitLearned},
 * {@link LimitWarning}, {@link ConcurrencyChanged} and {@link BreakerChanged} come between the
 * events of the attempt that caused them. Between lanes there is no order.
 */
public sealed interface Event {
  LaneId lane();

  /** A call came in; {@code call} numbers the calls of a lane, {@code name} is the caller's. */
  record Queued(LaneId lane, long call, String name) implements Event {}

  record Admitted(LaneId lane, long call, String name, int attempt, Duration waited)
      implements Event {}

  /** An attempt came back with this kind of reply. */
  record Settled(LaneId lane, long call, int attempt, String reply, Duration took)
      implements Event {}

  /** The provider turned an attempt away: for a dimension, or for what else is known. */
  record Throttled(LaneId lane, long call, String dimension, Duration pause) implements Event {}

  record Retrying(LaneId lane, long call, int attempt, Duration pause) implements Event {}

  record Finished(LaneId lane, long call, String name, Outcome<?> outcome) implements Event {}

  /** A limit was seen for the first time, or has changed. */
  record LimitLearned(LaneId lane, Dimension dimension, long limit) implements Event {}

  /** Something is about to hold the lane back. */
  record LimitWarning(LaneId lane, String what) implements Event {}

  record ConcurrencyChanged(LaneId lane, int limit) implements Event {}

  record BreakerChanged(LaneId lane, Breaker.State state) implements Event {}

  record BudgetSpent(LaneId lane, Refusal why) implements Event {}
}
