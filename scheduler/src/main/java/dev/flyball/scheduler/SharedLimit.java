package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A limit that many schedulers keep together, in one process or in many. Each scheduler shows it
 * the calls that wait, and it answers at what moment each may leave; how those who share it agree
 * is its own affair.
 *
 * <p>Moments are those of {@link Time#nanos()} of the scheduler that asks.
 */
public interface SharedLimit {
  /**
   * An attempt that waits, or that went.
   *
   * @param number the call's number in its lane
   * @param attempt 1 for the call's first; with {@code number} it names the attempt
   * @param call the call
   * @param due by which calls are in order: when it came, and its patience
   */
  record SharedCall(long number, int attempt, Call call, long due) {}

  /** A lane as those see it who limit it. Thread-safe. */
  interface SharedLane {
    /**
     * Says that the lane should ask again. It may be called from any thread, at any time and under
     * any lock; it returns at once, and the lane asks a little later.
     */
    void changed();

    /**
     * {@return what was known of the lane before its first reply} Not to be called before {@link
     * SharedLimit#open} has returned.
     */
    LaneProfile profile();

    /** {@return what was remembered of the lane when it began} Not to be called in open. */
    LearnedLimits.OfLane remembered();

    /**
     * {@return what the lane has learned by itself so far} Not to be called under a lock, nor from
     * a method of {@link OfLane} or {@link SharedLimit#open}.
     */
    LearnedLimits.OfLane learned();
  }

  /**
   * Begins to limit a lane. Called once for each, before its first call is shown, under the lane's
   * lock: it must not block.
   *
   * @param id its name
   * @param lane the lane
   * @return the lane's part of the limit
   */
  OfLane open(LaneId id, SharedLane lane);

  /**
   * One lane's part. Every method is called under that lane's lock, by one thread at a time, and
   * must neither block nor call the scheduler. If {@link #moments} throws, the lane logs it, lets
   * nothing go and asks again after a second; what else is thrown is logged only.
   */
  interface OfLane {
    /**
     * Whether this limit holds now. While it does not, the lane goes by its own limits alone, and
     * shows nobody; of departures and replies it tells all the same. When that changes, the lane is
     * to be told by {@link SharedLane#changed}.
     *
     * @return whether calls go by {@link #moments}
     */
    default boolean holds() {
      return true;
    }

    /**
     * How many of the next calls it looks at.
     *
     * @return at least 1; 32 unless this says otherwise
     */
    default int deep() {
      return WaitingCalls.DEEP;
    }

    /**
     * What all who share the limit have learned together of the lane, for the next run. A lane that
     * sees others use what it shares with them takes that for foreign use.
     *
     * @return what they know, or nothing if that is for the lane to say
     */
    default Optional<LearnedLimits.OfLane> learned() {
      return Optional.empty();
    }

    /**
     * The thing that calls wait for, in words for people.
     *
     * @return what most of them wait for
     */
    default Constraint waitsFor() {
      return Constraint.SHARED;
    }

    /**
     * Whether this limit paces a dimension, so that the lane's own allowance of it holds nothing
     * back. Asked once for each dimension. A lane's own estimate takes what others of the same
     * fleet use for foreign; so it is left out unless this says otherwise.
     *
     * @param dimension one that the lane has learned of, or {@link Dimension#REQUESTS} for the pace
     *     that it would feel by itself, or {@link Dimension#IN_FLIGHT} for the slots that it would
     *     learn; the most that was configured holds always
     * @return whether the lane should leave it to this limit; all but the slots
     */
    default boolean paces(Dimension dimension) {
      return !LaneProfile.isInFlight(dimension);
    }

    /**
     * The moments at which calls may leave. Asked again after each departure and whenever anything
     * in the lane changed; so the same question should have the same answer.
     *
     * @param next the next calls in order, at most {@link #deep}
     * @param waiting how many wait in order, with these
     * @param now the moment at which this is asked
     * @return an answer for each, in the same order: not after {@code now} if it may leave at once,
     *     empty if that is not known yet. A call without an answer waits until {@code changed} is
     *     called, or something else happens in the lane
     */
    List<OptionalLong> moments(List<SharedCall> next, int waiting, long now);

    /**
     * A call left, not before its moment.
     *
     * @param call the attempt, as it was shown last
     * @param now the moment at which it left
     */
    void departed(SharedCall call, long now);

    /**
     * An attempt is over.
     *
     * @param call the attempt, as it departed
     * @param reply what it came back with
     * @param now the moment at which that is known
     */
    void settled(SharedCall call, Reply<?> reply, long now);

    /**
     * An attempt was never sent: it has used nothing.
     *
     * @param call the attempt, as it departed
     * @param now the moment at which that is known
     */
    void givenBack(SharedCall call, long now);

    /**
     * The headers of a reply are there, and its answer is on its way.
     *
     * @param call the attempt, as it departed
     * @param signals what they said about limits
     * @param now the moment at which they came
     */
    void sighted(SharedCall call, Signals signals, long now);
  }
}
