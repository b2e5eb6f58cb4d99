package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.CYAN;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.GREEN;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;
import static dev.flyball.cli.screen.Terminal.Colour.RED;

import dev.flyball.call.DurationText;
import dev.flyball.call.LaneId;
import dev.flyball.call.Usage;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.run.ReviewProgress;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The progress of a review as people see it: each lens with its units, what is being read and what
 * waits for what, the latest findings, and what it has used of its budget.
 */
public final class ReviewScreen {
  private static final Duration FOR_EVER = Duration.ofDays(365 * 100);
  private static final int BAR = 24;
  private static final int READ_NOW = 5;
  private static final int NEXT = 2;
  private static final int LATEST = 4;
  private static final int FILES = 3;

  private final String title;
  private final ReviewProgress progress;
  private final OptionalLong budget;
  private final Function<Tier, List<LaneId>> lanes;
  private final Terminal terminal;

  /**
   * Of a review that is watched.
   *
   * @param budget tokens, if they are limited
   */
  public ReviewScreen(
      String title,
      ReviewProgress progress,
      OptionalLong budget,
      Function<Tier, List<LaneId>> lanes,
      Terminal terminal) {
    this.title = title;
    this.progress = progress;
    this.budget = budget;
    this.lanes = lanes;
    this.terminal = terminal;
  }

  /** All of it, to be drawn over what was drawn before. */
  public List<String> picture(SchedulerSnapshot snapshot, Optional<String> notice) {
    var lines = new ArrayList<String>();
    lines.add(terminal.paint(BOLD, title));
    lines.add(whole());
    notice.ifPresent(what -> lines.add(terminal.paint(MAGENTA, what)));
    lines.add(used());
    Map<String, List<Unit>> lenses = new LinkedHashMap<>();
    progress
        .units()
        .forEach(unit -> lenses.computeIfAbsent(unit.part(), part -> new ArrayList<>()).add(unit));
    int wide = lenses.keySet().stream().mapToInt(String::length).max().orElse(0);
    lenses.forEach((lens, some) -> lines.add(lens(lens, some, wide, snapshot)));
    reading(lines, snapshot);
    found(lines);
    return lines;
  }

  /** How far all of it is, on a bar that stays in sight whatever else there is no room for. */
  private String whole() {
    long over = progress.over();
    int all = progress.units().size();
    var text = "  %,d of %,d unit%s".formatted(over, all, all == 1 ? "" : "s");
    int width = Math.clamp(terminal.width() - 1 - text.length(), 4, BAR);
    return terminal.paint(GREEN, Terminal.bar(all == 0 ? 1 : (double) over / all, width)) + text;
  }

  /** The same in one line. */
  public String line() {
    int all = progress.units().size();
    return "%,d of %,d unit%s, %s; %s"
        .formatted(progress.over(), all, all == 1 ? "" : "s", counts(), used());
  }

  private String lens(String lens, List<Unit> some, int wide, SchedulerSnapshot snapshot) {
    long over = some.stream().filter(unit -> progress.isOver(unit)).count();
    long errors = some.stream().filter(unit -> progress.state(unit) == UnitState.ERROR).count();
    long cached = some.stream().filter(unit -> progress.state(unit) == UnitState.CACHED).count();
    boolean running = some.stream().anyMatch(unit -> progress.state(unit) == UnitState.RUNNING);
    var waits = over == some.size() || running ? "" : waits(some.getFirst(), snapshot).orElse("");
    return "  %s %s %,d of %,d%s%s%s"
        .formatted(
            lens + " ".repeat(wide - lens.length()),
            terminal.paint(GREEN, Terminal.bar((double) over / some.size(), BAR)),
            over,
            some.size(),
            cached > 0 ? terminal.paint(DIM, "  %,d cached".formatted(cached)) : "",
            errors > 0 ? terminal.paint(RED, "  %,d without an answer".formatted(errors)) : "",
            terminal.paint(MAGENTA, waits));
  }

  private Optional<String> waits(Unit unit, SchedulerSnapshot snapshot) {
    return snapshot.lanes().stream()
        .filter(lane -> lanes.apply(unit.tier()).contains(lane.lane()) && lane.waiting() > 0)
        .min(Comparator.comparing(lane -> lane.waitLeft().orElse(FOR_EVER)))
        .flatMap(
            lane -> lane.waitingFor().map(what -> "  waiting for " + what.name() + left(lane)));
  }

  private static String left(LaneSnapshot lane) {
    return lane.waitLeft().map(left -> ", " + DurationText.of(left)).orElse("");
  }

  /** What is in flight and for how long, and what comes next and waits for what. */
  private void reading(List<String> lines, SchedulerSnapshot snapshot) {
    progress.units().stream()
        .filter(unit -> progress.state(unit) == UnitState.RUNNING)
        .limit(READ_NOW)
        .forEach(
            unit ->
                lines.add(
                    "  %s  %s  %s"
                        .formatted(
                            terminal.paint(CYAN, unit.name()),
                            terminal.paint(DIM, seconds(progress.running(unit))),
                            files(unit))));
    progress.units().stream()
        .filter(unit -> progress.state(unit) == UnitState.PENDING)
        .limit(NEXT)
        .forEach(
            unit ->
                waits(unit, snapshot)
                    .ifPresent(
                        why ->
                            lines.add(
                                terminal.paint(
                                    DIM, "  " + unit.name() + why + "  " + files(unit)))));
  }

  private static String seconds(Duration time) {
    return time.toSeconds() + " s";
  }

  private static String files(Unit unit) {
    var files = unit.files();
    var some = String.join(", ", files.subList(0, Math.min(FILES, files.size())));
    return Terminal.plain(
        files.size() > FILES ? some + " and " + (files.size() - FILES) + " more" : some);
  }

  private void found(List<String> lines) {
    var latest = progress.found(LATEST);
    if (latest.isEmpty()) {
      return;
    }
    lines.add("  " + counts());
    for (var claim : latest) {
      lines.add(
          "    %s %s  %s"
              .formatted(
                  terminal.paint(colour(claim.severity()), claim.severity().toString()),
                  Terminal.plain(claim.title()),
                  terminal.paint(DIM, Terminal.plain(place(claim)))));
    }
  }

  private String counts() {
    return "so far: %,d critical, %,d major, %,d minor"
        .formatted(
            progress.count(Severity.CRITICAL),
            progress.count(Severity.MAJOR),
            progress.count(Severity.MINOR));
  }

  private static Terminal.Colour colour(Severity severity) {
    return switch (severity) {
      case CRITICAL -> RED;
      case MAJOR -> MAGENTA;
      case MINOR -> CYAN;
    };
  }

  private static String place(Claim claim) {
    return switch (claim.place()) {
      case Place.Lines lines -> lines.path() + ":" + lines.line();
      case Place.File file -> file.path();
      case Place.Whole whole -> "";
    };
  }

  private String used() {
    Usage used = progress.usage();
    return "tokens %,d in, %,d out%s  cost %s"
        .formatted(
            used.prompt(),
            used.output(),
            budget.isPresent() ? ", %,d of %,d".formatted(used.tokens(), budget.getAsLong()) : "",
            used.cost().shown());
  }
}
