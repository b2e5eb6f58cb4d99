package dev.flyball.limit.level;

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
 * <p>Long because charges, sightings and refusals all move the one level, and must agree on it.
 */
public final class ReckonedLevel {
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

  /** The moment since which it holds something back. */
  private long knownSince = Long.MAX_VALUE;

  private final LastSighting last;

  private final SeenDepth depth;

  /** What had remained at the first sighting, with all that was charged until then. */
  private double wholeAtFirst;

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
  public ReckonedLevel(double period, double part, boolean asProduced, long now) {
    this.period = period;
    this.part = part;
    this.asProduced = asProduced;
    this.bucket = new Bucket(0, Double.POSITIVE_INFINITY, now);
    this.rate = new RefillRate(period);
    this.doubt = new LevelDoubt(now);
    resets.stated(true);
    this.fullBy = now + period;
    this.last = new LastSighting(now);
    this.depth = new SeenDepth(now);
  }

  // ---- what it says ----

  public double level(long now) {
    turn(now);
    return bucket.level(now);
  }

  public double ceiling() {
    return bucket.ceiling();
  }

  /** What refills for us, in units a nanosecond. */
  public double perNano() {
    return rate.perNano();
  }

  /** Whether replies have shown that so much refills; else it is a guess, which may be far off. */
  public boolean isProved() {
    return periodKnown || resets.confirmed() || resets.period() > 0 || rate.isProved();
  }

  public boolean sighted() {
    return last.exists();
  }

  /** The moment of the last level that was sighted. */
  public long sightedAt() {
    return last.at();
  }

  /** Whether all of it was seen to be usable, and its period is one that needs no pace. */
  private boolean unpaced() {
    boolean deep = depth.deepest() >= PROVEN * limit || resets.confirmed();
    return deep && last.exists() && (!periodKnown || resets.window());
  }

  /**
   * How much a nanosecond it lets go in the long run, as far as is stated. What a window lets go
   * may go at once; and a period that is a guess is no reason to hold back what was seen to be
   * there.
   */
  public double stated() {
    double shortest = periodKnown || resets.longest() == 0 ? rate.span() : resets.longest();
    return unpaced()
        ? ceiling() / Math.min(SECOND, shortest)
        : limit / Math.min(rate.span(), shortest);
  }

  /** The period that resets gave away; 0 if they have not. */
  public double periodLearned() {
    return resets.period() > 0 && !resets.refills() ? resets.period() : 0;
  }

  /** How long all of it takes to come back, by what resets agree on. */
  public double span() {
    return rate.span();
  }

  /** When so much will be there, or a call goes to see. */
  public long reaches(double needed, double each, long now) {
    turn(now);
    double margin =
        resets.refills()
            ? Math.min(doubt.margin(last.exists() ? rate.foreign() : 0, each, now), ceiling() / 3)
            : 0;
    long reached = bucket.reaches(Math.min(needed + margin, Math.max(needed, ceiling())), now);
    long next = Math.max(now, Math.min(reached, (long) Math.ceil(fullBy)));
    return Math.max(doubt.refusedUntil(), next);
  }

  // ---- what it is told ----

  /** So much is stated for a period of that length. */
  public void limited(double stated, double length, boolean known, long now) {
    boolean wasFull = bucket.level(now) >= ceiling();
    limit = stated;
    period = length;
    periodKnown = known;
    resets.stated(known);
    knownSince = Math.min(knownSince, now);
    rate.limited(stated, length);
    bucket.ceiling(capacity(), now);
    if (wasFull) {
      bucket.believe(capacity(), now);
    }
    repace(now);
  }

  /** Its period is another one. */
  public void period(double length, boolean known, long now) {
    if (limit != Double.POSITIVE_INFINITY && Math.abs(length - rate.span()) > 0.01 * length) {
      limited(limit, length, known, now);
    }
    period = length;
    periodKnown = known;
    resets.stated(known);
  }

  /** An earlier run saw it refill so fast; how full it is, nobody knows. */
  public void remember(double perNano, long now) {
    rate.remember(perNano);
    repace(now);
    bucket.believe(ceiling() / 2, now);
  }

  /** It is not there, or no longer. */
  public void forget(long now) {
    last.forget();
    limit = Double.POSITIVE_INFINITY;
    resets = new ResetReading();
    resets.stated(periodKnown);
    bucket.ceiling(limit, now);
    bucket.believe(limit, now);
  }

