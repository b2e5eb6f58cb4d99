package dev.flyball.limit;

import dev.flyball.call.Reply;

/**
 * The number of attempts that may be in flight. It is there for overload, not for rates: it starts
 * at four, doubles with each round trip (each second where a round trip is shorter, so that a limit
 * which nobody announced is met gently), and opens up at once when replies say what the limits are.
 * Only an overload cuts it: to half of what was in flight, at most once a round trip. After that it
 * regains what it had with each success, and goes beyond by one a round trip.
 */
public final class Concurrency implements Limit {
  private static final int START = 4;
  private static final long SECOND = 1_000_000_000L;

  private final int most;
  private int ceiling;
  private double limit = START;
  private int inFlight;
  private boolean replied;
  private boolean remembered;
  private boolean opened;
  private boolean cut;
  private double knee;
  private long firstAt = Long.MIN_VALUE;
  private long grownAt;
  private long cutAt = Long.MIN_VALUE;
  private double roundTrip;

  public Concurrency(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least 1 may be in flight, but the cap was " + most);
    }
    this.most = most;
    this.ceiling = most;
  }

  /**
   * An earlier run has learned at which pace to start: until the first reply, double each second.
   */
  public void remember() {
    remembered = true;
  }

  /** How many may be in flight now. Until the first reply one more each second. */
  public int limit(long now) {
    double current = limit;
    if (!replied && firstAt != Long.MIN_VALUE) {
      long seconds = Math.floorDiv(now - firstAt, SECOND);
      current = remembered ? Math.scalb(current, (int) Math.min(30, seconds)) : current + seconds;
    }
    return (int) Math.min(ceiling, current);
  }

  public int inFlight() {
    return inFlight;
  }

  /** Now, at the next second of the cold start, or when one comes back. */
  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(now);
  }

  long availableAt(long now) {
    if (inFlight < limit(now)) {
      return now;
    }
    return replied || inFlight >= ceiling
        ? Long.MAX_VALUE
        : firstAt + (Math.floorDiv(now - firstAt, SECOND) + 1) * SECOND;
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    charge(now);
  }

  void charge(long now) {
    inFlight++;
    if (firstAt == Long.MIN_VALUE) {
      firstAt = now;
      grownAt = now;
    }
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    giveBack();
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    giveBack();
  }

  void giveBack() {
    inFlight--;
  }

  /** The provider counts what is in flight, and this is how much it allows. */
  public void ceiling(int allowed) {
    ceiling = Math.max(1, Math.min(most, allowed));
  }

  /** Replies say what the limits are: from then on only an overload needs a smaller number. */
  public void open() {
    if (!opened && !cut) {
      limit = most;
    }
    opened = true;
    replied = true;
  }

  /** Begins anew, as after an outage. */
  public void restart(long now) {
    limit = START;
    replied = true;
    cut = false;
    grownAt = now;
  }

  /** A reply came, of an attempt that has just been given back. */
  public void succeeded(long sentAt, long now) {
    roundTrip = roundTrip == 0 ? now - sentAt : roundTrip + 0.2 * (now - sentAt - roundTrip);
    if (!replied) {
      limit = limit(now);
      replied = true;
      grownAt = now;
    }
    // Only a limit that was in use has been shown to be safe.
    if (2 * (inFlight + 1) < limit) {
      grownAt = now;
      return;
    }
    if (!cut) {
      double round = Math.max(SECOND, roundTrip);
      limit *= Math.pow(2, Math.min(1, (now - grownAt) / round));
    } else {
      limit += limit < knee ? 1 : 1 / limit;
    }
    grownAt = now;
    limit = Math.min(limit, most);
  }

  /** The provider had too much to do for an attempt; true when that changed the limit. */
  public boolean overloaded(long sentAt, long now) {
    double before = replied ? limit : limit(now);
    replied = true;
    if (sentAt < cutAt) {
      return false;
    }
    knee = Math.min(before, inFlight + 1);
    limit = Math.max(1, knee / 2);
    cut = true;
    cutAt = now;
    return true;
  }
}
