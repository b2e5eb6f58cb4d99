package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.limit.Allowance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A lane at one moment, for people.
 *
 * @param lane which one
 * @param waiting how many calls wait; one that may go in several lanes waits in each
 * @param inFlight how many attempts are in flight
 * @param slots how many may be in flight
 * @param breaker whether it rests after failures
 * @param waitingFor what the next call waits for
 * @param waitLeft for how long, where that is known
 * @param gauges its allowances
 * @param pacePerSecond the pace that was felt where no limit is stated; 0 if none was
 * @param metrics what it has done so far
 */
public record LaneSnapshot(
    LaneId lane,
    int waiting,
    int inFlight,
    int slots,
    BreakerState breaker,
    Optional<Constraint> waitingFor,
    Optional<Duration> waitLeft,
    List<Gauge> gauges,
    double pacePerSecond,
    Metrics metrics) {

  /**
   * One allowance at one moment.
   *
   * @param dimension what is counted
   * @param limit what the provider says it allows in a period, where it does
   * @param level how much is left, as far as is known; below zero is debt
   * @param ceiling how much can be there at most
   * @param perSecond what refills
   * @param held what attempts in flight were charged
   * @param sighted whether a reply has shown its level
   */
  public record Gauge(
      Dimension dimension,
      OptionalLong limit,
      double level,
      double ceiling,
      double perSecond,
      long held,
      boolean sighted) {
    static Gauge of(Allowance from, long now) {
      return new Gauge(
          from.dimension(),
          from.limit(),
          from.level(now),
          from.ceiling(),
          from.perSecond(),
          from.held(),
          from.sighted());
    }

    /** {@return how full it is, from 0 to 1} */
    public double fullness() {
      return ceiling > 0 && ceiling < Double.POSITIVE_INFINITY
          ? Math.max(0, Math.min(1, level / ceiling))
          : 1;
    }
  }
}
