package dev.flyball.limit;

import dev.flyball.call.Sighting;
import java.time.Duration;
import java.util.Optional;

/**
 * The level of one limit, as it is reckoned between the replies that show it.
 *
 * <p>What was sighted (less half a rounding step), plus what came back since, less what we took
 * since. Three others say how: {@link ResetReading} finds out from the resets whether the limit is
 * a window, which is spent and then full again, or refills; until it knows, nothing is credited.
 * {@link RefillRate} is how fast it refills for us. {@link LevelDoubt} is how much more than is
 * needed must be there, because others use the key too.
 *
 * <p>A sighting older than one already used is ignored, and after a window has begun anew so is
 * what went before that.
 *
 * <h2>The call that teaches</h2>
 *
 * No estimate holds a lane for longer than the reset: then one call goes, whatever is reckoned, and
 * its reply says more. Where no reset was ever told it is a period; where even that is a guess, a
 * quarter of the time for which nothing was seen to be left, so that the attempts in vain grow with
 * the logarithm of the wait. So it is too when a window ends for the first time and nobody has said
 * as of when its resets are told: one call goes, and the others when all is seen to be there again.
 *
 * <p>Long because whatever is told moves the level, and each of it in its own way.
 */
final class ReckonedLevel {
  private static final double PROVEN = 0.5;
  private static final double SECOND = 1e9;

  private final boolean asProduced;

  /** The part of the limit that can be there at once. */
  private final double part;

  private final Bucket bucket;
  private final RefillRate rate;
  private final LevelDoubt doubt;
  private ResetReading resets = new ResetReading();

  private double limit = Double.POSITIVE_INFINITY;
  private double period;

  /** Whether the period is more than a guess. */
  private boolean periodKnown = true;

  /** The step to which the last sighted level was rounded. */
  private long rounding = 1;

  private boolean sighted;

  /** The moment since which it holds something back. */
  private long knownSince = Long.MAX_VALUE;

  /** The moment of the last level that was sighted. */
  private long sightedAt;

  /** When the attempt went whose sighting was used last, and its mark. */
  private long sightedSent = Long.MIN_VALUE;

  private long sightedMark = Long.MIN_VALUE;

  /** Whether it was said as of when the provider looks. */
  private boolean looksKnown;

  /** The most that remained, and the least. */
  private double mostSeen;

  private double leastSeen = Double.POSITIVE_INFINITY;

  /** What we were charged since it was first sighted. */
  private double went;

  /** When something was last seen to be left. */
  private long leftAt;

  /** When a window was last taken to begin anew, or a call went to see whether it does. */
  private long turnedAt = Long.MIN_VALUE;

  /** Whether nothing was seen to be left since then. */
  private boolean turning;

  /** The moment at which a call goes whatever is reckoned. */
  private double fullBy;

  /** The moment up to which refill may have been lost, before the last sighting. */
  private long lostBefore;

  /**
   * Nothing is known of it.
   *
   * @param part of the limit that can be there at once
   * @param asProduced whether it is debited while output is produced
   */
  ReckonedLevel(double period, double part, boolean asProduced, long now) {
    this.period = period;
    this.part = part;
    this.asProduced = asProduced;
    this.bucket = new Bucket(0, Double.POSITIVE_INFINITY, now);
    this.rate = new RefillRate(period);
    this.doubt = new LevelDoubt(now);
    this.fullBy = now + period;
    this.sightedAt = now;
    this.leftAt = now;
  }

  // ---- what it says ----

  double level(long now) {
    turn(now);
    return bucket.level(now);
  }

  double ceiling() {
    return bucket.ceiling();
  }

  /** What refills for us, in units a nanosecond. */
  double perNano() {
    return rate.perNano();
  }

  boolean sighted() {
    return sighted;
  }

  /** Whether all of it was seen to be usable, and its period is one that needs no pace. */
  private boolean unpaced() {
    double deepest = Math.max(mostSeen - leastSeen, went);
    boolean deep = deepest >= PROVEN * limit || resets.confirmed();
    return deep && sighted && (!periodKnown || resets.window());
  }

  /**
   * How much a nanosecond it lets go in the long run, as far as is stated. What a window lets go
   * may go at once; and a period that is a guess is no reason to hold back what was seen to be
   * there.
   */
  double stated() {
    double shortest = periodKnown || resets.longest() == 0 ? rate.span() : resets.longest();
    return unpaced()
        ? ceiling() / Math.min(SECOND, shortest)
        : limit / Math.min(rate.span(), shortest);
  }

  /** The period that resets gave away; 0 if they have not. */
  double periodLearned() {
    return resets.period() > 0 && !resets.refills() ? resets.period() : 0;
  }

  /** How long all of it takes to come back, by what resets agree on. */
  double span() {
    return rate.span();
  }

