package dev.flyball.limit;

import dev.flyball.call.Reply;

/**
 * The number of attempts that may be in flight. It is there for overload, not for rates: it starts
 * at four. While no reply comes it doubles, first after more than a second (whose machine is busy
 * with its own start hears a reply of 200 ms no sooner), then each half second, later each second:
 * an answer may take a minute. After the first reply it doubles with each round trip, and opens up
 * at once when replies say what the limits are, or that there is nothing to be told. In the first
 * three seconds it stays below fifty: that is what the smallest accounts let go at once, and by
 * then most have answered.
 *
 * <p>Only an overload cuts it: to half of what was in flight, at most once a round trip. What was
 * in flight without those that were turned away is the knee: so many the provider could do. Up to
 * the knee it regains one with each success. Beyond the knee one more is a trial: answered, it is
 * the new knee and the next trial follows with the next round trip; turned away, the knee stays,
 * nothing else is cut, and the next trial waits twice as long. So a provider that can do ten at a
 * time is kept at ten, and asked for an eleventh a few times and not once a round trip.
 *
 * <p>Where a rate is known, a cut leaves as many as keep it up with answers as slow as they are, if
 * so many went well: fewer would be a slower rate, and that is not for one overload to say. After
 * an outage that holds again from the first answer on.
 */
public final class Concurrency implements Limit {
  private static final int START = 4;
  private static final int WIDE = 64;
  private static final int STEPS_TO_WIDE = 4;
  private static final int MOST_EARLY = 48;
  private static final long SECOND = 1_000_000_000L;
  private static final long EARLY = 3 * SECOND;

  /** The first step is as late as one would be from this moment on. */
  private static final long PATIENCE = 3 * SECOND / 4;

  private static final long SHORTEST_TRIAL = SECOND / 10;
  private static final long LONGEST_TRIAL = 60 * SECOND;

  private final int most;
  private int ceiling;
  private double limit = START;
  private int inFlight;
  private boolean replied;
  private boolean opened;
  private boolean cut;

  /** How many the provider could do when it last had too much to do. */
  private int knee;

  /** Whether the knee is what was in flight then, and not what went well before. */
  private boolean counted;

  /** The moment from which one beyond the knee may be tried. */
  private long trialAt;

  /** How long after a trial that was turned away the next one waits. */
  private long trialEvery;

  /** The moment at which an attempt went beyond the knee, until it is known how that ended. */
  private long beyondAt = Long.MAX_VALUE;

  /** The most that were in flight with an attempt that was answered since the last cut. */
  private int well;

  /** The moment at which a trial was last turned away. */
  private long triedAt = Long.MIN_VALUE;

  /** The rate that is known, in calls a nanosecond; or 0. */
  private double rate;

  /** How many keep that up and went well when they were last cut; 0 where no rate is known. */
  private int floor;

  /** Whether something was answered since the last restart. */
  private boolean proven = true;

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

  /** How many may be in flight now. Until the first reply twice as many with each step. */
  public int limit(long now) {
    double current = limit;
    if (!replied && firstAt != Long.MIN_VALUE) {
      boolean early = now - firstAt < EARLY;
      current = Math.min(early ? MOST_EARLY : most, Math.scalb(current, steps(now)));
    }
    return (int) Math.min(ceiling, Math.max(proven ? floor : 0, current));
  }

  /** The first takes more than a second, then half a second each, and later a second each. */
  private int steps(long now) {
    long halves = halves(now);
    return (int) Math.min(30, halves <= STEPS_TO_WIDE ? halves : (halves + STEPS_TO_WIDE) / 2);
  }

  private long halves(long now) {
    return Math.max(0, Math.floorDiv(now - firstAt - PATIENCE, SECOND / 2));
  }

  public int inFlight() {
    return inFlight;
  }

  /** Whether it is what the provider was found to bear; until then it grows while it is in use. */
  public boolean isFound() {
    return cut || limit >= ceiling;
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
        : firstAt + PATIENCE + (halves(now) + 1) * (SECOND / 2);
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    charge(now);
    attempt.together = inFlight;
  }

  void charge(long now) {
    inFlight++;
    if (cut && inFlight > knee && beyondAt == Long.MAX_VALUE) {
      beyondAt = now;
    }
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

  /** Replies came, and none of them states a limit: what is felt says how fast to go. */
  public void widen() {
    if (!opened && !cut) {
      limit = Math.max(limit, Math.min(most, WIDE));
    }
    opened = true;
  }

  /** So many calls a nanosecond may go, as far as is known; 0 if nothing is. */
  void rate(double calls) {
    rate = calls;
  }

  /** Begins anew, as after an outage. */
  public void restart(long now) {
    limit = START;
    replied = true;
    opened = true;
    cut = false;
    proven = false;
    beyondAt = Long.MAX_VALUE;
    grownAt = now;
  }

  /** An attempt was answered that has just been given back. */
  public void succeeded(AttemptCharges attempt, long now) {
    succeeded(attempt.sentAt(), attempt.together, now);
  }

  void succeeded(long sentAt, int together, long now) {
    roundTrip = roundTrip == 0 ? now - sentAt : roundTrip + 0.2 * (now - sentAt - roundTrip);
    if (!replied) {
      limit = limit(now);
      replied = true;
      grownAt = now;
    }
    proven = true;
    well = Math.max(well, together);
    if (sentAt > beyondAt) {
      // It went after the one beyond the knee, which was not turned away.
      knee++;
      beyondAt = Long.MAX_VALUE;
      trialEvery = shortestTrial();
      trialAt = now;
    }
    // Only a limit that was in use has been shown to be safe.
    if (2 * (inFlight + 1) < limit) {
      grownAt = now;
      return;
    }
    if (!cut) {
      double round = Math.max(1, roundTrip);
      limit *= Math.pow(2, Math.min(1, (now - grownAt) / round));
    } else if (limit < knee) {
      limit = Math.min(knee, limit + 1);
    } else if (inFlight + 1 >= knee && now >= trialAt) {
      limit = knee + 1;
    }
    grownAt = now;
    limit = Math.min(limit, most);
  }

  private long shortestTrial() {
    return (long) Math.max(SHORTEST_TRIAL, roundTrip);
  }

  /** The provider had too much to do for an attempt; true when that changed the limit. */
  public boolean overloaded(long sentAt, long now) {
    double before = replied ? limit : limit(now);
    replied = true;
    if (sentAt >= beyondAt) {
      limit = knee;
      beyondAt = Long.MAX_VALUE;
      trialEvery = Math.min(LONGEST_TRIAL, 2 * trialEvery);
      trialAt = now + trialEvery;
      triedAt = now;
      return true;
    }
    if (cut && sentAt <= cutAt) {
      if (counted) {
        // It was among those that were counted when the first of them was turned away.
        knee = Math.max(1, knee - 1);
        // Two, so that one which hangs does not keep a probe from going.
        limit = Math.min(limit, Math.max(2, knee));
      }
      return false;
    }
    if (cut && sentAt <= triedAt) {
      return false;
    }
    // Where more than that went well lately, it was not their number.
    counted = inFlight >= well;
    knee = (int) Math.max(1, Math.min(before, Math.max(inFlight, well)));
    limit = Math.max(1, Math.min(before, inFlight + 1) / 2);
    floor = (int) Math.min(well, Math.ceil(rate * roundTrip));
    trialEvery = shortestTrial();
    trialAt = now + trialEvery;
    beyondAt = Long.MAX_VALUE;
    cut = true;
    cutAt = now;
    well = 0;
    return true;
  }
}
