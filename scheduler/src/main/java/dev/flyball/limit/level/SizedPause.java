package dev.flyball.limit.level;

/** The wait that a provider asked for of calls of some size, and so of larger ones. */
public final class SizedPause {
  private long from = Long.MAX_VALUE;
  private long until = Long.MIN_VALUE;

  public void ask(long amount, long moment, long now) {
    from = until > now ? Math.min(from, amount) : amount;
    until = Math.max(until, moment);
  }

  /** When a call of that size may go. */
  public long availableAt(long amount, long now) {
    return amount >= from && until > now ? until : now;
  }
}
