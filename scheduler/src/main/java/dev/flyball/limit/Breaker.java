package dev.flyball.limit;

import dev.flyball.call.BreakerState;
import dev.flyball.call.RetryPolicy;

/**
 * The stop of a lane after repeated failure. It opens when half of at least ten calls of the last
 * 30 s failed, at three failures in a row when there were fewer, and at five in a row whatever came
 * before: that is an outage, and waiting for half of a busy lane's history would cost hundreds of
 * calls. "In a row" goes by the moment of sending: an answer to what was sent before the failures
 * says nothing about now, and a failure of what was sent no later than something that was answered
 * is none in a row. After two failures in a row calls go one at a time until one succeeds.
 *
 * <p>These are the usual numbers; a {@link RetryPolicy.Breaker} may say others.
 *
 * <p>Open, it rests: 5 s as long as the outage is younger than half a minute (or than a minute,
 * where the provider has never answered: it may be about to start), then twice as long each time,
 * up to 60 s. So a short outage costs 5 s more than it lasts, and a long one few probes. After each
 * rest exactly one probe goes; it has succeeded when its response headers are there.
 */
public final class Breaker implements Limit {
  private static final long SECOND = 1_000_000_000L;
  private static final int WINDOW = 30;
  private static final int ENOUGH = 10;
  private static final int FEW_IN_A_ROW = 3;
  private static final long LONGEST_REST = 60 * SECOND;
  private static final long SHORT_OUTAGE = 30 * SECOND;
  private static final long SHORT_START = 60 * SECOND;

  /** Attempts sent so close together may have arrived in any order. */
  private static final long TOGETHER = 10_000_000;

  private final int enough;
  private final int fewInARow;
  private final int inARow;
  private final long firstRest;
  private final long longestRest;
  private final int[] total = new int[WINDOW];
  private final int[] failed = new int[WINDOW];
  private long second = Long.MIN_VALUE;
  private BreakerState state = BreakerState.CLOSED;
  private long until;
  private long openedAt = Long.MIN_VALUE;
  private long rest;

  /** The moment at which the first of the failures in a row was sent that last opened it. */
  private long rowSince = Long.MAX_VALUE;

  /** The moment since which it has not been closed. */
  private long downSince;

  /** The latest moment at which something was sent that was answered. */
  private long wellAt = Long.MIN_VALUE;

  private int streak;
  private long streakSince = Long.MAX_VALUE;
  private int tests;

  public Breaker(RetryPolicy.Breaker policy) {
    inARow = policy.failures();
    boolean patient = inARow > RetryPolicy.Breaker.USUAL.failures();
    fewInARow = patient ? inARow : Math.min(FEW_IN_A_ROW, inARow);
    enough = Math.max(ENOUGH, 2 * inARow);
    firstRest = policy.rest().toNanos();
    longestRest = Math.max(LONGEST_REST, firstRest);
    rest = firstRest;
  }

  public BreakerState state() {
    return state;
  }

  /** When the rest ends. */
  public long until() {
    return until;
  }

  /** Now, when the rest ends, or not before an attempt comes back. */
  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(now);
  }

  long availableAt(long now) {
    return switch (state) {
      case OPEN -> Math.max(now, until);
      case PROBING -> Long.MAX_VALUE;
      case CLOSED -> streak >= 2 && tests > 0 ? Long.MAX_VALUE : now;
    };
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    attempt.awaited = charge();
  }

  /** An attempt goes; true when it is one that the others wait for. */
  boolean charge() {
    if (state == BreakerState.OPEN) {
      state = BreakerState.PROBING;
      return true;
    }
    boolean test = streak >= 2;
    tests += test ? 1 : 0;
    return test;
  }

  /** One that the others wait for is over without a verdict. */
  public void withdrawn(long sentAt, long now) {
    if (probes(true, sentAt)) {
      state = BreakerState.OPEN;
      until = now;
    } else {
      tests = Math.max(0, tests - 1);
    }
  }

  /** Whether an attempt is the probe; one that went before the rest is none. */
  public boolean probes(boolean awaited, long sentAt) {
    return awaited && state == BreakerState.PROBING && !caught(sentAt);
  }

  /**
   * An attempt got an answer, or its headers. True when it was the probe: the outage is over. An
   * answer to what was sent among the failures that opened it closes it too: they were not in a
   * row, and there was no outage.
   */
  public boolean succeeded(boolean awaited, long sentAt, long now) {
    long slack = wellAt == Long.MIN_VALUE ? SECOND : TOGETHER;
    wellAt = Math.max(wellAt, sentAt);
    if (probes(awaited, sentAt)) {
      close();
      return true;
    }
    if (state == BreakerState.OPEN && rowSince != Long.MAX_VALUE && sentAt >= rowSince - slack) {
      close();
      return false;
    }
    count(now, 0);
    tests = Math.max(0, tests - (awaited ? 1 : 0));
    if (sentAt >= streakSince) {
      streak = 0;
      streakSince = Long.MAX_VALUE;
    }
    return false;
  }

  private void close() {
    state = BreakerState.CLOSED;
    rest = firstRest;
    streak = 0;
    streakSince = Long.MAX_VALUE;
    java.util.Arrays.fill(total, 0);
    java.util.Arrays.fill(failed, 0);
    rowSince = Long.MAX_VALUE;
  }

  /** An attempt failed by overload or transport. True when that opens the breaker. */
  public boolean failed(boolean awaited, long sentAt, long now) {
    if (state != BreakerState.CLOSED) {
      boolean again = probes(awaited, sentAt);
      if (again) {
        long shortest = wellAt == Long.MIN_VALUE ? SHORT_START : SHORT_OUTAGE;
        rest = now - downSince < shortest ? firstRest : Math.min(longestRest, 2 * rest);
        open(now);
      }
      return again;
    }
    tests = Math.max(0, tests - (awaited ? 1 : 0));
    if (wellAt == Long.MIN_VALUE || sentAt > wellAt + TOGETHER) {
      streakSince = streak++ == 0 ? sentAt : streakSince;
    }
    count(now, 1);
    int calls = java.util.Arrays.stream(total).sum();
    int failures = java.util.Arrays.stream(failed).sum();
    boolean down =
        streak >= inARow || (calls < enough ? streak >= fewInARow : 2 * failures >= calls);
    if (down) {
      rowSince = streak >= fewInARow ? streakSince : Long.MAX_VALUE;
      // What was taken for a limit at first began long before it was told.
      downSince = Math.min(now, streakSince);
      open(now);
    }
    return down;
  }

  /** Whether an attempt sent then was on its way when the breaker last opened. */
  public boolean caught(long sentAt) {
    return openedAt != Long.MIN_VALUE && sentAt <= openedAt;
  }

  private void open(long now) {
    state = BreakerState.OPEN;
    openedAt = now;
    until = now + rest;
    streak = 0;
    streakSince = Long.MAX_VALUE;
    tests = 0;
  }

  private void count(long now, int failures) {
    long current = Math.floorDiv(now, SECOND);
    for (long s = Math.max(second + 1, current - WINDOW + 1); s <= current; s++) {
      total[Math.floorMod(s, WINDOW)] = 0;
      failed[Math.floorMod(s, WINDOW)] = 0;
    }
    second = Math.max(second, current);
    total[Math.floorMod(current, WINDOW)]++;
    failed[Math.floorMod(current, WINDOW)] += failures;
  }
}