  public void take(double amount, long now) {
    turn(now);
    if (last.exists()) {
      depth.charged(amount);
    }
    boolean teaches = now >= fullBy && bucket.level(now) < amount;
    bucket.take(amount, now);
    if (!last.exists()) {
      fullBy = now + period;
    } else if (resets.refills() && rate.perNano() > 0) {
      fullBy = Math.max(fullBy, (double) now) + Math.min(period, amount / rate.perNano());
    } else if (teaches) {
      turnedAt = turning ? turnedAt : now;
      turning = true;
      fullBy = now + Math.min(period, SECOND);
    }
  }

  public void giveBack(double amount, long now) {
    turn(now);
    bucket.giveBack(amount, now);
  }

  /** So much more than there is was asked for, and the provider says how long that takes. */
  public void lacked(double amount, long wait, long sentAt, long now) {
    turn(now);
    double earned = resets.refills() ? rate.perNano() : 0;
    double level = wait > 0 ? amount - earned * wait : earned * (now - sentAt);
    bucket.believe(Math.min(bucket.level(now), level), now);
  }

  /**
   * A call was turned away though so much was thought to be there. What went before anything was
   * known was no thought, and gives no reason to doubt.
   */
  public void refused(long amount, long sentAt, long wait, long now) {
    if (wait > 0 ? now + 4.0 * wait < fullBy : sentAt >= depth.emptySince()) {
      resets.comesBack(wait > 0);
      repace(now);
    }
    doubt.refused(sentAt >= knownSince ? amount : 0, rate.perNano(), sentAt, now);
    if (!resets.refills()) {
      bucket.believe(Math.min(0, bucket.level(now)), now);
    }
    if (turning && sentAt >= turnedAt) {
      resets.early((double) sentAt);
      fullBy = Math.max(fullBy, resets.end());
    }
  }

  /** A call of then was let in. */
  public void letIn(long sentAt) {
    doubt.letIn(sentAt);
  }

  /** Whether the charge of an attempt of then is still taken from what was sighted last. */
  public boolean counts(long mark, long sentAt) {
    return asProduced || last.misses(mark, sentAt);
  }

  /** Whether a reply to an attempt of then says less than one that was already used. */
  public boolean outdated(Sighting.Snapshot snapshot, long mark, long sentAt) {
    return (sentAt < turnedAt && resets.window()) || last.outdates(snapshot, mark, sentAt);
  }

  /** A reply showed the level as it was before the last one that was used. */
  public void sightedEarlier(Sighting sighting, long sentAt, long now) {
    boolean before = resets.refills();
    sensible(sighting)
        .ifPresent(
            left -> resets.readEarlier((double) left.toNanos(), (double) sentAt, (double) now));
    if (!before && resets.refills()) {
      bucket.giveBack(rate.perNano() * (now - last.at()), now);
      repace(now);
    }
  }

  /** A reply showed the level. */
  public void sighted(Sighting sighting, OwnCharges.Seen own, long sentAt, long now) {
    turn(now);
    last.use(sighting.snapshot(), own.mark(), sentAt);
    rounding = sighting.rounding();
    long at = sighting.snapshot() == Sighting.Snapshot.ADMISSION ? sentAt : now;
    var reset = sensible(sighting);
    double seen = finer((double) sighting.remaining().orElseThrow(), reset);
    double before = bucket.level(now);
    turning &= seen <= 0;
    doubt.looked(seen > 0, at);
    wholeAtFirst = last.exists() ? wholeAtFirst : seen + own.before();
    depth.saw(seen, now);
    reset(reset, sighting.snapshot(), seen, sentAt, now);
    double level = levelNow(sighting.snapshot(), seen, own, sentAt, before, now);
    if (rounding > 1 && last.exists() && resets.refills() && before <= level + rounding / 2.0) {
      // What was reckoned is within the error, and was seen more than once.
      level = Math.max(level, before);
    }
    if (own.together() > 0 && last.exists()) {
      double most = level + (resets.refills() ? 0 : Math.min(own.together(), (double) own.since()));
      level = Math.max(level - own.together(), Math.min(before, most));
    }
    if (last.exists() && at > last.at() && resets.refills()) {
      // Of output on its way only its expected size is known: that is no sign of somebody else.
      double blur = (asProduced ? own.since() : 0) + Math.max(1, rounding);
      surprise(before - level - blur, (double) (at - last.at()), own.each(), now);
    }
    if (resets.refills()) {
      var past =
          new RefillRate.Past(
              at, sentAt, seen, own.before(), own.together(), rate.told(), own.count());
      rate.measure(past, rounding, bucket.lostAt(now), !periodKnown);
      repace(now);
    }
    bucket.believe(level, now);
    last.sighted(at);
    knownSince = Math.min(knownSince, now);
    lostBefore = bucket.lostAt(now);
  }

