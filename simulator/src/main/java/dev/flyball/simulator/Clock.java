package dev.flyball.simulator;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Microseconds since the start, and what the calendar says then. */
final class Clock {
  private final long start = System.nanoTime();
  private final Instant started = Instant.now();

  long micros() {
    return (System.nanoTime() - start) / 1_000;
  }

  Instant at(long micros) {
    return started.plus(micros, ChronoUnit.MICROS);
  }
}
