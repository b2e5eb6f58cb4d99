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
 * Something that happened, in the order in which it was decided.
 *
 * <p>Of one call: {@link Queued} first, once; then for each attempt {@link Admitted}, {@link
 * Throttled} if it was, {@link Settled}, and {@link Retrying} if there will be another; {@link
 * Finished} last, once. A call that is refused at once has Queued and Finished only. {@link
 * BudgetSpent} comes before the Finished of the call that it ends. Of a lane: {@link LimitLearned},
 * {@link LimitWarning}, {@link ConcurrencyChanged} and {@link BreakerChanged} come between the
 * events of the attempt that caused them. Between lanes there is no order.
 *
 * <p>A call that may go in several lanes is queued in the first that it names; its other events are
 * of the lane that made the attempt or ended it, and it has a number of its own in each.
 */
public sealed interface Event {
  /** {@return the lane in which it happened} */
  LaneId lane();

  /**
   * A call came in.
   *
   * @param lane where it goes
   * @param call its number in that lane, from 0
   * @param name the caller's name for it
   */
  record Queued(LaneId lane, long call, String name) implements Event {}

  /**
   * An attempt goes.
   *
   * @param lane where it goes
   * @param call the call's number in that lane
   * @param name the caller's name for it
   * @param attempt 1 for the first
   * @param waited how long the call has waited since it came in, attempts included
   */
  record Admitted(LaneId lane, long call, String name, int attempt, Duration waited)
      implements Event {}

  /**
   * An attempt came back.
   *
   * @param lane where it went
   * @param call the call's number in that lane
   * @param attempt 1 for the first
   * @param reply what kind of reply it came back with
   * @param took how long it was in flight
   */
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
   * @param lane where it went
   * @param call the call's number in that lane
   * @param cause why
   * @param dimension the one that was exceeded, where the cause is one
   * @param pause how long the provider asked to wait; zero if it did not
   */
  record Throttled(
      LaneId lane, long call, Cause cause, Optional<Dimension> dimension, Duration pause)
      implements Event {
    /** {@return the dimension, or what else is known of the reason, in a word} */
    public String why() {
      return dimension.map(Dimension::toString).orElse(cause.name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * A call will be tried again.
   *
   * @param lane where it goes
   * @param call its number in that lane
   * @param attempt the next attempt
   * @param pause how long it waits at least
   */
  record Retrying(LaneId lane, long call, int attempt, Duration pause) implements Event {}

  /**
   * A call is over.
   *
   * @param lane where it went
   * @param call its number in that lane
   * @param name the caller's name for it
   * @param outcome how it ended
   */
  record Finished(LaneId lane, long call, String name, Outcome<?> outcome) implements Event {}

  /**
   * A limit was seen for the first time, or has changed.
   *
   * @param lane where it holds
   * @param dimension what is counted
   * @param limit what is allowed in a period
   */
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
   * @param lane the lane
   * @param warning what that is
   * @param dimension the one that is nearly used up, where it is one
   */
  record LimitWarning(LaneId lane, Warning warning, Optional<Dimension> dimension)
      implements Event {
    /** {@return the warning, for people} */
    public String text() {
      return switch (warning) {
        case PACING_IS_OFF -> "pacing is off: calls are sent at once";
        case NEARLY_USED_UP -> "less than a tenth left of " + dimension.orElseThrow();
      };
    }
  }

  /**
   * Another number of attempts may be in flight.
   *
   * @param lane where that holds
   * @param limit how many
   */
  record ConcurrencyChanged(LaneId lane, int limit) implements Event {}

  /**
   * A lane's breaker has changed its state.
   *
   * @param lane the lane
   * @param state the new one
   */
  record BreakerChanged(LaneId lane, BreakerState state) implements Event {}

  /**
   * A call does not fit its budget, and never will.
   *
   * @param lane where it would have gone
   * @param why which budget, and what is left of it
   */
  record BudgetSpent(LaneId lane, Refusal why) implements Event {}
}
