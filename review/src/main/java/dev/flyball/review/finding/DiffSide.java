package dev.flyball.review.finding;

import java.util.Locale;

/** The state of a changed file that a line number counts in. */
public enum DiffSide {
  /** Before the change. */
  LEFT,
  /** After it; the only one where nothing changes. */
  RIGHT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
