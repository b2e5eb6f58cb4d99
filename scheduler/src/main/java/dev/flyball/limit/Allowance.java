package dev.flyball.limit;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LearnedLimits.Learned;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Usage;
import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * One limit of a lane, as far as replies let us know it. Long because it is one idea: each reply
 * may move the level, the rate, the ceiling and the doubt together.
 *
 * <h2>Sightings</h2>
 *
 * A provider keeps a level that we cannot see; a reply that says how much remains is a sighting of
 * it at one moment. Between sightings the level is reckoned: what was sighted (less half a rounding
 * step), plus refill, less what we charged since. What "since" means depends on when the provider
 * looked: each charge returns a <em>mark</em>, the sum of all own charges up to it, so the charges
 * after an attempt are the difference of two numbers and need no log. A sighting older than one
 * already used is ignored.
 *
 * <h2>The rate</h2>
 *
 * Two sightings some time apart measure what refills <em>for us</em>: (change of level + own
 * charges between) ÷ time. Others who use the same key take part of the refill, so they subtract
 * themselves. The measure is off by at most the rounding ÷ time. The rate starts from what the
 * limit and its period (and the reset, where it says more) imply, stays while it lies inside the
 * error, and otherwise moves to the nearer edge, never further. A bucket that was full in between
 * has lost refill that nobody took, so such a pair may raise the rate but not lower it.
 *
 * <h2>The margin</h2>
 *
 * Where a level turns out lower than reckoned, somebody else was there. How far off it was, over
 * the square root of the time since the last look, becomes a doubt that rises fast and fades
 * slowly; so does being turned away. What is asked for is that much more than what is needed. With
 * nobody else on the key there is no doubt and no margin.
 *
 * <h2>What must hold</h2>
 *
 * No estimate may hold a lane for longer than the reset (a period, where no reset is known): then
 * one call goes and teaches. A lower limit is believed at once, a higher one when two replies
 * agree. Output that is debited as it is produced is charged at its expected size, so that what is
 * in flight counts already; such an allowance needs only a level above zero, as at the provider.
 *
 * <p>A limit whose reset stays at the same moment while the level falls is a fixed window: it is
 * spent, and full again at the reset.
 *
 * <p>Why not trust {@code remaining} alone: it is one round trip old, in which another hundred
 * calls may have gone. Why not trust the stated limit alone: it says nothing about others on the
 * key, nor about how full the bucket was when we came.
 */
public final class Allowance implements Limit {
  private static final double ENOUGH_TIME = 6e9;
  private static final double ENOUGH_TIME_ROUNDED = 60e9;
  private static final int ENOUGH_CHARGES = 30;
  private static final double SCARCE = 0.1;

  /** Twice a charge after a fifth of a second. */
  private static final double REFUSED = 2 / Math.sqrt(0.2e9);

  private record Past(long at, double seen, long own, long charges) {}

  private final AllowanceTerms terms;

  /** The place among its lane's allowances, where attempts keep what it charged them. */
  private final int place;

  private final double period;

  /** The level as it is reckoned between sightings. */
  private final Bucket bucket;

  /** Earlier sightings, as far back as the rate is measured from. */
  private final ArrayDeque<Past> past = new ArrayDeque<>();

  /** What is allowed in a period, as far as it is stated. */
  private double limit = Double.POSITIVE_INFINITY;

  /** What refills for us, in units a nanosecond. */
  private double rate;

  /** The limit that the last reply stated; a higher one is believed the second time. */
  private double claimed;

  /** The step to which the last sighted level was rounded. */
  private long rounding = 1;

  /** Whether a reply has shown the level. */
  private boolean sighted;

  /** Whether the limit is one that an earlier run has learned, and no reply has stated. */
  private boolean assumed;

  /** The moment since which it holds something back. */
  private long knownSince = Long.MAX_VALUE;

  /** The moment of the last level that was sighted. */
  private long sightedAt;

  /** The moment since which the level is less and less sure. */
  private long lookedAt;

  /** The mark of the attempt whose sighting was used last: older ones are ignored. */
  private long sightedMark = Long.MIN_VALUE;

  /** The moment at which a call goes whatever is reckoned, and teaches. */
  private double fullBy;

  /** How far off the level was found, by the square root of the time between looks. */
  private double doubt;

  /** The moment up to which refill may have been lost, before the last sighting. */
  private long lostBefore;

  /** How often the reset stayed at its moment while the level fell. */
  private int steady;

