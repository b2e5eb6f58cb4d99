package dev.flyball.cli;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.ask.UnitRunner.State;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.plan.Unit;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** What has become of a review's units so far, kept for whoever wants to look. */
final class ReviewWatch implements UnitRunner.Watcher {
  private final List<Unit> units;
  private final BiConsumer<Unit, ModelClient.Tried> listener;
  private final Time time;
  private final Map<String, State> states = new ConcurrentHashMap<>();
  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Map<String, Long> sent = new ConcurrentHashMap<>();
  private final Map<String, Usage> byLens = new ConcurrentHashMap<>();
  private final List<Claim> found = new CopyOnWriteArrayList<>();
  private final AtomicReference<Usage> usage = new AtomicReference<>(Usage.NONE);
  private final AtomicLong underestimated = new AtomicLong();

  /**
   * Of these units.
   *
   * @param listener who else is told of attempts
   */
  ReviewWatch(List<Unit> units, BiConsumer<Unit, ModelClient.Tried> listener, Time time) {
    this.units = List.copyOf(units);
    this.listener = listener;
    this.time = time;
  }

  @Override
  public void state(Unit unit, State state, String why) {
    if (state == State.RUNNING) {
      sent.put(unit.name(), time.nanos());
    }
    if (!why.isEmpty()) {
      reasons.put(unit.name(), why);
    }
    states.put(unit.name(), state);
  }

  @Override
  public void tried(Unit unit, ModelClient.Tried tried) {
    var used = tried.usage().costing(tried.cost().orElse(Cost.NOTHING));
    usage.accumulateAndGet(used, Usage::plus);
    byLens.merge(unit.part(), used, Usage::plus);
    long held = tried.estimate().input() + tried.estimate().maxOutput();
    underestimated.addAndGet(Math.max(0, used.tokens() - held));
    listener.accept(unit, tried);
  }

  @Override
  public void found(Unit unit, List<Claim> claims) {
    found.addAll(claims);
  }

  List<Unit> units() {
    return units;
  }

  State state(Unit unit) {
    return states.getOrDefault(unit.name(), State.PENDING);
  }

  String reason(Unit unit) {
    return reasons.getOrDefault(unit.name(), "");
  }

  /** How long ago it was sent. */
  Duration running(Unit unit) {
    long now = time.nanos();
    return Duration.ofNanos(now - sent.getOrDefault(unit.name(), now));
  }

  boolean isOver(Unit unit) {
    return switch (state(unit)) {
      case DONE, CACHED, ERROR -> true;
      case PENDING, RUNNING -> false;
    };
  }

  long over() {
    return units.stream().filter(this::isOver).count();
  }

  /** The latest of what was said, the newest last; before anything is merged. */
  List<Claim> found(int most) {
    var all = List.copyOf(found);
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  long count(Severity severity) {
    return found.stream().filter(claim -> claim.severity() == severity).count();
  }

  Usage usage() {
    return usage.get();
  }

  Map<String, Usage> byLens() {
    return Map.copyOf(byLens);
  }

  /** Tokens that attempts used beyond what was held for them. */
  long underestimated() {
    return underestimated.get();
  }
}
