package dev.flyball.fleet.queue;

import java.util.Locale;

/** A part of a queue. */
public enum Shelf {
  /** Whoever comes next gets them, in this order. */
  READY,
  /** They failed, and are ready again after a pause. */
  LATER,
  /** Somebody works on them. */
  CLAIMED,
  /** Dead letters: they failed too often, or will never work. */
  DEAD;

  /** {@return the shelf of a name}, or refuses it */
  public static Shelf of(String name) {
    for (var shelf : values()) {
      if (shelf.toString().equals(name)) {
        return shelf;
      }
    }
    throw new IllegalArgumentException("a shelf is ready, later, claimed or dead, not " + name);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