  /** Whether it is a fixed window, full again at {@link #resetAt}. */
  private boolean fixed;

  /** The moment of the reset that was told last. */
  private double resetAt;

  /** The level when that reset was told. */
  private double resetSeen;

  /** The smallest charge that waits until {@link #blockedUntil}. */
  private long blockedFrom = Long.MAX_VALUE;

  /** The moment until which the provider asked such calls to wait. */
  private long blockedUntil = Long.MIN_VALUE;

  /** What was charged in all, corrected; the difference of two marks is what went between. */
  private long used;

  /** What attempts in flight were charged. */
  private long held;

  /** How many charges there were. */
  private long charges;

  /** What a call is charged, of the last few dozen. */
  private double meanCharge;

  /** Whether less than a tenth was left at the last look. */
  private boolean scarce;

  /**
   * One of which nothing is known but its terms.
   *
   * @param place its place among its lane's allowances
   */
  public Allowance(AllowanceTerms terms, int place, long now) {
    this.terms = terms;
    this.place = place;
    this.period = terms.dimension().period().toNanos();
    this.fullBy = now + period;
    this.sightedAt = now;
    this.lookedAt = now;
    this.bucket = new Bucket(0, Double.POSITIVE_INFINITY, now);
    terms.limit().ifPresent(stated -> limited((double) stated, now));
  }

  /** One that an earlier run has learned about: paced by that, until a reply says more. */
  public Allowance(AllowanceTerms terms, int place, Learned learned, long now) {
    this(terms, place, now);
    assumed = terms.limit().isEmpty();
    if (assumed) {
      limited((double) learned.limit(), now);
      double before = learned.perSecond() / 1e9;
      pace(before > 0 ? Math.min(rate, before) : rate, now);
      bucket.believe(bucket.ceiling() / 2, now);
    }
  }

  /** A reply came that does not know it: what an earlier run has learned is no longer so. */
  public void unseen(long now) {
    if (assumed && !sighted) {
      assumed = false;
      limit = Double.POSITIVE_INFINITY;
      bucket.ceiling(limit, now);
    }
  }

  public AllowanceTerms terms() {
    return terms;
  }

  int place() {
    return place;
  }

  /** What a call is charged here before it runs. */
  long amount(Call call, long expectedOutput) {
    return terms.charge().before(call.estimate(), expectedOutput);
  }

  public Dimension dimension() {
    return terms.dimension();
  }

  /** What the provider says it allows in a period. */
  public OptionalLong limit() {
    return limit == Double.POSITIVE_INFINITY ? OptionalLong.empty() : OptionalLong.of((long) limit);
  }

  /** How much is left, as far as is known; may be below zero. */
  public double level(long now) {
    turn(now);
    return bucket.level(now);
  }

  /** How much can be there at most. */
  public double ceiling() {
    return bucket.ceiling();
  }

  public double perSecond() {
    return rate * 1e9;
  }

  /** What attempts in flight were charged. */
  public long held() {
    return held;
  }

  /** Whether a reply has shown its level. */
  public boolean sighted() {
    return sighted;
  }

  /** Whether it holds anything back. */
  public boolean known() {
    return sighted || limit != Double.POSITIVE_INFINITY;
  }

  /** Whether the provider has stated it, to us or to who configured it. */
  public boolean stated() {
    return limit != Double.POSITIVE_INFINITY && (sighted || !assumed);
  }

  public Learned learned() {
    return new Learned(dimension(), limit().orElse(0), perSecond());
  }

  /** Whether an attempt needs more than the provider says it ever allows. */
  public boolean excludes(AttemptCharges attempt) {
    return excludes(attempt.charged[place]);
  }

  boolean excludes(long amount) {
    // What is stated for a second may still let a larger call through: it is a pace and no size.
    boolean size = dimension().period().compareTo(Dimension.MINUTE) >= 0;
    return amount > limit
        && size
        && stated()
        && terms.settle() != AllowanceTerms.Settle.AS_PRODUCED;
  }

  /** How long it takes to earn what an attempt was charged, in nanoseconds. */
  public double weight(AttemptCharges attempt) {
    long amount = attempt.charged[place];
    return rate > 0 && known() ? amount / rate : 0;
  }

  /** True once each time that the level falls below a tenth. */
  public boolean turnedScarce(long now) {
    boolean before = scarce;
    scarce = known() && level(now) < SCARCE * bucket.ceiling();
    return scarce && !before;
  }

