package dev.flyball.gateway.task;

import java.time.Duration;
import java.util.Map;

/**
 * The numbers of the review server, for whoever shows or exports them.
 *
 * @param room how full it is
 * @param shed requests that were turned away, by reason
 * @param ended tasks that have run, by reason; those that were completed are not among them
 * @param completed tasks that have run and have a result
 */
public record TaskCounts(
    Room room, Map<TaskReason, Long> shed, Map<TaskReason, Long> ended, long completed) {
  /**
   * How full it is.
   *
   * @param inFlight tasks that hold a slot
   * @param limit how many may
   * @param queued how many wait for one
   * @param oldest how long the first of them has waited
   */
  public record Room(int inFlight, int limit, int queued, Duration oldest) {}

  public TaskCounts {
    shed = Map.copyOf(shed);
    ended = Map.copyOf(ended);
  }
}
