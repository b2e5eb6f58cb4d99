package dev.flyball.planted.review.finding;

/** Innocent. */
public enum Verdict {
  FINE;

  public static Verdict of() {
    return FINE;
  }
}