  /** When so much will be there, or a call goes to see. */
  long reaches(double needed, double each, long now) {
    turn(now);
    double margin =
        resets.refills()
            ? Math.min(doubt.margin(sighted ? rate.foreign() : 0, each, now), ceiling() / 3)
            : 0;
    double most = Math.max(needed, ceiling());
    long reached = bucket.reaches(Math.min(needed + margin, most), now);
    long reachedOrTold = Math.min(reached, (long) Math.ceil(fullBy));
    return Math.max(doubt.refusedUntil(), Math.max(now, reachedOrTold));
  }

  // ---- what it is told ----

  /** So much is stated for a period of that length. */
  void limited(double stated, double length, boolean known, long now) {
    boolean wasFull = bucket.level(now) >= ceiling();
    limit = stated;
    period = length;
    periodKnown = known;
    knownSince = Math.min(knownSince, now);
    rate.limited(stated, length);
    bucket.ceiling(capacity(), now);
    if (wasFull) {
      bucket.believe(capacity(), now);
    }
    repace(now);
  }

  /** Its period is another one. */
  void period(double length, boolean known, long now) {
    if (limit != Double.POSITIVE_INFINITY && Math.abs(length - rate.span()) > 0.01 * length) {
      limited(limit, length, known, now);
    }
    period = length;
    periodKnown = known;
  }

  /** An earlier run saw it refill so fast; how full it is, nobody knows. */
  void remember(double perNano, long now) {
    rate.remember(perNano);
    repace(now);
    bucket.believe(ceiling() / 2, now);
  }

  /** It is not there, or no longer. */
  void forget(long now) {
    sighted = false;
    limit = Double.POSITIVE_INFINITY;
    resets = new ResetReading();
    bucket.ceiling(limit, now);
    bucket.believe(limit, now);
  }

  void take(double amount, long now) {
    turn(now);
    went += sighted ? amount : 0;
    boolean teaches = now >= fullBy && bucket.level(now) < amount;
    bucket.take(amount, now);
    if (!sighted) {
      fullBy = now + period;
    } else if (resets.refills() && rate.perNano() > 0) {
      fullBy = Math.max(fullBy, (double) now) + Math.min(period, amount / rate.perNano());
    } else if (teaches) {
      turnedAt = turning ? turnedAt : now;
      turning = true;
      fullBy = now + Math.min(period, SECOND);
    }
  }

  void giveBack(double amount, long now) {
    turn(now);
    bucket.giveBack(amount, now);
  }

  /** So much more than there is was asked for, and the provider says how long that takes. */
  void lacked(double amount, long wait, long sentAt, long now) {
    turn(now);
    double earned = resets.refills() ? rate.perNano() : 0;
    double level = wait > 0 ? amount - earned * wait : earned * (now - sentAt);
    bucket.believe(Math.min(bucket.level(now), level), now);
  }

  /**
   * A call was turned away though so much was thought to be there. What went before anything was
   * known was no thought, and gives no reason to doubt.
   */
  void refused(long amount, long sentAt, long wait, long now) {
    if (wait > 0 && now + 4.0 * wait < fullBy) {
      resets.comesBackByParts();
      repace(now);
    }
    doubt.refused(sentAt >= knownSince ? amount : 0, sentAt, now);
    if (!resets.refills()) {
      bucket.believe(Math.min(0, bucket.level(now)), now);
    }
    if (turning && sentAt >= turnedAt) {
      resets.early((double) sentAt);
      fullBy = Math.max(fullBy, resets.end());
    }
  }

  /** Whether a reply to an attempt of then says less than one that was already used. */
  boolean outdated(Sighting.Snapshot snapshot, long mark, long sentAt) {
    boolean older = sentAt < sightedSent || (sentAt == sightedSent && mark < sightedMark);
    boolean before = sentAt < turnedAt && resets.window();
    return before || (older && snapshot != Sighting.Snapshot.HEADERS);
  }

  /** A reply showed the level. */
  void sighted(Sighting sighting, OwnCharges.Seen own, long sentAt, long now) {
    turn(now);
    sightedSent = Math.max(sentAt, sightedSent);
    sightedMark = own.mark();
    rounding = sighting.rounding();
    looksKnown = sighting.snapshot() != Sighting.Snapshot.UNKNOWN;
    long at = sighting.snapshot() == Sighting.Snapshot.ADMISSION ? sentAt : now;
    var reset = sensible(sighting);
    double seen = finer((double) sighting.remaining().orElseThrow(), reset);
    double before = bucket.level(now);
    leftAt = seen > 0 ? now : leftAt;
    turning &= seen <= 0;
    doubt.looked(seen > 0, at);
    mostSeen = Math.max(mostSeen, seen);
    leastSeen = Math.min(leastSeen, seen);
    reset(reset, sighting.snapshot(), seen, sentAt, now);
    double credit = resets.refills() ? rate.perNano() * (now - at) : 0;
    double level = seen - (rounding > 1 ? rounding / 2.0 : 0);
    level = Math.min(ceiling(), level + credit) - own.since();
    if (own.together() > 0 && sighted) {
      double most = level + (resets.refills() ? 0 : Math.min(own.together(), (double) own.since()));
      level = Math.max(level - own.together(), Math.min(before, most));
    }
    if (sighted && at > sightedAt && resets.refills()) {
      // Of output on its way only its expected size is known: that is no sign of somebody else.
      double blur = (asProduced ? own.since() : 0) + (rounding > 1 ? rounding : 0.5);
      surprise(before - level - blur, (double) (at - sightedAt), now);
    }
    if (resets.refills()) {
      var past =
          new RefillRate.Past(
              at, sentAt, seen, own.before(), own.together(), rate.told(), own.count());
      rate.measure(past, rounding, bucket.lostAt(now), !periodKnown);
      repace(now);
    }
    bucket.believe(level, now);
    sighted = true;
    knownSince = Math.min(knownSince, now);
    sightedAt = Math.max(at, sightedAt);
    lostBefore = bucket.lostAt(now);
  }

