package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

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
  record Settled(LaneId lane, long call, int attempt, Reply.Kind reply, Duration took)
      implements Event {}

  /** The reasons for which a provider turns an attempt away. */
  enum Cause {
    /** A limit that replies state. */
    DIMENSION,
    /** The traffic grew too fast. */
    ACCELERATION,
    /** A limit that no reply states. */
    UNSTATED
  }

  /**
   * The provider turned an attempt away.
   *
   * @param dimension the one that was exceeded, where the cause is one
   * @param pause how long the provider asked to wait; zero if it did not
   */
  record Throttled(
      LaneId lane, long call, Cause cause, Optional<Dimension> dimension, Duration pause)
      implements Event {
    /** The dimension, or what else is known of the reason, in a word. */
    public String why() {
      return dimension.map(Dimension::toString).orElse(cause.name().toLowerCase(Locale.ROOT));
    }
  }

  record Retrying(LaneId lane, long call, int attempt, Duration pause) implements Event {}

  record Finished(LaneId lane, long call, String name, Outcome<?> outcome) implements Event {}

  /** A limit was seen for the first time, or has changed. */
  record LimitLearned(LaneId lane, Dimension dimension, long limit) implements Event {}

  /** The things that are worth a warning. */
  enum Warning {
    /** Calls are sent at once, whatever the limits are. */
    PACING_IS_OFF,
    /** Less than a tenth is left of a dimension. */
    NEARLY_USED_UP
  }

  /**
   * Something is about to hold the lane back.
   *
   * @param dimension the one that is nearly used up
   */
  record LimitWarning(LaneId lane, Warning warning, Optional<Dimension> dimension)
      implements Event {
    /** The warning, for people. */
    public String text() {
      return switch (warning) {
        case PACING_IS_OFF -> "pacing is off: calls are sent at once";
        case NEARLY_USED_UP -> "less than a tenth left of " + dimension.orElseThrow();
      };
    }
  }

  record ConcurrencyChanged(LaneId lane, int limit) implements Event {}

  record BreakerChanged(LaneId lane, BreakerState state) implements Event {}

  record BudgetSpent(LaneId lane, Refusal why) implements Event {}
}
