package dev.flyball.scheduler;

import dev.flyball.call.Call;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.limit.Allowance;
import dev.flyball.limit.AttemptCharges;
import dev.flyball.limit.AttemptsInFlight;
import dev.flyball.limit.Breaker;
import dev.flyball.limit.Concurrency;
import dev.flyball.limit.ExpectedOutput;
import dev.flyball.limit.Limit;
import dev.flyball.limit.Pace;
import dev.flyball.limit.Pause;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.RetryBudget;
import dev.flyball.limit.ThrottleAttribution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how fast one lane goes, charged together or not at all. Each limit
 * answers at what moment a call could go; the latest answer counts, and {@link #binding} is who
 * gave it.
 */
final class LaneLimits {
  private static final Duration LONGEST_PACE = Duration.ofHours(1);
  private static final long LONGEST_TRIP = 100_000_000L;

  /** A limit that is asked, and what a call waits for when its answer is the latest. */
  private record Gate(Limit limit, Constraint constraint) {}

  /**
   * What one reply meant for its call.
   *
   * @param failure whether it counts against the call's retries
   * @param cause why a rate limit turned it away, if one did
   * @param dimension which one that was, where it is known
   */
  record Lesson(boolean failure, Event.Cause cause, Optional<Dimension> dimension) {
    private static final Lesson NONE = of(false);
    private static final Lesson FAILURE = of(true);

    private static Lesson of(boolean failure) {
      return new Lesson(failure, Event.Cause.UNSTATED, Optional.empty());
    }
  }

  private final LaneId lane;
  private final LaneProfile profile;
  private final boolean pacing;
  private final EventFeed feed;
  private final Concurrency slots;
  private final Pause pause = new Pause();
  private final Pace pace;
  private final Ramp ramp;
  private final boolean ramping;
  private final Breaker breaker = new Breaker();
  private final RetryBudget retries = new RetryBudget();
  private final List<Allowance> allowances = new ArrayList<>();
  private final SlotsInAll.@Nullable OfLane slotInAll;
  private final @Nullable SharedDepartures shared;

  /** Those whose answer is the same for every call. */
  private final List<Gate> forAnyCall = new ArrayList<>();

  /** Those whose answer depends on the call. */
  private final List<Gate> forThisCall = new ArrayList<>();

  /** All of them: what is charged when an attempt goes. */
  private final List<Limit> all = new ArrayList<>();

  private final AttemptsInFlight inFlight = new AttemptsInFlight();
  private final ExpectedOutput outputs;

  /** The quickest reply so far: what went more lately may not have arrived yet. */
  private long quickest = LONGEST_TRIP;

  private Constraint binding = Constraint.TURN;

  /** The attempt that is asked for; when it goes, it is its permit's. */
  private @Nullable AttemptCharges asking;

  LaneLimits(
      LaneId lane,
      SchedulerSettings settings,
      EventFeed feed,
      ExpectedOutput outputs,
      SlotsInAll.@Nullable OfLane slotInAll,
      @Nullable SharedDepartures shared,
      long now) {
    var memory = settings.memory().of(lane);
    this.lane = lane;
    this.feed = feed;
    this.outputs = outputs;
    this.slotInAll = slotInAll;
    this.shared = shared;
    this.profile = settings.profiles().apply(lane);
    this.pacing = settings.pacing();
    this.pace = new Pace(now);
    this.slots = new Concurrency(settings.mostInFlight());
    profile.inFlight().ifPresent(slots::ceiling);
    this.ramping = settings.ramp().isPresent();
    double share = memory.map(LearnedLimits.OfLane::rampShare).orElse(0.0);
    this.ramp = new Ramp(settings.ramp(), share, now);
    arrange();
    memory.ifPresent(learned -> remember(learned, now));
    profile.terms().stream()
        .filter(terms -> find(terms.dimension()) == null)
        .forEach(terms -> add(new Allowance(terms, allowances.size(), now)));
    restate(now);
  }

  private void arrange() {
    all.addAll(List.of(slots, pause, pace, ramp, breaker, retries));
    if (slotInAll != null) {
      all.add(slotInAll);
    }
    forAnyCall.add(new Gate(slots, Constraint.SLOT));
    if (!pacing) {
      return;
    }
    forAnyCall.add(new Gate(pause, Constraint.PAUSE));
    if (shared == null || !shared.pacesRequests()) {
      forAnyCall.add(new Gate(pace, Constraint.PACE));
    }
    forAnyCall.add(new Gate(ramp, Constraint.RAMP));
    forAnyCall.add(new Gate(breaker, Constraint.BREAKER));
    forThisCall.add(new Gate(retries, Constraint.RETRY_BUDGET));
    if (shared != null) {
      all.add(shared);
      forThisCall.add(new Gate(shared, Constraint.SHARED));
    }
  }

  private void remember(LearnedLimits.OfLane memory, long now) {
    for (var learned : memory.allowances()) {
      if (learned.limit() > 0 && find(learned.dimension()) == null) {
        var terms = profile.termsOf(learned.dimension());
        add(new Allowance(terms, allowances.size(), learned, now));
      }
    }
    if (!memory.allowances().isEmpty() || memory.pace().perSecond() > 0) {
      slots.remember();
    }
    memory.outputs().forEach(outputs::learn);
    pace.remember(memory.pace(), now);
  }

  LearnedLimits.OfLane memory(long now, Instant at) {
    return new LearnedLimits.OfLane(
        allowances.stream().filter(Allowance::known).map(Allowance::learned).toList(),
        pace.felt(),
        outputs.remember(),
        ramping || ramp.share(now) < 1 ? ramp.share(now) : 0,
        at);
  }

  // ---- what they say ----

  /** Who gave the latest answer. */
  Constraint binding() {
    return binding;
  }

  Concurrency slots() {
    return slots;
  }

  Breaker breaker() {
    return breaker;
  }

  double pacePerSecond() {
    return pace.felt().perSecond();
  }

  List<LaneSnapshot.Gauge> gauges(long now) {
    return allowances.stream().map(allowance -> LaneSnapshot.Gauge.of(allowance, now)).toList();
  }

  /** Why a call of this size can never go, if so. */
  Optional<Refusal> excludes(Call call) {
    for (var allowance : allowances) {
      long amount = allowance.amount(call, outputs);
      if (allowance.excludes(amount)) {
        return Optional.of(
            new Refusal.TooLarge(allowance.dimension(), amount, allowance.limit().orElse(0)));
      }
    }
    return Optional.empty();
  }

  /** When any call could go, as far as that does not depend on the call. */
  long anyCall(Waiter<?> first, long now) {
    return latest(forAnyCall, attempt(first), now);
  }

  /** When this call could go, as far as it depends on the call. */
  long thisCall(Waiter<?> waiter, long now) {
    if (shared != null) {
      shared.asksFor(waiter);
    }
    var attempt = attempt(waiter);
    attempt.ask(waiter.call, waiter.retrying, waiter.attempts == 0, allowances, outputs);
    long latest = latest(forThisCall, attempt, now);
    if (slotInAll != null && latest <= now) {
      latest = later(latest, slotInAll.availableAt(attempt, now), Constraint.SLOT);
    }
    return latest;
  }

  private AttemptCharges attempt(Waiter<?> waiter) {
    var attempt = asking == null ? new AttemptCharges(waiter.call) : asking;
    asking = attempt;
    return attempt;
  }

  private long latest(List<Gate> gates, AttemptCharges attempt, long now) {
    binding = Constraint.TURN;
    long latest = now;
    for (int i = 0; i < gates.size(); i++) {
      var gate = gates.get(i);
      latest = later(latest, gate.limit().availableAt(attempt, now), gate.constraint());
    }
    return latest;
  }

  private long later(long latest, long answer, Constraint constraint) {
    if (answer > latest) {
      binding = constraint;
      return answer;
    }
    return latest;
  }

  // ---- what they are told ----

  /** Charges all limits for the call that {@link #thisCall} was asked about, which goes now. */
  <T> Permit<T> charge(Waiter<T> waiter, Budgets.Hold hold, long now) {
    var attempt = attempt(waiter);
    asking = null;
    waiter.attempts++;
    attempt.sent(weight(attempt), now);
    for (int i = 0; i < all.size(); i++) {
      all.get(i).charge(attempt, now);
    }
    inFlight.add(attempt);
    var size = waiter.call.estimate();
    long cost = Math.max(1, size.input() + outputs.of(waiter.call));
    return new Permit<>(waiter, attempt, cost, hold);
  }

  /**
   * An attempt came back: its slot is free, its charges become what they really were, and the reply
   * is believed.
   */
  Lesson settle(AttemptCharges attempt, Reply<?> reply, long now) {
    inFlight.remove(attempt);
    quickest = Math.min(quickest, Math.max(1, now - attempt.sentAt()));
    boolean sent = !(reply instanceof Reply.Broken<?> broken) || broken.sent();
    for (int i = 0; i < all.size(); i++) {
      if (sent) {
        all.get(i).settle(attempt, reply, now);
      } else {
        all.get(i).giveBack(attempt, now);
      }
    }
    if (reply instanceof Reply.Answered<?> answered) {
      outputs.learn(attempt.call().kind(), answered.usage().output());
    }
    if (!attempt.sighted() || reply instanceof Reply.Throttled) {
      learn(attempt, reply.signals(), now);
    }
    return switch (reply) {
      case Reply.Answered<?> answered -> answered(attempt, now);
      case Reply.Rejected<?> rejected -> reached(attempt, now);
      case Reply.Throttled<?> throttled -> throttled(attempt, throttled.signals(), now);
      case Reply.Overloaded<?> overloaded -> failed(attempt, now);
      case Reply.Broken<?> broken -> failed(attempt, now);
      case Reply.CutShort<?> cut -> failed(attempt, now);
    };
  }

  /** An attempt is over without a reply; if it was sent, its charges stay. */
  void abandon(AttemptCharges attempt, boolean sent, long now) {
    inFlight.remove(attempt);
    var unknown = new Reply.Broken<>("abandoned", sent);
    for (var limit : all) {
      if (sent) {
        limit.settle(attempt, unknown, now);
      } else {
        limit.giveBack(attempt, now);
      }
    }
    if (attempt.awaited()) {
      breaker.withdrawn(attempt.sentAt(), now);
    }
  }

  /** Response headers are there, and the answer is on its way. */
  void sighted(AttemptCharges attempt, Signals signals, long now) {
    boolean firstTime = !attempt.sighted();
    if (shared != null) {
      shared.heard(attempt, signals, false, now);
    }
    learn(attempt, signals, now);
    if (firstTime) {
      healthy(attempt, now);
      attempt.sight();
    }
  }

  /** Shows those who share a limit with this lane who waits. */
  void show(WaitingCalls waiting, long now) {
    if (shared != null && pacing) {
      shared.show(waiting.firstFew(), now);
    }
  }

  /** Whether calls must be shown to others before they can go. */
  boolean isShared() {
    return shared != null && pacing;
  }

  /** Nothing of the lane goes before then. */
  void pause(long until) {
    pause.until(until);
  }

  boolean paused(long now) {
    return pause.isOn(now);
  }

  // ---- what replies teach ----

  private void learn(AttemptCharges attempt, Signals signals, long now) {
    for (var sighting : signals.sightings()) {
      if (LaneProfile.isInFlight(sighting.dimension())) {
        sighting.limit().ifPresent(most -> slots.ceiling((int) Math.min(most, Integer.MAX_VALUE)));
        continue;
      }
      var allowance = find(sighting.dimension());
      if (allowance == null) {
        var terms = profile.termsOf(sighting.dimension());
        allowance = add(new Allowance(terms, allowances.size(), now));
        var amounts = allowance;
        inFlight.adopt(allowance, attempt, call -> amounts.amount(call, outputs));
      }
      long since = now - Math.min(LONGEST_TRIP, quickest);
      long recent = inFlight.recent(allowance, attempt, since);
      if (allowance.sighted(sighting, attempt, recent, now) && feed.heard()) {
        feed.add(new Event.LimitLearned(lane, allowance.dimension(), allowance.limit().orElse(0)));
      }
      if (allowance.turnedScarce(now) && feed.heard()) {
        var scarce = Optional.of(allowance.dimension());
        feed.add(new Event.LimitWarning(lane, Event.Warning.NEARLY_USED_UP, scarce));
      }
    }
    if (!signals.sightings().isEmpty()) {
      restate(now);
    }
  }

  /**
   * The pace starts from what is stated: about requests over the shortest period, if at all. What
   * is given for a day is an amount and no pace.
   */
  private void restate(long now) {
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
      pace.stated(base.calls(), base.callsAtOnce(), now);
    }
  }

  private static double rank(Allowance allowance) {
    boolean requests = allowance.terms().charge() == Charge.ONE;
    return requests ? allowance.dimension().period().toNanos() : 1e30 * allowance.calls();
  }

  private @Nullable Allowance find(Dimension dimension) {
    for (var allowance : allowances) {
      if (allowance.dimension().equals(dimension)) {
        return allowance;
      }
    }
    return null;
  }

  private Allowance add(Allowance allowance) {
    boolean leftToOthers = shared != null && shared.paces(allowance.terms());
    if (pacing && !leftToOthers) {
      // Before the retry budget, as the first of equal answers is the reason for waiting.
      int place = (int) forThisCall.stream().filter(g -> g.limit() instanceof Allowance).count();
      forThisCall.add(place, new Gate(allowance, Constraint.of(allowance.dimension())));
    }
    allowances.add(allowance);
    all.add(allowance);
    return allowance;
  }

  private Lesson answered(AttemptCharges attempt, long now) {
    ramp.went(weight(attempt), now);
    allowances.forEach(allowance -> allowance.unseen(now));
    int before = slots.limit(now);
    slots.succeeded(attempt.sentAt(), now);
    if (slots.limit(now) > before) {
      concurrencyChanged(now);
    }
    if (!attempt.sighted()) {
      healthy(attempt, now);
    }
    return Lesson.NONE;
  }

  /** A reply came, if a bad one: the provider is there. */
  private Lesson reached(AttemptCharges attempt, long now) {
    if (attempt.awaited() && !attempt.sighted()) {
      healthy(attempt, now);
    }
    return Lesson.NONE;
  }

  private void healthy(AttemptCharges attempt, long now) {
    if (breaker.succeeded(attempt.awaited(), attempt.sentAt(), now)) {
      slots.restart(now);
      breakerChanged();
    }
  }

  /**
   * A rate limit turned an attempt away. Finds out which, and what must wait: this call and larger
   * ones, or the whole lane.
   */
  private Lesson throttled(AttemptCharges attempt, Signals signals, long now) {
    reached(attempt, now);
    boolean unsighted = allowances.stream().noneMatch(Allowance::known);
    var culprit = ThrottleAttribution.blame(allowances, attempt, signals, now);
    if (culprit.isPresent()) {
      return new Lesson(false, Event.Cause.DIMENSION, culprit.map(Allowance::dimension));
    }
    long wait = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    pause(now + wait);
    if (signals.acceleration()) {
      ramp.tooFast(inFlight.sum(this::weight), now);
    } else {
      long before = attempt.paceMark() + inFlight.sentTogetherWith(attempt);
      pace.empty(before, attempt.sentAt(), wait, now);
    }
    boolean halves = unsighted || profile.inFlight().isPresent();
    if (halves && slots.overloaded(attempt.sentAt(), now)) {
      concurrencyChanged(now);
    }
    var cause = signals.acceleration() ? Event.Cause.ACCELERATION : Event.Cause.UNSTATED;
    return new Lesson(false, cause, Optional.empty());
  }

  /** How long the scarcest allowance takes to earn what an attempt was charged. */
  private double weight(AttemptCharges attempt) {
    double weight = 0;
    for (int i = 0; i < allowances.size(); i++) {
      weight = Math.max(weight, allowances.get(i).weight(attempt));
    }
    return weight;
  }

  /** Overload or a broken connection. It counts unless the breaker has an excuse for it. */
  private Lesson failed(AttemptCharges attempt, long now) {
    if (slots.overloaded(attempt.sentAt(), now)) {
      concurrencyChanged(now);
    }
    boolean awaited = attempt.awaited() && !attempt.sighted();
    boolean probe = breaker.probes(awaited, attempt.sentAt());
    if (breaker.failed(awaited, attempt.sentAt(), now)) {
      breakerChanged();
    }
    return probe || breaker.caught(attempt.sentAt()) ? Lesson.NONE : Lesson.FAILURE;
  }

  private void concurrencyChanged(long now) {
    if (feed.heard()) {
      feed.add(new Event.ConcurrencyChanged(lane, slots.limit(now)));
    }
  }

  private void breakerChanged() {
    if (feed.heard()) {
      feed.add(new Event.BreakerChanged(lane, breaker.state()));
    }
  }
}
