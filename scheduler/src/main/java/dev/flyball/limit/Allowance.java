package dev.flyball.limit;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LearnedLimits.Learned;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Usage;
import dev.flyball.limit.level.OwnCharges;
import dev.flyball.limit.level.ReckonedLevel;
import dev.flyball.limit.level.SizedPause;
import dev.flyball.limit.level.StatedLimit;
import java.util.OptionalLong;

/**
 * One limit of a lane, as far as replies let us know it.
 *
 * <h2>Sightings</h2>
 *
 * A provider keeps a level that we cannot see; a reply that says how much remains is a sighting of
 * it. Between sightings the level is reckoned: what was sighted, plus what came back, less what we
 * charged since ({@link ReckonedLevel}, {@link OwnCharges}). Which limit a reply speaks of, and
 * over which period, is for its {@link AllowanceIdentity}.
 *
 * <h2>What must hold</h2>
 *
 * What is stated is believed as a {@link StatedLimit} is. No estimate holds a lane for longer than
 * its reset, or a period: then one call goes and teaches. A limit that replies no longer show,
 * though they show others, is no longer there. Output that is debited as it is produced is charged
 * at its expected size, so that what is in flight counts already; such an allowance needs only a
 * level above zero, as at the provider.
 *
 * <p>Why not trust {@code remaining} alone: it is one round trip old, in which another hundred
 * calls may have gone. Why not trust the stated limit alone: it says nothing about others on the
 * key, nor about how full the bucket was when we came.
 */
public final class Allowance implements Limit {
  private static final double SCARCE = 0.1;
  private static final int GONE = 16;

  private final AllowanceTerms terms;

  /** The place among its lane's allowances, where attempts keep what it charged them. */
  private final int place;

  private final ReckonedLevel level;
  private final AllowanceIdentity identity;
  private final StatedLimit limit = new StatedLimit();

  /** Whether the limit is one that an earlier run has learned, and no reply has stated. */
  private boolean assumed;

  /** How many replies in a row showed others and not this one. */
  private int unshown;

