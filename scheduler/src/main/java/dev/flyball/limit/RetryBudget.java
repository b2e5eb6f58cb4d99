package dev.flyball.limit;

/**
 * The number of retries after failures that a lane may make in all: ten, and a fifth of the first
 * attempts of the last minute. Without it a provider in trouble gets several times its usual load.
 * Where nothing is in flight there is no load to multiply, and one may always go.
 */
public final class RetryBudget implements Limit {
  private static final int SECONDS = 60;
  private static final long SECOND = 1_000_000_000L;
  private static final int FREE = 10;
  private static final double SHARE = 0.2;

  private final Concurrency slots;
  private final int[] firsts = new int[SECONDS];
  private final int[] retries = new int[SECONDS];
  private long second = Long.MIN_VALUE;
  private int allFirsts;
  private int allRetries;

  /** Of a lane with these slots. */
  public RetryBudget(Concurrency slots) {
    this.slots = slots;
  }

  private int slot(long now) {
    long current = Math.floorDiv(now, SECOND);
    if (current - second >= SECONDS || second == Long.MIN_VALUE) {
      java.util.Arrays.fill(firsts, 0);
      java.util.Arrays.fill(retries, 0);
      allFirsts = 0;
      allRetries = 0;
      second = current;
    }
    while (second < current) {
      int next = Math.floorMod(++second, SECONDS);
      allFirsts -= firsts[next];
      allRetries -= retries[next];
      firsts[next] = 0;
      retries[next] = 0;
    }
    return Math.floorMod(current, SECONDS);
  }

  /** For a retry now, when the next second leaves the last minute, or when nothing is in flight. */
  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return attempt.retry ? availableAt(now) : now;
  }

  long availableAt(long now) {
    int slot = slot(now);
    assert slot >= 0;
    boolean free = slots.inFlight() == 0 || allRetries < FREE + SHARE * allFirsts;
    return free ? now : (second + 1) * SECOND;
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    if (attempt.retry) {
      retry(now);
    } else if (attempt.first) {
      first(now);
    }
  }

  void first(long now) {
    firsts[slot(now)]++;
    allFirsts++;
  }

  void retry(long now) {
    retries[slot(now)]++;
    allRetries++;
  }
}
