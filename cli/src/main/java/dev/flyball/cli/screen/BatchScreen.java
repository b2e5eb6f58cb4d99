package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.CYAN;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.GREEN;
import static dev.flyball.cli.screen.Terminal.Colour.RED;
import static dev.flyball.cli.screen.Terminal.Colour.YELLOW;

import dev.flyball.batch.BatchReport;
import dev.flyball.call.DurationText;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.LaneSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A run as people see it, on a terminal or as lines of a log. */
public final class BatchScreen {
  private static final int MOST_LANES = 6;
  private static final Duration RECENT = Duration.ofSeconds(15);
  private static final Duration WORTH_SAYING = Duration.ofMillis(300);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Terminal terminal;
  private final String title;
  private final ZoneId zone;
  private final ArrayDeque<BatchReport> past = new ArrayDeque<>();

  public BatchScreen(Terminal terminal, String title, ZoneId zone) {
    this.terminal = terminal;
    this.title = title;
    this.zone = zone;
  }

  /** The live picture. */
  public List<String> picture(BatchReport report, Instant now, Optional<String> notice) {
    var lines = new ArrayList<String>();
    lines.add(title);
    lines.add(progress(report));
    lines.add(sums(report));
    var busiest =
        report.lanes().lanes().stream()
            .sorted(Comparator.comparingInt(lane -> -(lane.inFlight() + lane.waiting())))
            .limit(MOST_LANES)
            .toList();
    busiest.forEach(lane -> lane(lines, lane, now));
    int more = report.lanes().lanes().size() - busiest.size();
    if (more > 0) {
      lines.add(terminal.paint(DIM, "and " + more + " more lanes"));
    }
    report
        .trouble()
        .ifPresent(
            what ->
                lines.add(
                    terminal.paint(
                        RED,
                        "cannot write: %s; holding %,d answers, trying again"
                            .formatted(what, report.unwritten().size()))));
    notice.ifPresent(text -> lines.add(terminal.paint(YELLOW, text)));
    return lines;
  }

  private String progress(BatchReport report) {
    double part =
        report.total() == 0 ? 1 : (double) (report.completed() + report.errored()) / report.total();
    int width = Math.clamp(terminal.width() - 56, 10, 40);
    return "%s  %,d of %,d  %3.0f %%  %s/s  %s"
        .formatted(
            terminal.paint(GREEN, Terminal.bar(part, width)),
            report.completed(),
            report.total(),
            Math.floor(part * 100),
            rate(report.rate()),
            eta(report));
  }

