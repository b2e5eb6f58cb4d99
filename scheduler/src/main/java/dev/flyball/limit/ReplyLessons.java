package dev.flyball.limit;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lessons of replies for a lane's limits, beyond what they settle: levels that were sighted,
 * limits that nobody stated, overload, outage. Each reply is believed once.
 */
public final class ReplyLessons {
  private static final Duration LONGEST_PACE = Duration.ofHours(1);
  private static final long LONGEST_TRIP = 100_000_000L;
  private static final long USUAL_TRIP = 25_000_000L;

  /**
   * The meaning of one reply for its call.
   *
   * @param failure whether it counts against the call's retries
   * @param exceeded the dimension for which a rate limit turned it away, where one did
   * @param acceleration whether it was turned away because the traffic grew too fast
   * @param limited whether a limit turned it away, whatever it called itself
   */
  public record Lesson(
      boolean failure, Optional<Dimension> exceeded, boolean acceleration, boolean limited) {
    private static final Lesson NONE = new Lesson(false, Optional.empty(), false, false);
    private static final Lesson FAILURE = new Lesson(true, Optional.empty(), false, false);
    private static final Lesson UNSTATED = new Lesson(false, Optional.empty(), false, true);
    private static final Lesson TOO_FAST = new Lesson(false, Optional.empty(), true, true);
  }

  /** The one who keeps the lane's allowances. Called under the lane's lock. */
  public interface Keeper {
    /** A reply spoke of an allowance that nobody knew of; it is not in the lane's list yet. */
    void found(Allowance allowance);

    /** The period of an allowance turned out to be another. */
    void renamed(Allowance allowance);
  }

  /** The one who is to know what was learned. Called under the lane's lock. */
  public interface Listener {
    void limitLearned(Dimension dimension, long limit);

    void nearlyUsedUp(Dimension dimension);

    void concurrencyChanged(int limit);

    void breakerChanged(BreakerState state);
  }

  private final LaneProfile profile;
  private final Concurrency slots;
  private final Pause pause;
  private final Pace pace;
  private final FeltLimit felt;
  private final Ramp ramp;
  private final Breaker breaker;
  private final List<Allowance> allowances;
  private final AttemptsInFlight inFlight;
  private final ExpectedOutput outputs;
  private final Keeper keeper;
  private final Listener listener;
  private final QuickRefusals quick = new QuickRefusals();

  /** What replies state, in calls a nanosecond; 0 if nothing. */
  private double stated;

  /** The quickest reply so far: what went more lately may not have arrived yet. */
  private long quickest = LONGEST_TRIP;

  /**
   * Of the limits of one lane.
   *
   * @param allowances as they become known
   */
  public ReplyLessons(
      LaneProfile profile,
      Concurrency slots,
      Pause pause,
      Pace pace,
      FeltLimit felt,
      Ramp ramp,
      Breaker breaker,
      List<Allowance> allowances,
      AttemptsInFlight inFlight,
      ExpectedOutput outputs,
      Keeper keeper,
      Listener listener) {
    this.profile = profile;
    this.slots = slots;
    this.pause = pause;
    this.pace = pace;
    this.felt = felt;
    this.ramp = ramp;
    this.breaker = breaker;
    this.allowances = allowances;
    this.inFlight = inFlight;
    this.outputs = outputs;
    this.keeper = keeper;
    this.listener = listener;
  }

  /** An attempt came back, and what it was charged is settled. */
  public Lesson of(AttemptCharges attempt, Reply<?> reply, long now) {
    quickest = Math.min(quickest, Math.max(1, now - attempt.sentAt()));
    if (reply instanceof Reply.Answered<?> answered) {
      outputs.learn(attempt.call().kind(), answered.usage().output());
      outputs.took(answered.usage().output(), now - attempt.sentAt());
    }
    if (!attempt.sighted() || reply instanceof Reply.Throttled) {
      learn(attempt, reply.signals(), now);
    }
    return switch (reply) {
      case Reply.Answered<?> answered -> answered(attempt, now);
      case Reply.Rejected<?> rejected -> reached(attempt, now);
      case Reply.Throttled<?> throttled -> throttled(attempt, throttled.signals(), now);
      case Reply.Overloaded<?> overloaded -> overloaded(attempt, overloaded.signals(), now);
      case Reply.Broken<?> broken -> failed(attempt, now);
      case Reply.CutShort<?> cut -> failed(attempt, now);
    };
  }