  /** Whether much less is there at once than the limit that is stated for a period. */
  private boolean isShallow() {
    return wholeAtFirst < PROVEN * limit && depth.most() < PROVEN * limit;
  }

  /**
   * What is there now, if so much was when the provider looked. Where nobody says when that is, it
   * is reckoned as if it had looked when the call came in for what was charged since, and just now
   * for what came back since. Where little is there at once, and more is in flight than that, that
   * would let nothing go for ever; so there it is the less of the two that can be.
   */
  private double levelNow(
      Sighting.Snapshot looked,
      double seen,
      OwnCharges.Seen own,
      long sentAt,
      double before,
      long now) {
    double least = seen - (rounding > 1 ? rounding / 2.0 : 0);
    boolean unknown = looked == Sighting.Snapshot.UNKNOWN && !isShallow();
    if (!resets.refills() || unknown || looked == Sighting.Snapshot.HEADERS) {
      return Math.min(ceiling(), least) - own.since();
    }
    // What came back meanwhile was lost only if it was full meanwhile; then no more is there.
    double most = bucket.lostAt(now) > sentAt ? before : ceiling();
    double asAdmitted = Math.min(most, least + rate.perNano() * (now - sentAt) - own.since());
    return looked == Sighting.Snapshot.ADMISSION
        ? asAdmitted
        : Math.min(asAdmitted, least - own.recent());
  }

  /** A reset that a period and a debt cannot explain is as if it had not been said. */
  private Optional<Duration> sensible(Sighting sighting) {
    double most = period * (sighting.remaining().orElse(0) > 0 ? 1.25 : 5) + 2 * SECOND;
    return sighting
        .reset()
        .filter(time -> !periodKnown || sighting.guessed() || time.toNanos() <= most);
  }

  /** What remained, as finely as it is told. */
  private double finer(double seen, Optional<Duration> reset) {
    var told = new RoundedLevel(seen, rounding);
    if (limit != Double.POSITIVE_INFINITY && !resets.window() && reset.isPresent()) {
      told = told.byReset((double) reset.get().toNanos(), limit, rate.stated());
    }
    rounding = told.rounding();
    return told.level();
  }

  private void surprise(double shortfall, double time, double each, long now) {
    doubt.surprise(shortfall, time, rate.perNano() > 0 ? each / rate.perNano() : 0);
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
    // Where never more than a part was there, what lacks is no measure of how fast it comes back.
    boolean evenly = resets.shape() == ResetReading.Shape.REFILL;
    rate.reset(seen, left, rounding, evenly && !isShallow());
    double told = now + Math.max(left, resolution);
    boolean on = resets.window() && (seen > 0 || left > 0);
    fullBy = on ? Math.max(resets.end(), (double) now) : told;
    repace(now);
    double full = seen + (rounding > 1 ? rounding : 0) + rate.perNano() * (left + resolution);
    full = Math.max(Math.ceil(full), 0);
    bucket.ceiling(resets.refills() ? Math.min(full, capacity()) : capacity(), now);
  }

  /** Without a reset a call goes after a period; where that is a guess, sooner at first. */
  private void untold(double seen, long sentAt, long now) {
    if (!periodKnown || resets.window()) {
      resets.readUntold(whole(), seen, (double) sentAt);
    }
    boolean reckons = periodKnown && !resets.window() && limit != Double.POSITIVE_INFINITY;
    double patience = Math.max(SECOND / 2, (now - depth.leftAt()) / 4.0);
    double wait = reckons ? period : Math.min(period, patience);
    fullBy = resets.window() && resets.end() > now ? resets.end() : now + wait;
    repace(now);
  }

  private double whole() {
    return limit == Double.POSITIVE_INFINITY ? Math.max(1, depth.most()) : limit;
  }

  private double capacity() {
    return part == 1 ? limit : Math.max(1, limit * part);
  }

  private void repace(long now) {
    bucket.rate(resets.refills() ? rate.perNano() : 0, now);
  }

  /** A window that has ended is full again. */
  private void turn(long now) {
    if (resets.window() && (resets.confirmed() || last.tellsWhen()) && now >= resets.end()) {
      bucket.believe(Math.min(capacity(), whole()), now);
      turnedAt = now;
      turning = true;
      resets.turn((double) now, resets.period() > 0 ? resets.period() : period);
      fullBy = resets.end();
    }
  }
}
