package dev.flyball.limit;

import dev.flyball.limit.gauge.Juries;

/**
 * The time in which calls are turned away and none is let in: when it began, and how long the next
 * probe may be put off, or must be.
 */
final class Drought {
  private static final int SOME_IN_A_ROW = 3;
  private static final int MANY_IN_A_ROW = 8;
  private static final double GROWS_BY = 0.35;
  private static final double SHORTEST = 0.3;
  private static final double LONGEST = 60;
  private static final double LONGEST_IN_DOUBT = 5;

  private double lastSent;
  private double lastLetIn;

  /** The moment of the last refusal that was no probe's. */
  private double surprised = Double.NEGATIVE_INFINITY;

  /** How many were turned away in a row, by the moment at which that was known. */
  private int refusedInARow;

  /** Whether what turns calls away may be an outage. */
  private boolean doubtful;

  boolean isOn() {
    return surprised > lastLetIn;
  }

  double lastSent() {
    return lastSent;
  }

  void sent(double now) {
    lastSent = now;
  }

  void letIn(double sentAt) {
    refusedInARow = 0;
    lastLetIn = Math.max(lastLetIn, sentAt);
  }

  /**
   * A call was turned away.
   *
   * @param surprise whether it was no probe that was sent in spite of a no
   */
  void refused(boolean surprise, double now) {
    surprised = surprise ? now : surprised;
    refusedInARow++;
    doubtful = false;
  }

  /** What turned the last one away may be an outage, which is over at any moment. */
  void mayBeOutage() {
    doubtful = true;
  }

  /** The same, as the juries are told it. */
  Juries.Silence silence() {
    return new Juries.Silence(isOn(), lastLetIn, Math.max(lastSent, lastLetIn));
  }

  /** A moment for the next call, not before patience allows it and not after doubt asks for it. */
  double bounded(double when, double now) {
    double later = Math.max(when, patience());
    return doubtful && isOn() ? Math.min(later, Math.max(now, lastSent + LONGEST_IN_DOUBT)) : later;
  }

  /**
   * The moment before which no probe goes, whatever is said, when some in a row were turned away:
   * whoever is turned away with all gauges at rest would else ask for ever. The more there were,
   * the longer: a few are no reason to be late for the end of a window that is nearly known.
   */
  private double patience() {
    if (!isOn() || refusedInARow < SOME_IN_A_ROW) {
      return 0;
    }
    double many = Math.min(1, (refusedInARow - 2.0) / (MANY_IN_A_ROW - 2));
    return lastSent + Math.clamp(many * GROWS_BY * (lastSent - lastLetIn), SHORTEST, LONGEST);
  }
}
