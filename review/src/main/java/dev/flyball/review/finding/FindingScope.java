package dev.flyball.review.finding;

import java.util.Locale;

/** The extent of what a finding is about. */
public enum FindingScope {
  LINE,
  /** Lines that were there before: what is wrong with them fails no change. */
  OUTSIDE_CHANGE,
  FILE,
  /** The whole change or repository. */
  WHOLE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