  private final SizedPause pause = new SizedPause();
  private final OwnCharges own = new OwnCharges();

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
    this.identity = new AllowanceIdentity(terms);
    double period = terms.dimension().period().toNanos();
    double part = terms.window().map(window -> window.toNanos() / period).orElse(1.0);
    this.level = new ReckonedLevel(period, part, isProduced(), now);
    terms.limit().ifPresent(stated -> limit.set((double) stated));
    limited(now);
  }

  /** One that an earlier run has learned about: paced by that, until a reply says more. */
  public Allowance(AllowanceTerms terms, int place, Learned learned, long now) {
    this(terms, place, now);
    assumed = terms.limit().isEmpty();
    if (assumed) {
      identity.remembered();
      limit.set((double) learned.limit());
      limited(now);
      level.remember(learned.perSecond() / 1e9, now);
    }
  }

  /** Whether it is debited while output is produced. */
  boolean isProduced() {
    return terms.settle() == AllowanceTerms.Settle.AS_PRODUCED;
  }

  // ---- who it is ----

  public AllowanceTerms terms() {
    return terms;
  }

  int place() {
    return place;
  }

  public Dimension dimension() {
    return identity.dimension();
  }

  boolean isToldBy(Sighting sighting) {
    return identity.isToldBy(sighting);
  }

  /** Whether it can be the one that a reply speaks of, if no other is. */
  boolean mayBeToldBy(Sighting sighting) {
    return identity.mayBeToldBy(sighting, limit());
  }

  /** Whether it can be the one that a refusal names, if no other is. */
  boolean mayBeNamed(Dimension named) {
    return identity.mayBeNamed(named);
  }

  /** A reply showed others and not this one: if that goes on, it is no longer there. */
  void unshown(long now) {
    if (known() && terms.limit().isEmpty() && ++unshown >= GONE) {
      forget(now);
    }
  }

  /** A reply came that does not know it: what an earlier run has learned is no longer so. */
  public void unseen(long now) {
    if (assumed && !sighted()) {
      forget(now);
    }
  }

  private void forget(long now) {
    assumed = false;
    limit.forget();
    level.forget(now);
  }

  // ---- what it says ----

  /** What a call is charged here before it runs. */
  public long amount(Call call, long expectedOutput) {
    return terms.charge().before(call.estimate(), expectedOutput);
  }

  /** What the provider says it allows in a period. */
  public OptionalLong limit() {
    return limit.isKnown() ? OptionalLong.of((long) limit.value()) : OptionalLong.empty();
  }

  /** How much is left, as far as is known; may be below zero. */
  public double level(long now) {
    return level.level(now);
  }

  /** How much can be there at most. */
  public double ceiling() {
    return level.ceiling();
  }

  public double perSecond() {
    return level.perNano() * 1e9;
  }

  /** Whether that is more than a guess. */
  public boolean isProved() {
    return level.isProved();
  }

  /** What attempts in flight were charged. */
  public long held() {
    return own.held();
  }

  public boolean sighted() {
    return level.sighted();
  }

  /** Whether it holds anything back. */
  public boolean known() {
    return sighted() || limit.isKnown();
  }

  /** Whether the provider has stated it, to us or to who configured it. */
  public boolean stated() {
    return limit.isKnown() && (sighted() || !assumed);
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
    return amount > limit.value() && size && stated() && !isProduced();
  }

  /** How long it takes to earn what an attempt was charged, in nanoseconds. */
  public double weight(AttemptCharges attempt) {
    return level.perNano() > 0 && known() ? attempt.charged[place] / level.perNano() : 0;
  }

  /** How many calls a nanosecond it lets go, as far as is stated. */
  public double calls() {
    return level.stated() / own.mean();
  }

  /** How many calls it lets go at once. */
  public double callsAtOnce() {
    return ceiling() / own.mean();
  }

  /** True once each time that the level falls below a tenth. */
  public boolean turnedScarce(long now) {
    boolean before = scarce;
    scarce = known() && level(now) < SCARCE * ceiling();
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
    long until = pause.availableAt(amount, now);
    double needed = isProduced() ? Math.min(1, amount) : amount;
    return needed == 0 ? until : Math.max(until, level.reaches(needed, own.mean(), now));
  }

  // ---- what is charged ----

  @Override
  public void charge(AttemptCharges attempt, long now) {
    attempt.marks[place] = charge(attempt.charged[place], now);
  }

  /** Takes so much for an attempt that goes now; returns its mark. */
  long charge(long amount, long now) {
    level.take((double) amount, now);
    return adopt(amount);
  }

  /** Takes in an attempt that went before this allowance was known; returns its mark. */
  long adopt(long amount) {
    return own.add(amount);
  }

  @Override
  public void settle(AttemptCharges attempt, Reply<?> reply, long now) {
    long charged = attempt.charged[place];
    switch (reply) {
      case Reply.Answered<?> done -> settle(attempt, terms.charge().after(done.usage()), now);
      case Reply.CutShort<?> cut -> settle(attempt, terms.charge().after(cut.usage()), now);
      case Reply.Broken<?> unknown -> settle(attempt, charged, now);
      case Reply.Throttled<?> counted when terms.failedCounts() -> settle(attempt, charged, now);
      case Reply.Throttled<?> throttled -> giveBack(attempt, now);
      case Reply.Overloaded<?> overloaded -> settle(attempt, terms.charge().after(Usage.NONE), now);
      case Reply.Rejected<?> rejected -> settle(attempt, terms.charge().after(Usage.NONE), now);
    }
  }

  private void settle(AttemptCharges attempt, long real, long now) {
    long charged = attempt.charged[place];
    long seenAt = level.sightedAt();
    boolean seen = isProduced() && sighted() && attempt.sentAt() < seenAt;
    // What was produced before the level was seen is gone from it already.
    double part = seen ? (now - seenAt) / (double) (now - attempt.sentAt()) : 1;
    long counted = seen ? attempt.toCome(place, seenAt) : charged;
    settle(charged, real, counted - real * part, now);
  }

  /** An attempt that was charged so much has used so much. */
  void settle(long charged, long real, long now) {
    settle(charged, real, (double) (charged - real), now);
  }

  private void settle(long charged, long real, double back, long now) {
    own.release(charged);
    if (real > charged || terms.settle() != AllowanceTerms.Settle.NO_REFUND) {
      own.correct(real - charged);
      level.giveBack(back, now);
    }
  }

  @Override
  public void giveBack(AttemptCharges attempt, long now) {
    if (level.counts(attempt.marks[place], attempt.sentAt())) {
      giveBack(attempt.charged[place], now);
    } else {
      own.undo(attempt.charged[place]);
    }
    attempt.unmark(place);
  }

  /** An attempt was not let in: as if it had never been charged. */
  void giveBack(long charged, long now) {
    own.undo(charged);
    level.giveBack((double) charged, now);
  }

  // ---- what replies say ----

  /**
   * An attempt was turned away for this dimension; whether the reply showed its level.
   *
   * @param wait how long the provider asked to wait; 0 if it did not
   */
  void turnedAway(AttemptCharges attempt, boolean shown, long wait, long now) {
    long amount = attempt.charged[place];
    if (shown) {
      level.refused(amount, attempt.sentAt(), wait, now);
    } else {
      empty(amount, wait, attempt.sentAt(), now);
    }
    if (wait > 0) {
      pause.ask(isProduced() ? 0 : amount, now + wait, now);
    }
  }

  /** An attempt was let in. */
  void letIn(AttemptCharges attempt) {
    level.letIn(attempt.sentAt());
  }

  /** Turned away for this dimension, without a level: so much was not there. */
  void empty(long charged, long wait, long sentAt, long now) {
    level.lacked((double) charged, wait, sentAt, now);
  }

  /** The reply to an attempt described this allowance; returns whether that is news. */
  public boolean sighted(Sighting sighting, AttemptCharges attempt, long uncounted, long now) {
    double together = attempt.together() * own.mean();
    return sighted(sighting, attempt.marks[place], uncounted, together, attempt.sentAt(), now);
  }

  boolean sighted(Sighting sighting, long mark, long uncounted, long sentAt, long now) {
    return sighted(sighting, mark, uncounted, 0, sentAt, now);
  }

  /**
   * A reply described this allowance.
   *
   * @param mark that of the attempt, less its charge if it was turned away
   * @param uncounted what headers do not show yet: charges of just now, or output still to come
   * @param together what was charged to others so close to it that they may have arrived first
   * @return whether the limit or its period is another than before
   */
  private boolean sighted(
      Sighting sighting, long mark, long uncounted, double together, long sentAt, long now) {
    unshown = 0;
    var before = dimension();
    if (identity.identify(sighting, known())) {
      repaced(now);
    }
    var told = sighting.limit();
    boolean news = told.isPresent() && limit.heard((double) told.getAsLong());
    if (news) {
      limited(now);
    }
    boolean shown = sighting.remaining().isPresent();
    if (shown && level.outdated(sighting.snapshot(), mark, sentAt)) {
      level.sightedEarlier(sighting, sentAt, now);
    } else if (shown) {
      boolean late = sighting.snapshot() == Sighting.Snapshot.HEADERS;
      long since = isProduced() || late ? uncounted : own.since(mark);
      level.sighted(sighting, own.seen(mark, since, late ? 0 : together, uncounted), sentAt, now);
      if (identity.learned(level.periodLearned(), level.span())) {
        repaced(now);
      }
    }
    return news || !before.equals(dimension());
  }

  private void repaced(long now) {
    level.period((double) dimension().period().toNanos(), identity.isPeriodKnown(), now);
  }

  private void limited(long now) {
    if (limit.isKnown()) {
      double period = dimension().period().toNanos();
      level.limited(limit.value(), period, identity.isPeriodKnown(), now);
    }
  }
}