  @Override
  public long availableAt(AttemptCharges attempt, long now) {
    return availableAt(attempt.charged[place], now);
  }

  /** At what moment could a call go that needs so much? Never, if that is excluded. */
  long availableAt(long amount, long now) {
    if (!known() || excludes(amount)) {
      return known() ? Long.MAX_VALUE : now;
    }
    turn(now);
    long until = amount >= blockedFrom && blockedUntil > now ? blockedUntil : now;
    double needed =
        terms.settle() == AllowanceTerms.Settle.AS_PRODUCED ? Math.min(1, amount) : amount;
    if (needed == 0) {
      return until;
    }
    double blur = fixed ? 0 : unsure() * Math.sqrt((double) (now - lookedAt));
    double margin = Math.min(blur, bucket.ceiling() / 3);
    double most = Math.max(needed, bucket.ceiling());
    long reached = bucket.reaches(Math.min(needed + margin, most), now);
    if (fixed && reached > now) {
      reached = (long) Math.ceil(resetAt);
    }
    return Math.max(until, Math.max(now, Math.min(reached, (long) fullBy)));
  }

  @Override
  public void charge(AttemptCharges attempt, long now) {
    attempt.marks[place] = charge(attempt.charged[place], now);
  }

  /** Takes so much for an attempt that goes now; returns its mark. */
  long charge(long amount, long now) {
    turn(now);
    bucket.take((double) amount, now);
    taken(amount);
    boolean told = sighted && rate > 0;
    fullBy = told ? Math.max(fullBy, (double) now) + Math.min(period, amount / rate) : now + period;
    return used;
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    long charged = attempt.charged[place];
    if (reply instanceof Reply.Answered<?> answered) {
      settle(charged, terms.charge().after(answered.usage()), now);
      return;
    }
    switch (reply) {
      case Reply.Answered<?> answered -> {}
      case Reply.CutShort<?> cut -> settle(charged, terms.charge().after(cut.usage()), now);
      case Reply.Broken<?> unknown -> settle(charged, charged, now);
      case Reply.Throttled<?> counted when terms.failedCounts() -> settle(charged, charged, now);
      case Reply.Throttled<?> throttled -> giveBack(attempt, now);
      case Reply.Overloaded<?> overloaded -> settle(charged, terms.charge().after(Usage.NONE), now);
      case Reply.Rejected<?> rejected -> settle(charged, terms.charge().after(Usage.NONE), now);
    }
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    giveBack(attempt.charged[place], now);
    attempt.unmark(place);
  }

  /** An attempt that was charged so much has used so much. */
  void settle(long charged, long real, long now) {
    turn(now);
    held -= charged;
    long more = real - charged;
    if (more > 0 || terms.settle() != AllowanceTerms.Settle.NO_REFUND) {
      used += more;
      meanCharge += (double) more / Math.min(charges, ENOUGH_CHARGES);
      bucket.giveBack((double) -more, now);
    }
  }

  /** An attempt was not let in: as if it had never been charged. */
  void giveBack(long charged, long now) {
    turn(now);
    held -= charged;
    used -= charged;
    bucket.giveBack((double) charged, now);
  }

  /** Takes in an attempt that went before this allowance was known; returns its mark. */
  long adopt(long charged) {
    taken(charged);
    return used;
  }

  private void taken(long amount) {
    used += amount;
    held += amount;
    charges++;
    meanCharge += (amount - meanCharge) / Math.min(charges, ENOUGH_CHARGES);
  }

  /**
   * An attempt was turned away for this dimension.
   *
   * @param shown whether the reply showed its level
   * @param wait how long the provider asked to wait; 0 if it did not
   */
  void turnedAway(AttemptCharges attempt, boolean shown, long wait, long now) {
    long amount = attempt.charged[place];
    if (shown) {
      refused(amount, attempt.sentAt(), now);
    } else {
      empty(amount, wait, attempt.sentAt(), now);
    }
    if (wait > 0) {
      boolean any = terms.settle() == AllowanceTerms.Settle.AS_PRODUCED;
      block(any ? 0 : amount, now + wait, now);
    }
  }

  /** What an attempt of so large a charge must wait for, and each larger one too. */
  void block(long amount, long until, long now) {
    blockedFrom = blockedUntil > now ? Math.min(blockedFrom, amount) : amount;
    blockedUntil = Math.max(blockedUntil, until);
  }

