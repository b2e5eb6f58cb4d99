package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Allowance;
import dev.flyball.limit.AttemptCharges;
import dev.flyball.limit.AttemptsInFlight;
import dev.flyball.limit.Breaker;
import dev.flyball.limit.Concurrency;
import dev.flyball.limit.ExpectedOutput;
import dev.flyball.limit.FeltLimit;
import dev.flyball.limit.Limit;
import dev.flyball.limit.Pace;
import dev.flyball.limit.Pause;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.ReplyLessons;
import dev.flyball.limit.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how fast one lane goes, charged together or not at all. Each limit
 * answers at what moment a call could go; the latest answer counts, and {@link #binding} is who
 * gave it. What replies teach them is in {@link ReplyLessons}.
 *
 * <p>Those that every lane has are called by their names and not in a list: so they are inlined,
 * which is a tenth of what an admission costs.
 *
 * <p>Long because each limit is named wherever all of them are asked, charged, settled or undone.
 */
final class LaneLimits implements ReplyLessons.Keeper {
  private final LaneProfile profile;
  private final boolean pacing;
  private final Concurrency slots;
  private final Pause pause = new Pause();
  private final Pace pace;
  private final FeltLimit felt;
  private final Ramp ramp;
  private final boolean ramping;
  private final Breaker breaker;
  private final RetryBudget retries;
  private final List<Allowance> allowances = new ArrayList<>();
  private final SlotsInAll.@Nullable OfLane slotInAll;
  private final @Nullable SharedDepartures shared;

  /** The allowances that are asked, and in the same order what a call waits for then. */
  private final List<Allowance> asked = new ArrayList<>();

  private final List<Constraint> constraints = new ArrayList<>();

  /** Those that reach beyond the lane: usually none. */
  private final List<Limit> beyond = new ArrayList<>(2);

  /** In the same order, whether a shared limit is asked instead, while it holds. */
  private final List<Boolean> leftToOthers = new ArrayList<>();

  private final int mostInFlight;

  private final AttemptsInFlight inFlight = new AttemptsInFlight();
  private final ExpectedOutput outputs;
  private final ReplyLessons lessons;

  private Constraint binding = Constraint.TURN;

  /** Whether somebody has stopped the lane. */
  private boolean stopped;

  /** The attempt that is asked for; when it goes, it is its permit's. */
  private @Nullable AttemptCharges asking;

  /** Who asks for it, as long as nothing was learned since. */
  private @Nullable Waiter<?> asker;

  LaneLimits(
      LaneId lane,
      Lanes.Settings settings,
      EventFeed feed,
      ExpectedOutput outputs,
      SlotsInAll.@Nullable OfLane slotInAll,
      @Nullable SharedDepartures shared,
      long now) {
    var memory = settings.memory().of(lane);
    this.outputs = outputs;
    this.slotInAll = slotInAll;
    this.shared = shared;
    this.profile = settings.profiles().apply(lane);
    this.breaker = new Breaker(settings.breaker());
    this.pacing = settings.pacing();
    this.pace = new Pace(now);
    this.felt = new FeltLimit(now, settings.time().wall());
    this.slots = new Concurrency(settings.mostInFlight());
    this.retries = new RetryBudget(slots);
    profile.inFlight().ifPresent(slots::ceiling);
    this.ramping = settings.ramp().isPresent();
    double share = memory.map(LearnedLimits.OfLane::rampShare).orElse(0.0);
    this.ramp = new Ramp(settings.ramp(), share, now);
    this.lessons =
        new ReplyLessons(
            profile,
            slots,
            pause,
            pace,
            felt,
            ramp,
            breaker,
            allowances,
            inFlight,
            outputs,
            this,
            new EventFeed.LimitEvents(lane, feed));
    this.mostInFlight = settings.mostInFlight();
    if (slotInAll != null) {
      beyond.add(slotInAll);
    }
    if (shared != null && pacing) {
      beyond.add(shared);
    }
    memory.ifPresent(learned -> remember(learned, now));
    profile.terms().stream()
        .filter(terms -> find(terms.dimension()) == null)
        .forEach(terms -> know(new Allowance(terms, allowances.size(), now)));
    lessons.restate(now);
  }

  private void remember(LearnedLimits.OfLane memory, long now) {
    for (var learned : memory.allowances()) {
      if (learned.limit() > 0 && find(learned.dimension()) == null) {
        var terms = profile.termsOf(learned.dimension());
        know(new Allowance(terms, allowances.size(), learned, now));
      }
    }
    memory.outputs().forEach(outputs::learn);
    felt.remember(memory.pace());
  }

  LearnedLimits.OfLane memory(long now, Instant at) {
    var together = shared == null ? Optional.<LearnedLimits.OfLane>empty() : shared.learned();
    if (together.isPresent()) {
      return together.get().at(at);
    }
    return new LearnedLimits.OfLane(
        allowances.stream().filter(Allowance::known).map(Allowance::learned).toList(),
        felt.felt(),
        outputs.remember(),
        ramping || ramp.share(now) < 1 ? ramp.share(now) : 0,
        at);
  }

  // ---- what they say ----

  /** Who gave the latest answer. */
  Constraint binding() {
    return binding;
  }

  LaneProfile profile() {
    return profile;
  }

  Concurrency slots() {
    return slots;
  }

  Breaker breaker() {
    return breaker;
  }

  double pacePerSecond() {
    return felt.felt().perSecond();
  }

  List<LaneSnapshot.Gauge> gauges(long now) {
    return allowances.stream().map(allowance -> LaneSnapshot.Gauge.of(allowance, now)).toList();
  }

  /**
   * About when a call could go that has so many before it, by what all of them need.
   *
   * @param few the first of those before it; the others are taken to be like them
   * @param latency of an attempt, in nanoseconds; 0 if that is not known
   */
  Waiter.Place place(Call call, int ahead, List<Waiter<?>> few, long latency, long now) {
    var place = Waiter.Place.after(ahead);
    int free = Math.max(0, slots.limit(now) - slots.inFlight());
    if (ahead + 1 > free && slots.limit(now) > 0) {
      long rounds = (ahead + 1 - free) * latency / slots.limit(now);
      place = place.notBefore(Duration.ofNanos(rounds), Constraint.SLOT, slots.isFound());
    }
    if (!pacing) {
      return place;
    }
    if (pause.isOn(now)) {
      place = place.notBefore(Duration.ofNanos(pause.until() - now), Constraint.PAUSE);
    }
    if (breaker.state() == BreakerState.OPEN) {
      long rest = Math.max(0, breaker.until() - now);
      place = place.notBefore(Duration.ofNanos(rest), Constraint.BREAKER);
    }
    double pace = felt.felt().perSecond();
    boolean pacedByOthers = isShared() && shared != null && shared.pacesRequests();
    if (!pacedByOthers && pace > 0) {
      double wait = Math.max(0, ahead + 1 - Math.max(1, felt.felt().burst())) / pace;
      place = place.notBefore(Waiter.Place.seconds(wait), Constraint.PACE);
    }
    for (int i = 0; i < asked.size(); i++) {
      var allowance = asked.get(i);
      long sum = 0;
      for (var waiter : few) {
        sum += allowance.amount(waiter.call, outputs.of(waiter.call));
      }
      long own = allowance.amount(call, outputs.of(call));
      double before = few.isEmpty() ? own * (double) ahead : sum * (double) ahead / few.size();
      double lacks = before + own - allowance.level(now);
      if (allowance.known() && lacks > 0 && allowance.perSecond() > 0) {
        var wait = Waiter.Place.seconds(lacks / allowance.perSecond());
        place = place.notBefore(wait, constraints.get(i), allowance.isProved());
      }
    }
    return place;
  }

  /** Why a call of this size can never go, if so. */
  Optional<Refusal> excludes(Waiter<?> waiter) {
    var attempt = attempt(waiter);
    for (int i = 0; i < allowances.size(); i++) {
      var allowance = allowances.get(i);
      if (allowance.excludes(attempt)) {
        long needed = attempt.charged(allowance);
        long limit = allowance.limit().orElse(0);
        return Optional.of(new Refusal.TooLarge(allowance.dimension(), needed, limit));
      }
    }
    return Optional.empty();
  }

  /** When any call could go, as far as that does not depend on the call. */
  long anyCall(Waiter<?> first, long now) {
    binding = Constraint.TURN;
    if (stopped) {
      return later(now, Long.MAX_VALUE, Constraint.STOPPED);
    }
    var attempt = attempt(first);
    boolean others = isShared();
    boolean full = slots.inFlight() >= mostInFlight;
    long slot =
        others && shared != null && shared.countsSlots()
            ? full ? Long.MAX_VALUE : now
            : slots.availableAt(attempt, now);
    long latest = later(now, slot, Constraint.SLOT);
    if (pacing) {
      latest = later(latest, pause.availableAt(attempt, now), Constraint.PAUSE);
      if (!others || shared == null || !shared.pacesRequests()) {
        latest = later(latest, pace.availableAt(attempt, now), Constraint.PACE);
        latest = later(latest, felt.availableAt(attempt, now), Constraint.PACE);
      }
      latest = later(latest, ramp.availableAt(attempt, now), Constraint.RAMP);
      latest = later(latest, breaker.availableAt(attempt, now), Constraint.BREAKER);
    }
    return latest;
  }

  /** When this call could go, as far as it depends on the call. */
  long thisCall(Waiter<?> waiter, long now) {
    if (shared != null) {
      shared.asksFor(waiter);
    }
    var attempt = attempt(waiter);
    binding = Constraint.TURN;
    long latest = now;
    boolean others = isShared();
    for (int i = 0; i < asked.size(); i++) {
      if (!others || !leftToOthers.get(i)) {
        latest = later(latest, asked.get(i).availableAt(attempt, now), constraints.get(i));
      }
    }
    if (pacing) {
      latest = later(latest, retries.availableAt(attempt, now), Constraint.RETRY_BUDGET);
      if (others && shared != null) {
        latest = later(latest, shared.availableAt(attempt, now), shared.waitsFor());
      }
    }
    if (slotInAll != null && latest <= now) {
      latest = later(latest, slotInAll.availableAt(attempt, now), Constraint.SLOT);
    }
    return latest;
  }

  /** The attempt that a waiter asks for, with what it needs. */
  private AttemptCharges attempt(Waiter<?> waiter) {
    var attempt = asking == null ? new AttemptCharges(waiter.call) : asking;
    if (waiter != asker) {
      long output = outputs.of(waiter.call);
      attempt.ask(waiter.call, waiter.retrying, waiter.attempts == 0, allowances, output);
      attempt.produces(outputs.speed());
      asking = attempt;
      asker = waiter;
    }
    return attempt;
  }

  void stop(boolean is) {
    stopped = is;
  }

  /** A waiter may ask for another attempt than when it was asked about last. */
  void askAnew() {
    asker = null;
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
    asker = null;
    waiter.attempts++;
    attempt.sent(ramp.share(now) < 1 ? lessons.weight(attempt) : 0, now);
    for (int i = 0; i < allowances.size(); i++) {
      allowances.get(i).charge(attempt, now);
    }
    slots.charge(attempt, now);
    pace.charge(attempt, now);
    felt.charge(attempt, now);
    ramp.charge(attempt, now);
    breaker.charge(attempt, now);
    retries.charge(attempt, now);
    for (int i = 0; i < beyond.size(); i++) {
      beyond.get(i).charge(attempt, now);
    }
    inFlight.add(attempt);
    long cost = Math.max(1, waiter.call.estimate().input() + attempt.expectedOutput());
    return new Permit<>(waiter, attempt, cost, hold);
  }

  /**
   * An attempt came back: its slot is free, its charges become what they really were, and the reply
   * is believed.
   */
  ReplyLessons.Lesson settle(AttemptCharges attempt, Reply<?> reply, long now) {
    asker = null;
    inFlight.remove(attempt);
    if (reply instanceof Reply.Broken<?> broken && !broken.sent()) {
      giveBack(attempt, now);
    } else {
      settleAll(attempt, reply, now);
    }
    return lessons.of(attempt, reply, now);
  }

  /** An attempt is over without a reply; if it was sent, its charges stay. */
  void abandon(AttemptCharges attempt, boolean sent, long now) {
    inFlight.remove(attempt);
    if (sent) {
      settleAll(attempt, new Reply.Broken<>("abandoned", true), now);
    } else {
      giveBack(attempt, now);
    }
    if (attempt.awaited()) {
      breaker.withdrawn(attempt.sentAt(), now);
    }
  }

  /** An attempt is over that nobody wants any more; that is no fault of the provider. */
  void abandon(AttemptCharges attempt, Usage soFar, long now) {
    inFlight.remove(attempt);
    settleAll(attempt, new Reply.CutShort<>("abandoned", soFar, Signals.NONE), now);
    if (attempt.awaited()) {
      breaker.withdrawn(attempt.sentAt(), now);
    }
  }

  private void settleAll(AttemptCharges attempt, Reply<?> reply, long now) {
    for (int i = 0; i < allowances.size(); i++) {
      allowances.get(i).settle(attempt, reply, now);
    }
    slots.settle(attempt, reply, now);
    if (reply instanceof Reply.Throttled) {
      pace.giveBack(attempt, now);
    }
    felt.settle(attempt, reply, now);
    for (int i = 0; i < beyond.size(); i++) {
      beyond.get(i).settle(attempt, reply, now);
    }
  }

  private void giveBack(AttemptCharges attempt, long now) {
    allowances.forEach(allowance -> allowance.giveBack(attempt, now));
    slots.giveBack(attempt, now);
    pace.giveBack(attempt, now);
    felt.giveBack(attempt, now);
    beyond.forEach(limit -> limit.giveBack(attempt, now));
  }

  /** Response headers are there, and the answer is on its way. */
  void sighted(AttemptCharges attempt, Signals signals, long now) {
    asker = null;
    if (shared != null) {
      shared.sighted(attempt, signals, now);
    }
    lessons.ofHeaders(attempt, signals, now);
  }

  /** Shows those who share a limit with this lane who waits. */
  void show(WaitingCalls waiting, long now) {
    if (shared != null && isShared()) {
      shared.show(waiting.firstFew(shared.deep()), waiting.inOrder(), now);
    }
  }

  /** How many calls are shown to those who share a limit with this lane. */
  int deep() {
    return shared == null ? 0 : shared.deep();
  }

  /** Whether calls must be shown to others before they can go. */
  boolean isShared() {
    return shared != null && pacing && shared.holds();
  }

  /** Nothing of the lane goes before then. */
  void pause(long until) {
    pause.until(until);
  }

  boolean paused(long now) {
    return pause.isOn(now);
  }

  private @Nullable Allowance find(Dimension dimension) {
    for (var allowance : allowances) {
      if (allowance.dimension().equals(dimension)) {
        return allowance;
      }
    }
    return null;
  }

  private void know(Allowance allowance) {
    found(allowance);
    allowances.add(allowance);
  }

  // ---- what is learned ----

  @Override
  public void found(Allowance allowance) {
    if (pacing) {
      asked.add(allowance);
      constraints.add(Constraint.of(allowance.dimension()));
      leftToOthers.add(shared != null && shared.paces(allowance.terms()));
    }
  }

  @Override
  public void renamed(Allowance allowance) {
    int asks = asked.indexOf(allowance);
    if (asks >= 0) {
      constraints.set(asks, Constraint.of(allowance.dimension()));
    }
  }
}
