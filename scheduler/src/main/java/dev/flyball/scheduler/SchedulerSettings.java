package dev.flyball.scheduler;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.RampPlan;
import dev.flyball.call.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** What a {@link Flyball} was told before it started; its builder says what each means. */
record SchedulerSettings(
    int mostInFlight,
    OptionalInt mostInFlightInAll,
    int mostWaiting,
    Duration maxWait,
    RetryPolicy retries,
    boolean waitsOutRests,
    boolean pacing,
    Optional<RampPlan> ramp,
    Function<LaneId, LaneProfile> profiles,
    Optional<SharedLimit> sharedLimit,
    LearnedLimits memory,
    Time time,
    RandomGenerator random) {
  /** Longer than any wait, and fits the clock. */
  static final Duration FOR_EVER = Duration.ofDays(365 * 100);

  SchedulerSettings {
    if (mostInFlight < 1 || mostWaiting < 1) {
      var caps = mostInFlight + " and " + mostWaiting;
      throw new IllegalArgumentException(
          "at least 1 call may be in flight and 1 wait, but the caps were " + caps);
    }
    if (mostInFlightInAll.isPresent() && mostInFlightInAll.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "at least 1 call of all lanes may be in flight, but the cap was "
              + mostInFlightInAll.getAsInt());
    }
    if (!maxWait.isPositive()) {
      throw new IllegalArgumentException("the longest wait is above 0, but was " + maxWait);
    }
    maxWait = maxWait.compareTo(FOR_EVER) > 0 ? FOR_EVER : maxWait;
  }
}
