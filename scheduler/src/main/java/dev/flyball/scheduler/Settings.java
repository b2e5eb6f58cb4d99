package dev.flyball.scheduler;

import dev.flyball.call.LaneId;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a {@link Flyball} is told before it starts. None of it needs to be set.
 *
 * @param mostInFlight attempts of one lane at one time, whatever else allows more
 * @param mostWaiting calls that may wait in one lane; the next is refused
 * @param maxWait how long nothing may be in flight while no lane can admit; then what waits is
 *     refused. None: for ever
 * @param waitsOutRests whether calls wait while a lane rests after failures, or are refused
 * @param pacing off sends at once, for comparison
 */
record Settings(
    int mostInFlight,
    int mostWaiting,
    Optional<Duration> maxWait,
    RetryPolicy retries,
    boolean waitsOutRests,
    boolean pacing,
    Optional<Ramp.Plan> ramp,
    Function<LaneId, LaneProfile> profiles) {
  static final int MOST_IN_FLIGHT = 512;
  static final int MOST_WAITING = 1 << 21;

  Settings {
    if (mostInFlight < 1 || mostWaiting < 1) {
      throw new IllegalArgumentException(
          "at least 1 call may be in flight and wait, but the caps were "
              + (mostInFlight + " and " + mostWaiting));
    }
    if (maxWait.isPresent() && !maxWait.get().isPositive()) {
      throw new IllegalArgumentException("the longest wait is above 0, but was " + maxWait.get());
    }
  }
}
