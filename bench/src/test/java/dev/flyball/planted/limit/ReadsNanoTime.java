package dev.flyball.planted.limit;

/** Looks at the clock instead of being told the time. */
public final class ReadsNanoTime {
  long age(long since) {
    return System.nanoTime() - since;
  }
}