  /** A reset that a period and a debt cannot explain is as if it had not been said. */
  private Optional<Duration> sensible(Sighting sighting) {
    double most = period * (sighting.remaining().orElse(0) > 0 ? 1.25 : 5) + 2 * SECOND;
    return sighting
        .reset()
        .filter(time -> !periodKnown || sighting.guessed() || time.toNanos() <= most);
  }

  /**
   * What remained. Where it is rounded and the time to a full bucket is told more finely, that time
   * says it better, and may say how deep in debt an empty one is. Believed only if both agree.
   */
  private double finer(double seen, Optional<Duration> reset) {
    if (rounding == 1 || resets.window() || limit == Double.POSITIVE_INFINITY || reset.isEmpty()) {
      return seen;
    }
    double left = reset.get().toNanos();
    double blur = ResetReading.resolution(left) * rate.stated();
    double told = limit - left * rate.stated();
    double half = rounding / 2.0;
    boolean debt = seen == 0 && told > -limit;
    boolean agree = told - blur <= seen + half && (told + blur >= seen - half || debt);
    if (4 * blur > rounding || !agree) {
      return seen;
    }
    rounding = (long) Math.ceil(2 * blur);
    return told;
  }

  private void surprise(double shortfall, double time, long now) {
    doubt.surprise(shortfall, time);
    if (shortfall > 1) {
      // It cannot have been full since the last sighting, whatever was reckoned.
      bucket.lostUpTo(Math.min(lostBefore, now));
    }
  }

  /** What the reset says: how long to hold at most, how full it gets, and of what shape it is. */
  private void reset(
      Optional<Duration> reset, Sighting.Snapshot snapshot, double seen, long sentAt, long now) {
    if (reset.isEmpty()) {
      untold(seen, sentAt, now);
      return;
    }
    double left = reset.get().toNanos();
    double resolution = ResetReading.resolution(left);
    if (snapshot != Sighting.Snapshot.UNKNOWN) {
      resets.looks(snapshot == Sighting.Snapshot.ADMISSION);
    }
    resets.read(whole(), seen, left, (double) sentAt, (double) now, rate.span() / whole());
    rate.reset(seen, left, rounding, resets.shape() == ResetReading.Shape.REFILL);
    double told = now + Math.max(left, resolution);
    boolean over = seen <= 0 && left == 0;
    fullBy = resets.window() && !over ? Math.max(resets.end(), (double) now) : told;
    repace(now);
    double full = seen + (rounding > 1 ? rounding : 0) + rate.perNano() * (left + resolution);
    full = Math.max(Math.ceil(full), 0);
    boolean less = resets.refills() && full < capacity();
    bucket.ceiling(less ? full : capacity(), now);
  }

  /** Without a reset a call goes after a period; where that is a guess, sooner at first. */
  private void untold(double seen, long sentAt, long now) {
    if (!periodKnown || resets.window()) {
      resets.readUntold(whole(), seen, (double) sentAt);
    }
    boolean reckons = periodKnown && !resets.window() && limit != Double.POSITIVE_INFINITY;
    double patience = Math.max(SECOND / 2, (now - leftAt) / 4.0);
    boolean ends = resets.window() && resets.end() > now;
    fullBy = ends ? resets.end() : now + (reckons ? period : Math.min(period, patience));
    repace(now);
  }

  private double whole() {
    return limit == Double.POSITIVE_INFINITY ? Math.max(1, mostSeen) : limit;
  }

  private double capacity() {
    return part == 1 ? limit : Math.max(1, limit * part);
  }

  private void repace(long now) {
    bucket.rate(resets.refills() ? rate.perNano() : 0, now);
  }

  /** A window that has ended is full again. */
  private void turn(long now) {
    if (resets.window() && (resets.confirmed() || looksKnown) && now >= resets.end()) {
      bucket.believe(Math.min(capacity(), whole()), now);
      turnedAt = now;
      turning = true;
      resets.turn((double) now, resets.period() > 0 ? resets.period() : period);
      fullBy = resets.end();
    }
  }
}
