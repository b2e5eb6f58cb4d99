package dev.flyball.fleet.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The flow of entries through a queue, as its last minutes show it.
 *
 * @param perSecond how many come
 * @param inSystem how long one is there on average, from its adding to its end; empty if none has
 *     ended
 * @param inService how long it is worked on of that
 * @param waiting how many are ready
 * @param working how many are being worked on
 */
public record QueueFlow(
    double perSecond,
    Optional<Duration> inSystem,
    Optional<Duration> inService,
    long waiting,
    long working) {
  /** The minutes that are looked at: enough to be steady, and few enough to follow what changes. */
  private static final int WINDOW = 3;

  /**
   * {@return the flow that a queue shows}
   *
   * @param passed how much of the present minute is over
   */
  public static QueueFlow of(
      List<QueueFigures.Minute> minutes, Duration passed, long waiting, long working) {
    long added = 0;
    long ended = 0;
    var inSystem = Duration.ZERO;
    var inService = Duration.ZERO;
    int first = -1;
    for (var minute : minutes) {
      if (minute.ago() <= WINDOW) {
        first = Math.max(first, minute.ago());
        added += minute.added();
        ended += minute.ended();
        inSystem = inSystem.plus(minute.inSystem());
        inService = inService.plus(minute.inService());
      }
    }
    // A queue that has only begun has no such minutes behind it in which nothing came.
    boolean young = minutes.stream().noneMatch(minute -> minute.ago() > WINDOW);
    double seconds = 60.0 * (young ? Math.max(1, first) : WINDOW) + passed.toNanos() / 1e9;
    return new QueueFlow(
        added / seconds,
        ended == 0 ? Optional.empty() : Optional.of(inSystem.dividedBy(ended)),
        ended == 0 ? Optional.empty() : Optional.of(inService.dividedBy(ended)),
        waiting,
        working);
  }
}