  /**
   * Turned away for this dimension, though so much was thought to be there. What went before
   * anything was known was no thought, and gives no reason to doubt.
   */
  void refused(long charged, long sentAt, long now) {
    if (sentAt >= knownSince) {
      doubt = Math.max(1.3 * doubt, REFUSED * charged);
    }
    lookedAt = now;
  }

  /** Turned away for this dimension, without a level: so much was not there. */
  void empty(long charged, long wait, long sentAt, long now) {
    turn(now);
    double level = wait > 0 ? charged - rate * wait : rate * (now - sentAt);
    bucket.believe(Math.min(bucket.level(now), level), now);
  }

  /** The reply to an attempt described this allowance; returns whether the limit is new. */
  public boolean sighted(Sighting sighting, AttemptCharges attempt, long recent, long now) {
    return sighted(sighting, attempt.marks[place], recent, attempt.sentAt(), now);
  }

  /**
   * A reply described this allowance.
   *
   * @param mark that of the attempt, less its charge if it was turned away
   * @param recent what was charged so lately that it was still on its way to the provider
   * @return whether the limit is another than before
   */
  boolean sighted(Sighting sighting, long mark, long recent, long sentAt, long now) {
    turn(now);
    rounding = sighting.rounding();
    boolean news = sighting.limit().isPresent() && heard(sighting.limit().getAsLong(), now);
    if (sighting.remaining().isEmpty()) {
      return news;
    }
    boolean late = sighting.snapshot() == Sighting.Snapshot.HEADERS;
    if (!late && mark < sightedMark) {
      return news;
    }
    sightedMark = Math.max(mark, sightedMark);
    long at = sighting.snapshot() == Sighting.Snapshot.ADMISSION ? sentAt : now;
    long later = late ? recent : used - mark;
    double seen = finer(sighting);
    boolean asProduced = terms.settle() == AllowanceTerms.Settle.AS_PRODUCED;
    double before = bucket.level(now);
    reset(sighting, seen, now);
    double level = seen - (rounding > 1 ? rounding / 2.0 : 0);
    level = Math.min(bucket.ceiling(), level + (fixed ? 0 : rate * (now - at)));
    level -= asProduced ? held : later;
    if (sighted && at > sightedAt) {
      // Of output on its way only its expected size is known: that is no sign of somebody else.
      double own = (asProduced ? held : 0) + (rounding > 1 ? rounding : 0.5);
      surprise(before - level - own, (double) (at - sightedAt));
    }
    measure(new Past(at, seen, used - (asProduced ? held : later), charges), now);
    bucket.believe(level, now);
    sighted = true;
    knownSince = Math.min(knownSince, now);
    sightedAt = Math.max(at, sightedAt);
    lookedAt = Math.max(at, lookedAt);
    lostBefore = bucket.lostAt(now);
    return news;
  }

  /**
   * What remained. Where it is rounded and the time to a full bucket is told more finely, that time
   * says it better, and may say how deep in debt an empty one is. Believed only if both agree.
   */
  private double finer(Sighting sighting) {
    double seen = sighting.remaining().orElseThrow();
    if (rounding == 1 || fixed || limit == Double.POSITIVE_INFINITY || sighting.reset().isEmpty()) {
      return seen;
    }
    double left = sighting.reset().get().toNanos();
    double blur = resolution(left) * limit / period;
    double told = limit - left * limit / period;
    double half = rounding / 2.0;
    boolean debt = seen == 0 && told > -limit;
    boolean agree = told - blur <= seen + half && (told + blur >= seen - half || debt);
    if (4 * blur > rounding || !agree) {
      return seen;
    }
    rounding = (long) Math.ceil(2 * blur);
    return told;
  }

  private static double resolution(double left) {
    return left % 1e9 == 0 ? 1e9 : 1e6;
  }

  /** The level was lower, by so much, than was reckoned after a time. */
  private void surprise(double shortfall, double time) {
    double felt = 6 * Math.max(0, shortfall) / Math.sqrt(Math.max(time, 5e7));
    doubt += (felt > doubt ? 0.1 : 0.02) * (felt - doubt);
    if (shortfall > 1) {
      // It cannot have been full since the last sighting, whatever was reckoned.
      bucket.lostUpTo(lostBefore);
    }
  }

  /** How far off the level may be after a time, by the square root of that time. */
  private double unsure() {
    double foreign = sighted && limit != Double.POSITIVE_INFINITY ? limit / period - rate : 0;
    boolean others = foreign * period > 0.05 * limit;
    return Math.max(doubt, others ? 3 * Math.sqrt(foreign * meanCharge()) : 0);
  }

