package dev.flyball.history.store;

import java.time.Duration;

/**
 * The waits of a history, and the room for what waits.
 *
 * @param locked for another process that has the database
 * @param group for more to commit together
 * @param trouble for a database that fails, in all
 * @param room how much may wait to be written
 */
public record HistoryTimeouts(Duration locked, Duration group, Duration trouble, int room) {
  public static final HistoryTimeouts USUAL =
      new HistoryTimeouts(
          Duration.ofSeconds(10), Duration.ofMillis(200), Duration.ofSeconds(30), 16_384);
}
