package dev.flyball.history;

import java.time.Duration;

/**
 * How long things are waited for.
 *
 * @param locked for another process that has the database
 * @param group for more to commit together
 * @param trouble for a database that fails, in all
 * @param room how much may wait to be written
 */
record Patience(Duration locked, Duration group, Duration trouble, int room) {
  static final Patience USUAL =
      new Patience(Duration.ofSeconds(10), Duration.ofMillis(200), Duration.ofSeconds(30), 16_384);
}