  /** Response headers are there, and the answer is on its way. */
  public void ofHeaders(AttemptCharges attempt, Signals signals, long now) {
    boolean firstTime = !attempt.sighted();
    learn(attempt, signals, now);
    if (firstTime) {
      felt.sighted(attempt, now);
      letIn(attempt, now);
      attempt.sight();
    }
  }

  private void learn(AttemptCharges attempt, Signals signals, long now) {
    for (var sighting : signals.sightings()) {
      if (LaneProfile.isInFlight(sighting.dimension())) {
        sighting.limit().ifPresent(most -> slots.ceiling((int) Math.min(most, Integer.MAX_VALUE)));
        continue;
      }
      var allowance = find(sighting);
      if (allowance == null) {
        var terms = profile.termsOf(sighting.dimension());
        allowance = new Allowance(terms, allowances.size(), now);
        keeper.found(allowance);
        allowances.add(allowance);
        var amounts = allowance;
        inFlight.adopt(allowance, attempt, call -> amounts.amount(call, outputs.of(call)));
      }
      boolean written = sighting.snapshot() == Sighting.Snapshot.HEADERS;
      long since = now - Math.min(written ? LONGEST_TRIP : USUAL_TRIP, quickest);
      long uncounted =
          allowance.isProduced()
              ? inFlight.toCome(allowance, now)
              : inFlight.recent(allowance, attempt, since);
      var before = allowance.dimension();
      if (allowance.sighted(sighting, attempt, uncounted, now)) {
        listener.limitLearned(allowance.dimension(), allowance.limit().orElse(0));
      }
      if (!before.equals(allowance.dimension())) {
        keeper.renamed(allowance);
      }
      if (allowance.turnedScarce(now)) {
        listener.nearlyUsedUp(allowance.dimension());
      }
    }
    if (!signals.sightings().isEmpty()) {
      for (var allowance : allowances) {
        if (signals.sightings().stream().noneMatch(allowance::isToldBy)) {
          allowance.unshown(now);
        }
      }
      restate(now);
    }
  }

  /**
   * The pace starts from what is stated: about requests over the shortest period, if at all. What
   * is given for a day is an amount and no pace.
   */
  public void restate(long now) {
    Allowance base = null;
    for (var next : allowances) {
      if (next.stated()) {
        boolean paces = next.dimension().period().compareTo(LONGEST_PACE) <= 0;
        base = paces && (base == null || rank(next) < rank(base)) ? next : base;
        if (next.sighted()) {
          slots.open();
        }
      }
    }
    if (base != null) {
      stated = base.calls();
      pace.stated(stated, base.callsAtOnce(), now);
      felt.stated(stated);
    }
  }

  private static double rank(Allowance allowance) {
    boolean requests = allowance.terms().charge() == Charge.ONE;
    return requests ? allowance.dimension().period().toNanos() : 1e30 * allowance.calls();
  }

  private @Nullable Allowance find(Sighting sighting) {
    for (var allowance : allowances) {
      if (allowance.isToldBy(sighting)) {
        return allowance;
      }
    }
    Allowance likely = null;
    for (var allowance : allowances) {
      boolean same = allowance.dimension().equals(sighting.dimension());
      if (allowance.mayBeToldBy(sighting) && (likely == null || same)) {
        likely = allowance;
      }
    }
    return likely;
  }

  private Lesson answered(AttemptCharges attempt, long now) {
    ramp.went(weight(attempt), now);
    allowances.forEach(allowance -> allowance.unseen(now));
    int before = slots.limit(now);
    slots.succeeded(attempt, now);
    if (!felt.isStated()) {
      slots.widen();
    }
    if (slots.limit(now) > before) {
      listener.concurrencyChanged(slots.limit(now));
    }
    quick.answered(attempt.sentAt(), now);
    if (!attempt.sighted()) {
      letIn(attempt, now);
    }
    return Lesson.NONE;
  }

  private void letIn(AttemptCharges attempt, long now) {
    quick.letIn(attempt.sentAt());
    allowances.forEach(allowance -> allowance.letIn(attempt));
    healthy(attempt, now);
  }

  /** A reply came, if a bad one: the provider is there. */
  private Lesson reached(AttemptCharges attempt, long now) {
    if (attempt.awaited() && !attempt.sighted()) {
      healthy(attempt, now);
    }
    return Lesson.NONE;
  }

