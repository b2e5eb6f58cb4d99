package dev.flyball.fleet.queue;

import java.time.Duration;

/**
 * The rules of a queue.
 *
 * @param most how many entries may be in it; what is above that is refused
 * @param lease how long a worker has an entry without saying that it still works on it
 * @param tries how often an entry is tried before it is a dead letter, at least 1
 * @param doneFor how long an entry that is done is known, so that it is not done again
 * @param pauseBelow how full limits must be at least for a worker to be given something
 * @param resumeAbove how full they must be for that after such a pause
 */
public record QueueRules(
    int most, Duration lease, int tries, Duration doneFor, double pauseBelow, double resumeAbove) {
  /** What is right for most. */
  public static final QueueRules USUAL =
      new QueueRules(250_000, Duration.ofSeconds(60), 5, Duration.ofDays(7), 0.2, 0.4);

  /**
   * Checks all of them.
   *
   * @throws IllegalArgumentException if one cannot be
   */
  public QueueRules {
    check(most >= 1, "a queue has room for at least 1 entry, not for " + most);
    check(lease.toMillis() >= 100, "a lease is at least 100 ms, not " + lease);
    check(tries >= 1, "an entry is tried at least once, not %d times".formatted(tries));
    check(doneFor.toDays() >= 1, "what is done is known for at least a day, not " + doneFor);
    check(
        pauseBelow >= 0 && pauseBelow < resumeAbove && resumeAbove < 1,
        "a worker is paused below a part that is less than where it goes on, not below %s and on above %s"
            .formatted(pauseBelow, resumeAbove));
  }

  private static void check(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** {@return the same with room for so many entries} */
  public QueueRules most(int entries) {
    return new QueueRules(entries, lease, tries, doneFor, pauseBelow, resumeAbove);
  }

  /** {@return the same with so many tries} */
  public QueueRules tries(int most) {
    return new QueueRules(this.most, lease, most, doneFor, pauseBelow, resumeAbove);
  }

  /** {@return the same with claims of another length} */
  public QueueRules lease(Duration length) {
    return new QueueRules(most, length, tries, doneFor, pauseBelow, resumeAbove);
  }
}
