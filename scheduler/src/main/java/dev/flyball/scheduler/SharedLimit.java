package dev.flyball.scheduler;

import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Signals;
import java.util.List;
import java.util.Map;
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
   * @param estimate what the call says of its size
   * @param costs what it counts for in each dimension that the lane knows, and in the usual ones
   */
  record SharedCall(long number, int attempt, Estimate estimate, Map<Dimension, Long> costs) {
    /** Keeps a copy of the costs. */
    public SharedCall {
      costs = Map.copyOf(costs);
    }
  }

  /**
   * Begins to limit a lane. Called once for each, before its first call is shown, under the lane's
   * lock: it must not block.
   *
   * @param lane the lane
   * @param changed says that the lane should ask again. It may be called from any thread, at any
   *     time and under any lock; it returns at once, and the lane asks a little later
   * @return the lane's part of the limit
   */
  OfLane open(LaneId lane, Runnable changed);

  /**
   * One lane's part. Every method is called under that lane's lock, by one thread at a time, and
   * must neither block nor call the scheduler. If {@link #moments} throws, the lane logs it, lets
   * nothing go and asks again after a second; what else is thrown is logged only.
   */
  interface OfLane {
    /**
     * Whether this limit paces a dimension, so that the lane's own allowance of it holds nothing
     * back. Asked once for each dimension. A lane's own estimate takes what others of the same
     * fleet use for foreign; so it is left out unless this says otherwise.
     *
     * @param dimension one that the lane has learned of, or {@link Dimension#REQUESTS} for the pace
     *     that it would feel by itself
     * @return whether the lane should leave it to this limit
     */
    default boolean paces(Dimension dimension) {
      return true;
    }

    /**
     * The moments at which calls may leave. Asked again after each departure and whenever anything
     * in the lane changed; so the same question should have the same answer.
     *
     * @param next the next calls in order, at most 32; more may wait
     * @param now the moment at which this is asked
     * @return an answer for each, in the same order: not after {@code now} if it may leave at once,
     *     empty if that is not known yet. A call without an answer waits until {@code changed} is
     *     called, or something else happens in the lane
     */
    List<OptionalLong> moments(List<SharedCall> next, long now);

    /**
     * A call left, not before its moment.
     *
     * @param call the attempt, as it was shown last
     * @param now the moment at which it left
     */
    void departed(SharedCall call, long now);

    /**
     * An attempt is over, and this is what it has really used.
     *
     * @param call the attempt, as it departed
     * @param used by dimension, as in its costs; the costs again where nobody knows
     * @param now the moment at which that is known
     */
    void settled(SharedCall call, Map<Dimension, Long> used, long now);

    /**
     * An attempt was never sent, or was turned away by the provider: it has used nothing.
     *
     * @param call the attempt, as it departed
     * @param now the moment at which that is known
     */
    void givenBack(SharedCall call, long now);

    /**
     * A reply, or its headers alone, said something about limits. Comes before {@link #settled} or
     * {@link #givenBack}.
     *
     * @param call the attempt, as it departed
     * @param signals what was said
     * @param turnedAway whether a rate limit turned the attempt away
     * @param now the moment at which it was heard
     */
    void heard(SharedCall call, Signals signals, boolean turnedAway, long now);
  }
}
