package dev.flyball.review.finding;

/** How alike two claims are in meaning, by what they are called and what they say. */
@FunctionalInterface
public interface Likeness {
  /** From here on two claims say the same. */
  double SAME = 0.5;

  /** From 0, nothing in common, to 1; the same whichever comes first. */
  double of(Claim one, Claim other);

  /** What was measured, where {@code same} is the least that means the same. */
  static double scaled(double measured, double same) {
    return Math.clamp(SAME * measured / same, 0, 1);
  }
}