  /** Of the last few dozen. */
  private double meanCharge() {
    return Math.max(1, meanCharge);
  }

  /** How many calls a nanosecond it lets go, as far as is stated. */
  public double calls() {
    return limit / period / meanCharge();
  }

  /** How many calls it lets go at once. */
  public double callsAtOnce() {
    return bucket.ceiling() / meanCharge();
  }

  private boolean heard(long stated, long now) {
    boolean agreed = stated < limit || claimed == stated;
    claimed = stated;
    if (stated == limit || !agreed) {
      return false;
    }
    limited((double) stated, now);
    return true;
  }

  private void limited(double stated, long now) {
    double scaled = limit == Double.POSITIVE_INFINITY || rate == 0 ? 1 : rate * period / limit;
    boolean wasFull = bucket.level(now) >= bucket.ceiling();
    limit = stated;
    knownSince = Math.min(knownSince, now);
    past.clear();
    bucket.ceiling(statedCeiling(), now);
    if (wasFull) {
      bucket.believe(statedCeiling(), now);
    }
    pace(Math.min(1, scaled) * limit / period, now);
  }

  private double statedCeiling() {
    var window = terms.window();
    return window.isEmpty() ? limit : Math.max(1, limit * window.get().toNanos() / period);
  }

  private void pace(double other, long now) {
    rate = other;
    bucket.rate(fixed ? 0 : rate, now);
  }

  /**
   * What the reset says: how long to hold at most, how full it gets, and whether it is a window.
   */
  private void reset(Sighting sighting, double seen, long now) {
    fullBy = now + period;
    if (sighting.reset().isEmpty()) {
      return;
    }
    double left = sighting.reset().get().toNanos();
    double resolution = resolution(left);
    fullBy = now + Math.max(left, resolution);
    double tolerance = Math.max(2 * resolution, 0.02 * left);
    if (Math.abs(now + left - resetAt) > tolerance) {
      fixed = false;
      steady = 0;
      resetAt = now + left;
      resetSeen = seen;
    } else if (rate > 0
        && resetSeen - seen > 3 * rate * tolerance
        && resetSeen - seen > 2 * rounding) {
      steady++;
      resetSeen = seen;
      fixed |= steady >= 2;
    }
    bucket.rate(fixed ? 0 : rate, now);
    double full = Math.ceil(seen + (rounding > 1 ? rounding : 0) + rate * (left + resolution));
    full = Math.max(full, 0);
    bucket.ceiling(fixed || !(full < statedCeiling()) ? statedCeiling() : full, now);
    if (!fixed && past.isEmpty() && left > 2 * resolution) {
      double taken = limit - seen;
      if (taken >= 0.01 * limit && taken >= 2 * rounding && limit != Double.POSITIVE_INFINITY) {
        pace(Math.min(rate, (taken + rounding) / (left - resolution)), now);
      }
    }
  }

  private void measure(Past latest, long now) {
    while (past.size() > 1 && second().at() <= latest.at() && enough(second(), latest)) {
      past.removeFirst();
    }
    var first = past.peekFirst();
    if (first == null || latest.at() - past.getLast().at() >= ENOUGH_TIME / 12) {
      past.addLast(latest);
    }
    if (first == null || fixed || !enough(first, latest)) {
      return;
    }
    double elapsed = latest.at() - first.at();
    double measured = (latest.seen() - first.seen() + latest.own() - first.own()) / elapsed;
    double error = (rounding + 1) / elapsed;
    double stated = limit / period;
    if (rate < measured - error) {
      boolean beyond = measured - error > 1.1 * stated;
      pace(beyond ? measured - error : Math.min(stated, measured - error), now);
    } else if (rate > measured + error && bucket.lostAt(now) < first.at()) {
      pace(Math.max(measured + error, 1e-3 * stated), now);
    }
  }

  private Past second() {
    var all = past.iterator();
    all.next();
    return all.next();
  }

  private boolean enough(Past from, Past to) {
    double least = rounding > 1 ? ENOUGH_TIME_ROUNDED : ENOUGH_TIME;
    return to.at() - from.at() >= least && to.charges() - from.charges() >= ENOUGH_CHARGES;
  }

  /** A fixed window that has ended is full again. */
  private void turn(long now) {
    if (fixed && now >= resetAt) {
      bucket.believe(statedCeiling(), now);
      resetAt += period * Math.ceil((now - resetAt + 1) / period);
      resetSeen = statedCeiling();
    }
  }
}
