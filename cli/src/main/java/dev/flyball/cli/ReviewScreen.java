package dev.flyball.cli;

import static dev.flyball.cli.Terminal.Colour.BOLD;
import static dev.flyball.cli.Terminal.Colour.CYAN;
import static dev.flyball.cli.Terminal.Colour.DIM;
import static dev.flyball.cli.Terminal.Colour.GREEN;
import static dev.flyball.cli.Terminal.Colour.RED;
import static dev.flyball.cli.Terminal.Colour.YELLOW;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.call.Words;
import dev.flyball.review.ask.Inquiry;
import dev.flyball.review.ask.Inquiry.State;
import dev.flyball.review.plan.Unit;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** How far a review is: each lens with its units, what is being read, and what it has used. */
final class ReviewScreen implements Inquiry.Watcher {
  private static final int BAR = 24;
  private static final int READ_NOW = 5;

  private final List<Unit> units;
  private final long budget;
  private final BiConsumer<Unit, Inquiry.Tried> listener;
  private final Map<Unit, State> states = new ConcurrentHashMap<>();
  private final Map<Unit, String> reasons = new ConcurrentHashMap<>();
  private final Map<String, Usage> byLens = new ConcurrentHashMap<>();
  private final AtomicReference<Usage> usage = new AtomicReference<>(Usage.NONE);

  /**
   * Of these units.
   *
   * @param budget tokens; 0 if there is none
   * @param listener who else is told of attempts
   */
  ReviewScreen(List<Unit> units, long budget, BiConsumer<Unit, Inquiry.Tried> listener) {
    this.units = List.copyOf(units);
    this.budget = budget;
    this.listener = listener;
  }

  @Override
  public void state(Unit unit, State state, String why) {
    states.put(unit, state);
    if (!why.isEmpty()) {
      reasons.put(unit, why);
    }
  }

  @Override
  public void tried(Unit unit, Inquiry.Tried tried) {
    var used = tried.usage().costing(tried.cost().orElse(Cost.NOTHING));
    usage.accumulateAndGet(used, Usage::plus);
    byLens.merge(ReviewForecast.part(unit), used, Usage::plus);
    listener.accept(unit, tried);
  }

  Usage usage() {
    return usage.get();
  }

  Map<String, Usage> byLens() {
    return Map.copyOf(byLens);
  }

  State state(Unit unit) {
    return states.getOrDefault(unit, State.PENDING);
  }

  String reason(Unit unit) {
    return reasons.getOrDefault(unit, "");
  }

  long over() {
    return units.stream().filter(unit -> isOver(state(unit))).count();
  }

  private static boolean isOver(State state) {
    return switch (state) {
      case DONE, CACHED, ERROR -> true;
      case PENDING, RUNNING -> false;
    };
  }

  /** All of it, to be drawn over what was drawn before. */
  List<String> picture(String title, Snapshot lanes, Terminal terminal) {
    var lines = new ArrayList<String>();
    lines.add("%s  %,d of %,d units".formatted(terminal.paint(BOLD, title), over(), units.size()));
    Map<String, List<Unit>> lenses = new LinkedHashMap<>();
    units.forEach(
        unit ->
            lenses.computeIfAbsent(ReviewForecast.part(unit), part -> new ArrayList<>()).add(unit));
    int wide = lenses.keySet().stream().mapToInt(String::length).max().orElse(0);
    lenses.forEach((lens, some) -> lines.add(lens(lens, some, wide, terminal)));
    units.stream()
        .filter(unit -> state(unit) == State.RUNNING)
        .limit(READ_NOW)
        .forEach(
            unit ->
                lines.add(
                    "  %s %s"
                        .formatted(
                            terminal.paint(CYAN, unit.name()), String.join(", ", unit.files()))));
    lanes.lanes().forEach(lane -> lines.add(lane(lane, terminal)));
    var used = usage.get();
    lines.add(
        "tokens %,d in, %,d out%s  cost %s"
            .formatted(
                used.prompt(),
                used.output(),
                budget > 0 ? " of %,d".formatted(budget) : "",
                used.cost()));
    return lines;
  }

  private String lens(String lens, List<Unit> some, int wide, Terminal terminal) {
    long over = some.stream().filter(unit -> isOver(state(unit))).count();
    long errors = some.stream().filter(unit -> state(unit) == State.ERROR).count();
    long cached = some.stream().filter(unit -> state(unit) == State.CACHED).count();
    return "  %s %s %,d of %,d%s%s"
        .formatted(
            lens + " ".repeat(wide - lens.length()),
            terminal.paint(GREEN, Terminal.bar((double) over / some.size(), BAR)),
            over,
            some.size(),
            cached > 0 ? terminal.paint(DIM, "  %,d cached".formatted(cached)) : "",
            errors > 0 ? terminal.paint(RED, "  %,d without an answer".formatted(errors)) : "");
  }

  private static String lane(LaneSnapshot lane, Terminal terminal) {
    return "  %s  %,d in flight%s"
        .formatted(
            terminal.paint(DIM, lane.lane().toString()),
            lane.inFlight(),
            lane.waiting() == 0
                ? ""
                : lane.waitingFor()
                    .map(
                        what ->
                            terminal.paint(
                                YELLOW,
                                "  waiting for: "
                                    + what.name()
                                    + lane.waitLeft()
                                        .map(left -> ", " + Words.of(left))
                                        .orElse("")))
                    .orElse(""));
  }
}