  private static String rate(double perSecond) {
    return (perSecond < 10 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f").formatted(perSecond);
  }

  private String eta(BatchReport report) {
    long left = report.skipped();
    if (left == 0) {
      return "done";
    }
    double rate = recent(report);
    if (!(rate > 0)) {
      return report.completed() > report.earlier() ? "waiting" : "starting";
    }
    double seconds = left / rate;
    for (var lane : report.lanes().lanes()) {
      if (lane.waiting() > 0 && lane.inFlight() == 0) {
        seconds += lane.waitLeft().orElse(Duration.ZERO).toNanos() / 1e9;
      }
    }
    return "about "
        + DurationText.of(Duration.ofSeconds(Math.max(1, Math.round(seconds))))
        + " left";
  }

  /** Answers a second, of the last quarter of a minute. */
  private double recent(BatchReport report) {
    past.addLast(report);
    var now = report.wall();
    while (past.size() > 2 && now.minus(past.getFirst().wall()).compareTo(RECENT) > 0) {
      past.removeFirst();
    }
    var from = past.getFirst();
    double seconds = now.minus(from.wall()).toNanos() / 1e9;
    return seconds < 1 ? report.rate() : (report.completed() - from.completed()) / seconds;
  }

  private String sums(BatchReport report) {
    var total = report.lanes().total();
    var usage = report.usage();
    var text =
        "tokens %,d in, %,d out%s  %s  429s %,d"
            .formatted(
                usage.input() + usage.cacheWrite(),
                usage.output(),
                usage.cacheRead() > 0 ? ", %,d from cache".formatted(usage.cacheRead()) : "",
                report.cost().map(cost -> "cost " + cost).orElse("cost unknown"),
                total.throttled());
    return terminal.paint(DIM, text)
        + (report.errored() > 0
            ? "  " + terminal.paint(RED, "failed %,d".formatted(report.errored()))
            : "");
  }

  private void lane(List<String> lines, LaneSnapshot lane, Instant now) {
    lines.add(
        "%s  %s  %s"
            .formatted(
                terminal.paint(BOLD, lane.lane().toString()),
                terminal.paint(DIM, "%,d in flight".formatted(lane.inFlight())),
                waiting(lane, now)));
    for (var gauge : lane.gauges()) {
      if (gauge.sighted() || gauge.limit().isPresent()) {
        lines.add(gauge(gauge));
      }
    }
    if (lane.pacePerSecond() > 0) {
      lines.add(
          terminal.paint(
              DIM,
              "  %-16s about %s/s, as far as refusals told"
                  .formatted("calls", rate(lane.pacePerSecond()))));
    }
  }

  private String waiting(LaneSnapshot lane, Instant now) {
    if (lane.waiting() == 0 || lane.waitingFor().isEmpty()) {
      return "";
    }
    var what = lane.waitingFor().get();
    if (what.equals(Constraint.TURN)) {
      return "";
    }
    var left = lane.waitLeft().filter(time -> time.compareTo(WORTH_SAYING) > 0);
    boolean parked = left.filter(time -> time.compareTo(Duration.ofMinutes(2)) > 0).isPresent();
    var when =
        parked
            ? ", until " + clock(now.plus(left.orElseThrow()), now)
            : left.map(time -> ", " + DurationText.of(time)).orElse("");
    return terminal.paint(parked ? RED : YELLOW, "waiting for: " + what + when);
  }

  private String gauge(LaneSnapshot.Gauge gauge) {
    double fullness = gauge.fullness();
    var name = gauge.dimension().toString().replace('_', ' ');
    var bar = terminal.paint(fullness < 0.1 ? YELLOW : CYAN, Terminal.bar(fullness, 16));
    return "  %-16s %s  %s of %s left"
        .formatted(
            name,
            bar,
            count(Math.max(0, gauge.level())),
            count(gauge.limit().isPresent() ? gauge.limit().getAsLong() : gauge.ceiling()));
  }

  private static String count(double amount) {
    if (amount >= 1e15) {
      return "many";
    }
    return amount >= 100_000 ? "%,.0fk".formatted(amount / 1_000) : "%,.0f".formatted(amount);
  }

  private String clock(Instant at, Instant now) {
    var then = at.atZone(zone);
    boolean today = then.toLocalDate().equals(now.atZone(zone).toLocalDate());
    return (today ? "" : then.toLocalDate() + " ") + CLOCK.format(then);
  }

  /** One line for a log. */
  public String line(BatchReport report) {
    var waits =
        report.lanes().lanes().stream()
            .filter(lane -> lane.waiting() > 0 && lane.waitingFor().isPresent())
            .max(Comparator.comparing(lane -> lane.waitLeft().orElse(Duration.ZERO)))
            .map(
                lane ->
                    ", waiting for: "
                        + lane.waitingFor().orElseThrow()
                        + lane.waitLeft()
                            .map(left -> " (" + DurationText.of(left) + ")")
                            .orElse(""))
            .orElse("");
    return "%,d of %,d answered, %,d failed, %s/s, %s%s%s"
        .formatted(
            report.completed(),
            report.total(),
            report.errored(),
            rate(report.rate()),
            eta(report),
            waits,
            report.trouble().map(what -> ", cannot write: " + what).orElse(""));
  }

  /** How near it came; where nobody stated the limits, no surer than it is. */
  private static String efficiency(double part, BatchReport.Bound bound) {
    var least = DurationText.of(bound.least());
    return switch (bound.from()) {
      case STATED ->
          "%.1f %% of the speed that the limits allow (least possible: %s)"
              .formatted(100 * part, least);
      case FELT ->
          "about %.0f %% of the speed that the limits allow, as far as refusals told them (least possible: about %s)"
              .formatted(100 * part, least);
      case NONE -> throw new IllegalArgumentException("without a limit there is no efficiency");
    };
  }

  private void money(List<String> lines, BatchReport report) {
    var costs = report.costs();
    var list = " (prices of " + costs.pricesVersion() + ")";
    if (costs.known().isPresent() && report.usage().tokens() > 0) {
      lines.add((report.simulated() ? "would have cost " : "cost ") + costs.known().get() + list);
    }
    costs.unpriced().forEach(why -> lines.add(terminal.paint(YELLOW, why)));
    for (var budget : report.lanes().budgets()) {
      if (budget.tokensOverspent() > 0) {
        lines.add(
            "%,d tokens over the budget: by so much prompts were longer than estimated"
                .formatted(budget.tokensOverspent()));
      }
      if (budget.moneyOverspent().micros() > 0) {
        lines.add(
            "%s over the budget: by so much prompts were longer than estimated"
                .formatted(budget.moneyOverspent()));
      }
    }
  }

  /** What there is to say at the end. */
  public List<String> end(BatchReport report, String output, String errors, Instant now) {
    var lines = new ArrayList<String>();
    long asked = report.completed() - report.earlier();
    var total = report.lanes().total();
    lines.add(
        "%s in %s%s; %,d attempt%s, %,d turned away%s"
            .formatted(
                terminal.paint(BOLD, "%,d answered".formatted(asked)),
                DurationText.of(report.wall()),
                report.earlier() > 0 ? " (and %,d before)".formatted(report.earlier()) : "",
                total.attempts(),
                total.attempts() == 1 ? "" : "s",
                total.throttled(),
                total.throttledBy().isEmpty() ? "" : " " + total.throttledBy()));
    if (asked > 0) {
      report.efficiency().ifPresent(part -> lines.add(efficiency(part, report.bound())));
    }
    var worst =
        report.tokens().values().stream()
            .filter(known -> known.samples() > 0)
            .mapToDouble(known -> known.error())
            .max();
    worst.ifPresent(
        error ->
            lines.add(
                terminal.paint(
                    DIM,
                    "prompts were estimated to within %.1f %% of their tokens"
                        .formatted(100 * error))));
    money(lines, report);
    lines.add("answers: " + output);
    if (report.errored() > 0) {
      lines.add(terminal.paint(RED, "%,d failed: %s".formatted(report.errored(), errors)));
      report
          .failures()
          .forEach((what, often) -> lines.add("  " + (often > 1 ? often + " x " : "") + what));
    }
    if (report.invalid() > 0) {
      lines.add(
          terminal.paint(
              YELLOW,
              "%,d lines were left out, because they cannot be sent".formatted(report.invalid())));
    }
    if (report.skipped() > 0) {
      lines.add(
          terminal.paint(
              YELLOW, "incomplete: %,d not asked to their end".formatted(report.skipped())));
    }
    report
        .refusedKeys()
        .forEach(
            (lane, said) -> lines.add("  %s: %s; the other keys went on".formatted(lane, said)));
    report.stop().ifPresent(why -> lines.add("  " + why.message()));
    report
        .stop()
        .flatMap(why -> why.resumeAt())
        .ifPresent(at -> lines.add("  resume after " + clock(at, now) + " with the same command"));
    if (!report.unwritten().isEmpty()) {
      lines.add(
          terminal.paint(
              RED,
              "answered but not written, and so asked again: "
                  + String.join(", ", report.unwritten())));
    }
    return lines;
  }
}
