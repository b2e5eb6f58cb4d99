package dev.flyball.fleet.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The state of a queue at one moment.
 *
 * @param passed how much of the present minute is over
 * @param next how long ago that was added which is next
 * @param totals of all time
 * @param minutes of the last hour, those in which something happened
 * @param workers who was heard of in the last minute
 */
public record QueueFigures(
    Duration passed,
    long ready,
    long later,
    long claimed,
    long dead,
    long done,
    Optional<Duration> next,
    Totals totals,
    List<Minute> minutes,
    List<Worker> workers) {
  /**
   * Sums of all time.
   *
   * @param retried tries that failed and are made again
   * @param lost tries whose worker was not heard of any more
   * @param dead how many became dead letters; some may be ready again
   */
  public record Totals(long added, long done, long retried, long lost, long dead, long dropped) {}

  /**
   * One minute.
   *
   * @param ago how many minutes ago it began; 0 is the present one, of which a part is over
   * @param added how many came
   * @param ended how many ended, done or dead
   * @param inSystem the time from their adding to their end, summed
   * @param inService the time that they were worked on the last time, summed
   */
  public record Minute(int ago, long added, long ended, Duration inSystem, Duration inService) {}

  /**
   * A process that works.
   *
   * @param name host and process
   * @param busy how many entries it works on
   * @param wanted how many it would
   * @param headroom how full its limits are, if it knows
   * @param paused for how long it has been given nothing because they are not full enough
   */
  public record Worker(
      String name, int busy, int wanted, Optional<Double> headroom, Optional<Duration> paused) {}

  /** {@return the flow that they show} */
  public QueueFlow flow() {
    return QueueFlow.of(minutes, passed, ready, claimed);
  }
}
