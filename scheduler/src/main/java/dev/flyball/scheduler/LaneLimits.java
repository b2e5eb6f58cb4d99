package dev.flyball.scheduler;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Allowance;
import dev.flyball.limit.Breaker;
import dev.flyball.limit.Concurrency;
import dev.flyball.limit.ExpectedOutput;
import dev.flyball.limit.Pace;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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

  private final LaneId lane;
  private final LaneProfile profile;
  private final boolean pacing;
  private final EventFeed feed;
  private final List<Allowance> allowances = new ArrayList<>();
  private final List<Constraint> constraints = new ArrayList<>();
  final Pace pace;
  final Concurrency slots;
  private final SlotsInAll.@Nullable OfLane inAll;
  final Breaker breaker = new Breaker();
  private final RetryBudget retries = new RetryBudget();
  private final Ramp ramp;
  private final boolean ramping;
  private final ExpectedOutput outputs = new ExpectedOutput();
  private long quickest = LONGEST_TRIP;
  private long pausedUntil = Long.MIN_VALUE;
  private @Nullable Permit<?> first;
  private @Nullable Permit<?> last;
  private Constraint binding = Constraint.TURN;

  LaneLimits(
      LaneId lane,
      SchedulerSettings settings,
      EventFeed feed,
      SlotsInAll.@Nullable OfLane inAll,
      long now) {
    var memory = settings.memory().of(lane);
    this.lane = lane;
    this.feed = feed;
    this.inAll = inAll;
    this.profile = settings.profiles().apply(lane);
    this.pacing = settings.pacing();
    this.pace = new Pace(now);
    this.slots = new Concurrency(settings.mostInFlight());
    profile.inFlight().ifPresent(slots::ceiling);
    this.ramping = settings.ramp().isPresent();
    double share = memory.map(LearnedLimits.OfLane::rampShare).orElse(0.0);
    this.ramp = new Ramp(settings.ramp(), share, now);
    memory.ifPresent(learned -> remember(learned, now));
    profile.terms().stream()
        .filter(terms -> find(terms.dimension()) < 0)
        .forEach(terms -> add(new Allowance(terms, now)));
    restate(now);
  }

  private void remember(LearnedLimits.OfLane memory, long now) {
    for (var learned : memory.allowances()) {
      if (learned.limit() > 0 && find(learned.dimension()) < 0) {
        add(new Allowance(profile.termsOf(learned.dimension()), learned, now));
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

  /** Who gave the latest answer. */
  Constraint binding() {
    return binding;
  }

  List<LaneSnapshot.Gauge> gauges(long now) {
    return allowances.stream().map(allowance -> LaneSnapshot.Gauge.of(allowance, now)).toList();
  }

  /** Why a call of this size can never go, if so. */
  Optional<Refusal> excludes(Call<?> call) {
    for (var allowance : allowances) {
      long amount = amount(allowance, call);
      if (allowance.excludes(amount)) {
        return Optional.of(
            new Refusal.TooLarge(allowance.dimension(), amount, allowance.limit().orElse(0)));
      }
    }
    return Optional.empty();
  }

  /** When any call could go, as far as that does not depend on the call. */
  long anyCall(long now) {
    binding = Constraint.TURN;
    long latest = later(now, slots.availableAt(now), Constraint.SLOT);
    if (pacing) {
      latest = later(latest, pausedUntil, Constraint.PAUSE);
      latest = later(latest, pace.availableAt(now), Constraint.PACE);
      latest = later(latest, ramp.availableAt(now), Constraint.RAMP);
      latest = later(latest, breaker.availableAt(now), Constraint.BREAKER);
    }
    return latest;
  }

  /** When this call could go, as far as it depends on the call. */
  long thisCall(Waiter<?> waiter, long now) {
    binding = Constraint.TURN;
    long latest = now;
    if (pacing) {
      for (int i = 0; i < allowances.size(); i++) {
        long answer = allowances.get(i).availableAt(amount(allowances.get(i), waiter.call), now);
        latest = later(latest, answer, constraints.get(i));
      }
      if (waiter.retrying) {
        latest = later(latest, retries.availableAt(now), Constraint.RETRY_BUDGET);
      }
    }
    if (inAll != null && latest <= now && !inAll.claim()) {
      latest = later(latest, Long.MAX_VALUE, Constraint.SLOT);
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

  private long amount(Allowance allowance, Call<?> call) {
    var charge = allowance.terms().charge();
    long expected = charge == Charge.ONE ? 0 : outputs.of(call.kind(), call.estimate());
    return charge.before(call.estimate(), expected);
  }

  /** Charges all limits for an attempt that goes now. */
  <T> Permit<T> charge(Waiter<T> waiter, Budgets.Hold hold, long now) {
    if (waiter.retrying) {
      retries.retry(now);
    } else if (waiter.attempts == 0) {
      retries.first(now);
    }
    waiter.attempts++;
    var size = waiter.call.estimate();
    long cost = Math.max(1, size.input() + outputs.of(waiter.call.kind(), size));
    var permit = new Permit<>(waiter, now, breaker.admitted(), cost, hold, allowances.size());
    for (int i = 0; i < allowances.size(); i++) {
      var allowance = allowances.get(i);
      permit.charged[i] = amount(allowance, waiter.call);
      permit.marks[i] = allowance.charge(permit.charged[i], now);
    }
    permit.paceMark = pace.charge(now);
    ramp.take(weight(permit), now);
    slots.take(now);
    if (inAll != null) {
      inAll.charge();
    }
    permit.earlier = last;
    first = first == null ? permit : first;
    if (last != null) {
      last.later = permit;
    }
    last = permit;
    return permit;
  }

  /** As if an attempt had never gone, except where the provider counts those it turned away. */
  private void giveBack(Permit<?> permit, boolean turnedAway, long now) {
    for (int i = 0; i < permit.charged.length; i++) {
      var allowance = allowances.get(i);
      long amount = permit.charged[i];
      if (turnedAway && allowance.terms().failedCounts()) {
        allowance.settle(amount, amount, now);
        continue;
      }
      allowance.giveBack(amount, now);
      for (Permit<?> after = permit; after != null; after = after.later) {
        after.marks[i] -= amount;
      }
    }
    pace.giveBack(permit.sentAt, now);
    for (Permit<?> after = permit; after != null; after = after.later) {
      after.paceMark--;
    }
  }

  /** An attempt is over: its slot is free, and its charges become what they really were. */
  void settle(Permit<?> permit, Reply<?> reply, long now) {
    unlink(permit);
    quickest = Math.min(quickest, Math.max(1, now - permit.sentAt));
    switch (reply) {
      case Reply.Answered<?> answered -> {
        use(permit, answered.usage(), now);
        outputs.learn(permit.waiter.call.kind(), answered.usage().output());
      }
      case Reply.CutShort<?> cut -> use(permit, cut.usage(), now);
      case Reply.Broken<?> broken -> drop(permit, broken.sent(), now);
      case Reply.Throttled<?> throttled -> giveBack(permit, true, now);
      case Reply.Overloaded<?> overloaded -> use(permit, Usage.NONE, now);
      case Reply.Rejected<?> rejected -> use(permit, Usage.NONE, now);
    }
    if (!permit.sighted || reply instanceof Reply.Throttled) {
      learn(permit, reply.signals(), now);
    }
    if (reply instanceof Reply.Answered) {
      ramp.went(weight(permit), now);
      allowances.forEach(allowance -> allowance.unseen(now));
    }
  }

  /** An attempt is over without a reply; if it was sent, its charges stay. */
  void abandon(Permit<?> permit, boolean sent, long now) {
    unlink(permit);
    drop(permit, sent, now);
    if (permit.awaited) {
      breaker.withdrawn(permit.sentAt, now);
    }
  }

  private void drop(Permit<?> permit, boolean sent, long now) {
    if (!sent) {
      giveBack(permit, false, now);
      return;
    }
    for (int i = 0; i < permit.charged.length; i++) {
      allowances.get(i).settle(permit.charged[i], permit.charged[i], now);
    }
  }

  private void use(Permit<?> permit, Usage usage, long now) {
    for (int i = 0; i < permit.charged.length; i++) {
      var allowance = allowances.get(i);
      allowance.settle(permit.charged[i], allowance.terms().charge().after(usage), now);
    }
  }

  private void unlink(Permit<?> permit) {
    slots.giveBack();
    if (inAll != null) {
      inAll.giveBack();
    }
    if (permit.earlier == null) {
      first = permit.later;
    } else {
      permit.earlier.later = permit.later;
    }
    if (permit.later == null) {
      last = permit.earlier;
    } else {
      permit.later.earlier = permit.earlier;
    }
  }

  /** Believes what a reply said about limits. */
  void learn(Permit<?> permit, Signals signals, long now) {
    for (var sighting : signals.sightings()) {
      if (LaneProfile.isInFlight(sighting.dimension())) {
        sighting.limit().ifPresent(most -> slots.ceiling((int) Math.min(most, Integer.MAX_VALUE)));
        continue;
      }
      int i = find(sighting.dimension());
      if (i < 0) {
        i = add(new Allowance(profile.termsOf(sighting.dimension()), now));
        adopt(permit, i);
      }
      var allowance = allowances.get(i);
      if (allowance.sighted(sighting, permit.marks[i], recent(i, permit, now), permit.sentAt, now)
          && feed.heard()) {
        feed.add(new Event.LimitLearned(lane, allowance.dimension(), allowance.limit().orElse(0)));
      }
      if (allowance.turnedScarce(now) && feed.heard()) {
        feed.add(
            new Event.LimitWarning(lane, "less than a tenth left of " + allowance.dimension()));
      }
    }
    if (!signals.sightings().isEmpty()) {
      restate(now);
    }
  }

  /** What was charged to others so lately that it may not have reached the provider yet. */
  private long recent(int i, Permit<?> seen, long now) {
    long since = now - Math.min(LONGEST_TRIP, quickest);
    long sum = 0;
    for (var permit = last; permit != null && permit.sentAt > since; permit = permit.earlier) {
      sum += permit == seen ? 0 : permit.charged[i];
    }
    return sum;
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

  /** Attempts in flight, and one that has just come back, went before the allowance was known. */
  private void adopt(Permit<?> seen, int i) {
    boolean over = true;
    for (var permit = first; permit != null; permit = permit.later) {
      if (over && permit.sentAt > seen.sentAt) {
        adopt(seen, i, false);
        over = false;
      }
      over &= permit != seen;
      adopt(permit, i, true);
    }
    if (over) {
      adopt(seen, i, false);
    }
  }

  private void adopt(Permit<?> permit, int i, boolean inFlight) {
    permit.charged = Arrays.copyOf(permit.charged, i + 1);
    permit.marks = Arrays.copyOf(permit.marks, i + 1);
    permit.charged[i] = amount(allowances.get(i), permit.waiter.call);
    permit.marks[i] = allowances.get(i).adopt(inFlight ? permit.charged[i] : 0);
  }

  private int find(Dimension dimension) {
    for (int i = 0; i < allowances.size(); i++) {
      if (allowances.get(i).dimension().equals(dimension)) {
        return i;
      }
    }
    return -1;
  }

  private int add(Allowance allowance) {
    allowances.add(allowance);
    constraints.add(Constraint.of(allowance.dimension()));
    return allowances.size() - 1;
  }

  /**
   * A rate limit turned a settled attempt away. Finds out which, and what must wait: this call and
   * larger ones, or the whole lane.
   *
   * @return the dimension, or what else is known of the reason
   */
  String throttled(Permit<?> permit, Signals signals, long now) {
    long wait = signals.retryAfter().orElse(Duration.ZERO).toNanos();
    boolean unsighted = allowances.stream().noneMatch(Allowance::known);
    int culprit = signals.acceleration() ? -1 : culprit(permit, signals);
    if (culprit >= 0) {
      var allowance = allowances.get(culprit);
      long amount = permit.charged[culprit];
      if (signals.sightings().stream().anyMatch(seen -> shows(seen, allowance))) {
        allowance.refused(amount, permit.sentAt, now);
      } else {
        allowance.empty(amount, wait, permit.sentAt, now);
      }
      if (wait > 0) {
        allowance.block(asProduced(allowance) ? 0 : amount, now + wait, now);
      }
      return allowance.dimension().toString();
    }
    pause(now + wait);
    if (signals.acceleration()) {
      double inFlight = 0;
      for (var next = first; next != null; next = next.later) {
        inFlight += weight(next);
      }
      ramp.tooFast(inFlight, now);
    } else {
      long together = 0;
      for (var next = permit.later; next != null; next = next.later) {
        together += next.sentAt - permit.sentAt <= Pace.TOGETHER ? 1 : 0;
      }
      pace.empty(permit.paceMark + together, permit.sentAt, wait, now);
    }
    boolean halves = unsighted || profile.inFlight().isPresent();
    if (halves && slots.overloaded(permit.sentAt, now)) {
      concurrencyChanged(now);
    }
    return signals.acceleration() ? "acceleration" : "unstated";
  }

  /** How long the scarcest allowance takes to earn what an attempt was charged. */
  private double weight(Permit<?> permit) {
    double weight = 0;
    for (int i = 0; i < permit.charged.length; i++) {
      weight = Math.max(weight, allowances.get(i).weight(permit.charged[i]));
    }
    return weight;
  }

  private static boolean shows(Sighting seen, Allowance allowance) {
    return seen.dimension().equals(allowance.dimension()) && seen.remaining().isPresent();
  }

  private static boolean asProduced(Allowance allowance) {
    return allowance.terms().settle() == AllowanceTerms.Settle.AS_PRODUCED;
  }

  /** The allowance that was named, else one that was seen to have too little left. */
  private int culprit(Permit<?> permit, Signals signals) {
    int named = signals.exceeded().map(this::find).orElse(-1);
    if (signals.exceeded().isPresent()) {
      return named >= 0 && allowances.get(named).known() && !denied(named, permit, signals)
          ? named
          : -1;
    }
    for (var seen : signals.sightings()) {
      int i = find(seen.dimension());
      if (i >= 0
          && shows(seen, allowances.get(i))
          && seen.remaining().getAsLong() < needed(i, permit)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether the reply itself shows that there was enough: then it means a limit it does not state.
   */
  private boolean denied(int i, Permit<?> permit, Signals signals) {
    return signals.sightings().stream()
        .filter(seen -> shows(seen, allowances.get(i)))
        .anyMatch(seen -> seen.remaining().getAsLong() - seen.rounding() / 2 >= needed(i, permit));
  }

  private long needed(int i, Permit<?> permit) {
    return asProduced(allowances.get(i)) ? 1 : permit.charged[i];
  }

  /** Nothing of the lane goes before then. */
  void pause(long until) {
    pausedUntil = Math.max(pausedUntil, until);
  }

  boolean paused(long now) {
    return pausedUntil > now;
  }

  /** A reply came, good or bad: the provider is there. */
  void succeeded(Permit<?> permit, boolean answered, long now) {
    if (answered) {
      int before = slots.limit(now);
      slots.succeeded(permit.sentAt, now);
      if (slots.limit(now) > before) {
        concurrencyChanged(now);
      }
    }
    if ((answered || permit.awaited) && !permit.sighted) {
      healthy(permit, now);
    }
  }

  private void healthy(Permit<?> permit, long now) {
    if (breaker.succeeded(permit.awaited, permit.sentAt, now)) {
      slots.restart(now);
      breakerChanged();
    }
  }

  /** Response headers are there, and the answer is on its way. */
  void sighted(Permit<?> permit, Signals signals, long now) {
    boolean firstTime = !permit.sighted;
    learn(permit, signals, now);
    if (firstTime) {
      healthy(permit, now);
      permit.sighted = true;
    }
  }

  /** Overload or a broken connection. Returns whether it counts against the call's retries. */
  boolean failed(Permit<?> permit, long now) {
    if (slots.overloaded(permit.sentAt, now)) {
      concurrencyChanged(now);
    }
    boolean awaited = permit.awaited && !permit.sighted;
    boolean probe = breaker.probes(awaited, permit.sentAt);
    if (breaker.failed(awaited, permit.sentAt, now)) {
      breakerChanged();
    }
    return !probe && !breaker.caught(permit.sentAt);
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
