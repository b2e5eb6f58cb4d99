package dev.flyball.limit.gauge;

/**
 * The times without a refusal. After ten seconds of it a limit may have been raised, so calls go a
 * little before the juries want. If these are let in, more of them go; if not, the next quiet time
 * is twice as long.
 */
public final class QuietTimes {
  private static final double SHORTEST = 10;
  private static final double LONGEST = 80;

  private double since;
  private double length = SHORTEST;
  private boolean probing;
  private int probesLetIn;
  private int letIn;

  public void begin(double now) {
    since = now;
  }

  /** Looks at the clock: it may be time to probe. */
  public void look(double now) {
    if (!probing && now - since > length) {
      probing = true;
      probesLetIn = 0;
    }
  }

  public boolean isProbing() {
    return probing;
  }

  /** Whether a probe goes whatever the juries say. */
  public boolean isBold(double now) {
    return probing && (now - since > 1.5 * length || probesLetIn > 0);
  }

  /** How many doubtful calls are risked at one time, the more the more were let in. */
  public double boldness() {
    return 1 + probesLetIn / 4;
  }

  /** A call was let in of which the juries had so much doubt. */
  public void letIn(double doubt) {
    letIn++;
    if (probing && doubt > 0.5) {
      probesLetIn++;
    }
  }

  public void refused(double now) {
    if (probing) {
      boolean worthIt = probesLetIn >= 4 + 0.2 * letIn;
      length = worthIt ? SHORTEST : Math.min(LONGEST, 2 * length);
    }
    probing = false;
    letIn = 0;
    since = now;
  }
}