  private void healthy(AttemptCharges attempt, long now) {
    var before = breaker.state();
    if (breaker.succeeded(attempt.awaited(), attempt.sentAt(), now)) {
      slots.restart(now);
    }
    if (breaker.state() != before) {
      listener.breakerChanged(breaker.state());
    }
  }

  /**
   * A rate limit turned an attempt away. Finds out which, and what must wait: this call and larger
   * ones, or the whole lane.
   */
  private Lesson throttled(AttemptCharges attempt, Signals signals, long now) {
    reached(attempt, now);
    return limited(attempt, signals, now);
  }

  private Lesson limited(AttemptCharges attempt, Signals signals, long now) {
    var culprit = ThrottleAttribution.blame(allowances, attempt, signals, now);
    if (culprit.isPresent()) {
      felt.explained(attempt, now);
      return new Lesson(false, culprit.map(Allowance::dimension), false, true);
    }
    refusedUnstated(attempt, signals, now);
    if (profile.inFlight().isPresent() && stated == 0) {
      overloaded(attempt, now);
    }
    return signals.acceleration() ? Lesson.TOO_FAST : Lesson.UNSTATED;
  }

  /** A limit that no allowance states turned an attempt away: the whole lane waits. */
  private void refusedUnstated(AttemptCharges attempt, Signals signals, long now) {
    long wait = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    pause.until(now + wait);
    if (signals.acceleration()) {
      ramp.tooFast(inFlight.sum(this::weight), now);
      felt.explained(attempt, now);
    } else {
      felt.refused(attempt, wait, now);
      pace.end();
    }
  }

  /**
   * The provider has too much to do, or a limiter says so. What it asks to wait holds for the whole
   * lane, and a call that was asked to wait has not failed.
   */
  private Lesson overloaded(AttemptCharges attempt, Signals signals, long now) {
    long wait = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    pause.until(now + wait);
    quick.letIn(inFlight.lastSent(QuickRefusals.confirmed(attempt.sentAt(), now)));
    boolean busy = inFlight.lastSent(attempt.sentAt()) != Long.MIN_VALUE;
    return switch (quick.refused(attempt, busy, now)) {
      case LIMITER -> throttled(attempt, signals, now);
      case LIKELY -> {
        if (attempt.awaited()) {
          breaker.withdrawn(attempt.sentAt(), now);
        }
        var lesson = limited(attempt, signals, now);
        felt.unsure();
        yield lesson;
      }
      case FAILURE -> {
        felt.explained(attempt, now);
        felt.standAside();
        quick.failedAfterAll().forEach(likely -> failedAfterAll(likely, busy, now));
        var lesson = failed(attempt, now);
        yield wait > 0 ? Lesson.NONE : lesson;
      }
    };
  }

  /** What was likely a limiter's was a failure. For its call that is past; in a row it counts. */
  private void failedAfterAll(AttemptCharges attempt, boolean busy, long now) {
    if (!busy && breaker.failed(false, attempt.sentAt(), now)) {
      listener.breakerChanged(breaker.state());
    }
  }

  /** Fewer may be in flight, but as many as the rate needs that is known. */
  private void overloaded(AttemptCharges attempt, long now) {
    slots.rate(stated > 0 ? stated : felt.felt().perSecond() / 1e9);
    if (slots.overloaded(attempt.sentAt(), now)) {
      listener.concurrencyChanged(slots.limit(now));
    }
  }

  /** How long the scarcest allowance takes to earn what an attempt was charged. */
  public double weight(AttemptCharges attempt) {
    double weight = 0;
    for (int i = 0; i < allowances.size(); i++) {
      weight = Math.max(weight, allowances.get(i).weight(attempt));
    }
    return weight;
  }

  /** Overload or a broken connection. It counts unless the breaker has an excuse for it. */
  private Lesson failed(AttemptCharges attempt, long now) {
    quick.failed();
    overloaded(attempt, now);
    boolean awaited = attempt.awaited() && !attempt.sighted();
    boolean probe = breaker.probes(awaited, attempt.sentAt());
    if (breaker.failed(awaited, attempt.sentAt(), now)) {
      listener.breakerChanged(breaker.state());
    }
    return probe || breaker.caught(attempt.sentAt()) ? Lesson.NONE : Lesson.FAILURE;
  }
}
