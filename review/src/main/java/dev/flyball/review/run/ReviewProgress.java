package dev.flyball.review.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.review.ask.UnitListener;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.plan.Unit;
import dev.flyball.run.FinishedAttempt;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The progress of a review: what has become of its units so far. Any thread may look. */
public final class ReviewProgress implements UnitListener {
  private final List<Unit> units;
  private final Consumer<FinishedAttempt> listener;
  private final Time time;
  private final Instant startedAt;
  private final Map<String, UnitState> states = new ConcurrentHashMap<>();
  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Map<String, Long> sent = new ConcurrentHashMap<>();
  private final Map<String, Usage> byLens = new ConcurrentHashMap<>();
  private final List<Claim> found = new CopyOnWriteArrayList<>();
  private final AtomicReference<Usage> usage = new AtomicReference<>(Usage.NONE);
  private final AtomicLong underestimated = new AtomicLong();
  private final AtomicLong uncertain = new AtomicLong();

  /**
   * Of these units.
   *
   * @param listener who else is told of attempts
   */
  public ReviewProgress(List<Unit> units, Consumer<FinishedAttempt> listener, Time time) {
    this.startedAt = time.wall();
    this.units = List.copyOf(units);
    this.listener = listener;
    this.time = time;
  }

  @Override
  public void state(Unit unit, UnitState state, String why) {
    if (state == UnitState.RUNNING) {
      sent.put(unit.name(), time.nanos());
    }
    if (!why.isEmpty()) {
      reasons.put(unit.name(), why);
    }
    states.put(unit.name(), state);
  }

  @Override
  public void tried(Unit unit, FinishedAttempt tried, Estimate held) {
    var used = tried.usage().costing(tried.cost().orElse(Cost.NOTHING));
    usage.accumulateAndGet(used, Usage::plus);
    byLens.merge(unit.part(), used, Usage::plus);
    underestimated.addAndGet(Math.max(0, used.tokens() - held.input() - held.maxOutput()));
    if (!(tried.reply() instanceof Reply.Answered<?>)) {
      uncertain.addAndGet(used.tokens());
    }
    listener.accept(tried);
  }

  @Override
  public void found(Unit unit, List<Claim> claims) {
    found.addAll(claims);
  }

  /** When it began. */
  public Instant startedAt() {
    return startedAt;
  }

  public List<Unit> units() {
    return units;
  }

  public UnitState state(Unit unit) {
    return states.getOrDefault(unit.name(), UnitState.PENDING);
  }

  public String reason(Unit unit) {
    return reasons.getOrDefault(unit.name(), "");
  }

  /** How long ago it was sent. */
  public Duration running(Unit unit) {
    long now = time.nanos();
    return Duration.ofNanos(now - sent.getOrDefault(unit.name(), now));
  }

  public boolean isOver(Unit unit) {
    return switch (state(unit)) {
      case DONE, CACHED, ERROR -> true;
      case PENDING, RUNNING -> false;
    };
  }

  public long over() {
    return units.stream().filter(this::isOver).count();
  }

  /** The latest of what was said, the newest last; before anything is merged. */
  public List<Claim> found(int most) {
    var all = List.copyOf(found);
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  public long count(Severity severity) {
    return found.stream().filter(claim -> claim.severity() == severity).count();
  }

  public Usage usage() {
    return usage.get();
  }

  public Map<String, Usage> byLens() {
    return Map.copyOf(byLens);
  }

  /** Tokens that attempts without an answer may have used. */
  public long uncertain() {
    return uncertain.get();
  }

  /** Tokens that attempts used beyond what was held for them. */
  public long underestimated() {
    return underestimated.get();
  }
}
