package dev.flyball.gateway.task;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The pace at which slots come free, by how long tasks have taken. It is told the time, and is not
 * thread-safe.
 *
 * <p>Endings are not counted by the clock, because a server that had little to do has few of them
 * and may still have room in a moment. What counts is how long a task holds its slot: the mean of
 * the last few, or the mean age of those that run now where that is longer, so that a standstill is
 * seen before anything ends. With so many slots in use, one comes free every mean ÷ slots.
 */
final class DrainRate {
  private static final int REMEMBERED = 32;
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final ArrayDeque<Long> took = new ArrayDeque<>();
  private long sum;
  private long startedSum;
  private int running;

  void began(long now) {
    running++;
    startedSum += now;
  }

  void ended(long began, long now) {
    running--;
    startedSum -= began;
    took.addLast(now - began);
    sum += now - began;
    if (took.size() > REMEMBERED) {
      sum -= took.removeFirst();
    }
  }

  /**
   * How long until so many slots have come free.
   *
   * @param slots how many there are
   * @return empty if no task has ended yet
   */
  Optional<Duration> until(int free, int slots, long now) {
    if (took.isEmpty()) {
      return Optional.empty();
    }
    double mean = (double) sum / took.size();
    double age = running == 0 ? 0 : now - (double) startedSum / running;
    double left = Math.max(mean, age) * free / Math.max(1, slots);
    var wait = Duration.ofNanos((long) Math.min(left, (double) LONGEST.toNanos()));
    return Optional.of(wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait);
  }
}
