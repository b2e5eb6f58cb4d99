package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
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
import dev.flyball.limit.FeltLimit;
import dev.flyball.limit.Limit;
import dev.flyball.limit.Pace;
import dev.flyball.limit.Pause;
import dev.flyball.limit.Ramp;
import dev.flyball.limit.ReplyLessons;
import dev.flyball.limit.RetryBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how fast one lane goes, charged together or not at all. Each limit
 * answers at what moment a call could go; the latest answer counts, and {@link #binding} is who
 * gave it. What replies teach them is in {@link ReplyLessons}. Long because each limit has its
 * place in everything that is said and told here.
 *
 * <p>Those that every lane has are called by their names and not in a list: so they are inlined,
 * which is a tenth of what an admission costs.
 */
final class LaneLimits implements ReplyLessons.Listener {
  private final LaneId lane;
  private final LaneProfile profile;
  private final boolean pacing;
  private final EventFeed feed;
  private final Concurrency slots;
  private final Pause pause = new Pause();
  private final Pace pace;
  private final FeltLimit felt;
  private final Ramp ramp;
  private final boolean ramping;
  private final Breaker breaker = new Breaker();
  private final RetryBudget retries;
  private final List<Allowance> allowances = new ArrayList<>();
  private final SlotsInAll.@Nullable OfLane slotInAll;
  private final @Nullable SharedDepartures shared;

  /** The allowances that are asked, and in the same order what a call waits for then. */
  private final List<Allowance> asked = new ArrayList<>();

  private final List<Constraint> constraints = new ArrayList<>();

  /** Those that reach beyond the lane: usually none. */
  private final List<Limit> beyond = new ArrayList<>(2);

  /** Whether the pace that this lane feels holds it back; else others pace its requests. */
  private final boolean paced;

  private final AttemptsInFlight inFlight = new AttemptsInFlight();
  private final ExpectedOutput outputs;
  private final ReplyLessons lessons;

  private Constraint binding = Constraint.TURN;

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
    this.lane = lane;
    this.feed = feed;
    this.outputs = outputs;
    this.slotInAll = slotInAll;
    this.shared = shared;
    this.profile = settings.profiles().apply(lane);
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
            profile, slots, pause, pace, felt, ramp, breaker, allowances, inFlight, outputs, this);
    this.paced = pacing && (shared == null || !shared.pacesRequests());
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
    var attempt = attempt(first);
    long latest = later(now, slots.availableAt(attempt, now), Constraint.SLOT);
    if (pacing) {
      latest = later(latest, pause.availableAt(attempt, now), Constraint.PAUSE);
      if (paced) {
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
    for (int i = 0; i < asked.size(); i++) {
      latest = later(latest, asked.get(i).availableAt(attempt, now), constraints.get(i));
    }
    if (pacing) {
      latest = later(latest, retries.availableAt(attempt, now), Constraint.RETRY_BUDGET);
      if (shared != null) {
        latest = later(latest, shared.availableAt(attempt, now), Constraint.SHARED);
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
      asking = attempt;
      asker = waiter;
    }
    return attempt;
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
      shared.heard(attempt, signals, false, now);
    }
    lessons.ofHeaders(attempt, signals, now);
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
    boolean leftToOthers = shared != null && shared.paces(allowance.terms());
    if (pacing && !leftToOthers) {
      asked.add(allowance);
      constraints.add(Constraint.of(allowance.dimension()));
    }
  }

  @Override
  public void renamed(Allowance allowance) {
    int asks = asked.indexOf(allowance);
    if (asks >= 0) {
      constraints.set(asks, Constraint.of(allowance.dimension()));
    }
  }

  @Override
  public void limitLearned(Dimension dimension, long limit) {
    if (feed.heard()) {
      feed.add(new Event.LimitLearned(lane, dimension, limit));
    }
  }

  @Override
  public void nearlyUsedUp(Dimension dimension) {
    if (feed.heard()) {
      var scarce = Optional.of(dimension);
      feed.add(new Event.LimitWarning(lane, Event.Warning.NEARLY_USED_UP, scarce));
    }
  }

  @Override
  public void concurrencyChanged(int limit) {
    if (feed.heard()) {
      feed.add(new Event.ConcurrencyChanged(lane, limit));
    }
  }

  @Override
  public void breakerChanged(BreakerState state) {
    if (feed.heard()) {
      feed.add(new Event.BreakerChanged(lane, state));
    }
  }
}
