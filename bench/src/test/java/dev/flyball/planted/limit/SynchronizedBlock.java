package dev.flyball.planted.limit;

/** Takes a monitor inside a method. */
public final class SynchronizedBlock {
  private final Object lock = new Object();
  private int taken;

  int take() {
    synchronized (lock) {
      return ++taken;
    }
  }
}
