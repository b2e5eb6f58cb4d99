package dev.flyball.run.work;

import dev.flyball.call.Account;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.fleet.queue.QueueWorkers;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scheduler of a process that works on many things, so that they stand in one queue and share
 * limits and a budget, and what it knows of those limits. Closed, it keeps what was learned.
 */
public final class WorkScheduler implements QueueWorkers.Limits, AutoCloseable {
  /** Who pays for all of it. */
  public static final Account ACCOUNT = Account.of("work");

  private static final double SLOW_SECONDS = 10;

  private final RunSetup setup;
  private final TokenCounter tokens;
  private final Map<LaneId, LaneProfile> profiles = new ConcurrentHashMap<>();
  private final Flyball flyball;

  /** One within these bounds, for a run that whoever opened it closes afterwards. */
  public WorkScheduler(RunSetup setup, RunBounds bounds) {
    this.setup = setup;
    var learned = setup.learned();
    this.tokens = new TokenCounter(learned.tokens());
    this.flyball =
        bounds.scheduler(
            ACCOUNT,
            lane -> profiles.getOrDefault(lane, LaneProfile.UNKNOWN),
            learned.lanes(),
            setup);
  }

  public Flyball flyball() {
    return flyball;
  }

  /** What is a token, as far as it has been learned. */
  public TokenCounter tokens() {
    return tokens;
  }

  /** What is known of a lane before its first reply; to be said before its first call. */
  public void know(LaneId lane, LaneProfile profile) {
    profiles.putIfAbsent(lane, profile);
  }

  /** Of limits that refill within seconds nobody waits anywhere else than in their lane. */
  @Override
  public Optional<Double> headroom() {
    return flyball.snapshot().lanes().stream()
        .flatMap(lane -> lane.gauges().stream())
        .filter(WorkScheduler::isSlow)
        .map(LaneSnapshot.Gauge::fullness)
        .min(Double::compare);
  }

  private static boolean isSlow(LaneSnapshot.Gauge gauge) {
    return gauge.sighted()
        && !gauge.dimension().name().equals(Dimension.IN_FLIGHT.name())
        && gauge.perSecond() > 0
        && gauge.ceiling() / gauge.perSecond() >= SLOW_SECONDS;
  }

  /**
   * By Little's law once more: a lane keeps as many calls in flight as it admits in a second, times
   * the seconds that one takes. A worker may have several calls.
   */
  @Override
  public OptionalDouble admission(int busy) {
    var lanes =
        flyball.snapshot().lanes().stream().filter(it -> it.metrics().attempts() > 0).toList();
    if (lanes.isEmpty()) {
      return OptionalDouble.empty();
    }
    double room = 0;
    double calls = 0;
    for (var lane : lanes) {
      room += room(lane);
      calls += lane.inFlight() + lane.waiting();
    }
    double each = busy > 0 ? Math.max(1, calls / busy) : 1;
    // One more, so that somebody waits when a limit lets the next call go.
    return OptionalDouble.of(room / each + 1);
  }

  private static double room(LaneSnapshot lane) {
    double room = lane.slots();
    var latency = lane.metrics().latency();
    if (latency.count() == 0) {
      return room;
    }
    double seconds = latency.mean().toNanos() / 1e9;
    if (lane.pacePerSecond() > 0) {
      room = Math.min(room, lane.pacePerSecond() * seconds);
    }
    for (var gauge : lane.gauges()) {
      boolean bounds =
          gauge.sighted()
              && gauge.perSecond() > 0
              && gauge.perSecond() < Double.POSITIVE_INFINITY
              && lane.inFlight() > 0
              && gauge.held() > 0;
      if (bounds) {
        double charge = (double) gauge.held() / lane.inFlight();
        room = Math.min(room, gauge.perSecond() / charge * seconds);
      }
    }
    return room;
  }

  private LearnedFile learned() {
    return new LearnedFile(flyball.memory(), tokens.learned());
  }

  /**
   * Keeps what was learned so far, in case that the process is killed; to be called now and then.
   */
  public void keepNowAndThen() {
    setup.keepNowAndThen(this::learned);
  }

  @Override
  public void close() {
    setup.keep(learned());
    flyball.close();
  }
}
