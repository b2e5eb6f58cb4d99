package dev.flyball.limit;

/** The time for which the provider, or a backoff, asked a whole lane to wait. */
public final class Pause implements Limit {
  /** The end of the longest pause that was asked for so far. */
  private long until = Long.MIN_VALUE;

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return Math.max(now, until);
  }

  /** Lets nothing go before then; a shorter pause does not end a longer one. */
  public void until(long moment) {
    until = Math.max(until, moment);
  }

  /** The end of the longest pause that was asked for so far. */
  public long until() {
    return until;
  }

  public boolean isOn(long now) {
    return until > now;
  }
}
