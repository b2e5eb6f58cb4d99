package dev.flyball.planted.scheduler;

import java.util.function.LongSupplier;

/** Innocent: the one place that may read the clock, with what is inside it. */
public final class Time {
  long now() {
    LongSupplier clock = new Monotonic()::read;
    return clock.getAsLong();
  }

  private static final class Monotonic {
    long read() {
      return System.nanoTime();
    }
  }
}
