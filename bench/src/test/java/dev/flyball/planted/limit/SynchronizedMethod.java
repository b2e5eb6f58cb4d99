package dev.flyball.planted.limit;

/** Takes a monitor for a whole method. */
public final class SynchronizedMethod {
  private int taken;

  synchronized int take() {
    return ++taken;
  }
}
