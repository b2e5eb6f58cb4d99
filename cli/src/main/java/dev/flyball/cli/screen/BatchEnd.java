package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;
import static dev.flyball.cli.screen.Terminal.Colour.RED;

import dev.flyball.batch.BatchReport;
import dev.flyball.call.DurationText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The last words of a batch: what was done, what was not, and what to do about it. */
public final class BatchEnd {
  /** Of a shorter run the time to get going is most of it, and a percentage says nothing. */
  private static final Duration WORTH_MEASURING = Duration.ofSeconds(20);

  private static final int NAMED = 10;

  private final Terminal terminal;
  private final ZoneId zone;

  public BatchEnd(Terminal terminal, ZoneId zone) {
    this.terminal = terminal;
    this.zone = zone;
  }

  /**
   * Everything there is to say.
   *
   * @param answers where they are, as it is called for people; empty for standard output
   */
  public List<String> lines(BatchReport report, Optional<Path> answers, Path errors, Instant now) {
    var lines = new ArrayList<String>();
    done(lines, report);
    // One without an answer is taken away again when the run is over.
    answers
        .filter(file -> report.completed() > 0 && Files.exists(file))
        .ifPresent(file -> lines.add("answers: " + file));
    failed(lines, report, errors);
    lines.addAll(unfinished(report, now));
    return lines;
  }

  private void done(List<String> lines, BatchReport report) {
    long asked = report.completed() - report.earlier();
    var total = report.lanes().total();
    lines.add(
        "%s in %s%s; %,d attempt%s, %,d rate-limited (429)%s"
            .formatted(
                terminal.paint(BOLD, "%,d answered".formatted(asked)),
                DurationText.of(report.wall()),
                report.earlier() > 0 ? " (and %,d before)".formatted(report.earlier()) : "",
                total.attempts(),
                total.attempts() == 1 ? "" : "s",
                total.throttled(),
                total.throttledBy().isEmpty() ? "" : " " + total.throttledBy()));
    if (asked > 0 && report.wall().compareTo(WORTH_MEASURING) >= 0) {
      report.efficiency().ifPresent(part -> lines.add(efficiency(part, report.bound())));
    }
    if (asked > 0) {
      money(lines, report);
    }
  }

  /** How near it came; where nobody stated the limits, no surer than it is. */
  private static String efficiency(double part, BatchReport.Bound bound) {
    var least = DurationText.of(bound.least());
    return switch (bound.from()) {
      case STATED ->
          "speed: %.0f %% of what the limits allow (minimum time %s)".formatted(100 * part, least);
      case FELT ->
          "speed: about %.0f %% of what the limits seem to allow (minimum time about %s; the provider states no limit, so this is a guess from its 429s)"
              .formatted(100 * part, least);
      case NONE -> throw new IllegalArgumentException("without a limit there is no efficiency");
    };
  }

  private void money(List<String> lines, BatchReport report) {
    var costs = report.costs();
    if (costs.known().isPresent() && report.usage().tokens() > 0) {
      lines.add(
          "%s %s (prices of %s)"
              .formatted(
                  report.simulated() ? "simulated; would have cost" : "cost",
                  costs.known().get().shown(),
                  costs.pricesVersion()));
    }
    costs.unpriced().forEach(why -> lines.add(terminal.paint(MAGENTA, why)));
    for (var budget : report.lanes().budgets()) {
      if (budget.tokensOverspent() > 0) {
        lines.add(
            "%,d tokens over the budget: prompts were longer than estimated"
                .formatted(budget.tokensOverspent()));
      }
      if (budget.moneyOverspent().micros() > 0) {
        lines.add(
            "%s over the budget: prompts were longer than estimated"
                .formatted(budget.moneyOverspent().shown()));
      }
    }
  }

  private void failed(List<String> lines, BatchReport report, Path errors) {
    if (report.errored() > 0) {
      lines.add(terminal.paint(RED, "%,d failed, see %s:".formatted(report.errored(), errors)));
      report
          .failures()
          .forEach((what, often) -> lines.add("  " + (often > 1 ? often + " x " : "") + what));
    }
    if (report.invalid() > 0) {
      lines.add(
          terminal.paint(
              MAGENTA,
              "%,d line%s skipped: invalid input"
                  .formatted(report.invalid(), report.invalid() == 1 ? "" : "s")));
    }
    report
        .refusedKeys()
        .forEach(
            (lane, said) -> lines.add("  %s: %s; the other keys were used".formatted(lane, said)));
  }

  /** Why it stopped, and how it is resumed; nothing if it did not stop. */
  public List<String> unfinished(BatchReport report, Instant now) {
    var lines = new ArrayList<String>();
    if (report.skipped() > 0) {
      lines.add(
          terminal.paint(MAGENTA, "incomplete: %,d not finished".formatted(report.skipped())));
    }
    unwritten(lines, report);
    report.stop().ifPresent(why -> lines.add("  " + why.message()));
    if (report.skipped() > 0) {
      lines.add(
          report
              .stop()
              .flatMap(why -> why.resumeAt())
              .map(
                  at ->
                      "  run the same command after "
                          + LanePicture.clock(at, now, zone)
                          + " to resume")
              .orElse("  run the same command to resume"));
    }
    return lines;
  }

  private void unwritten(List<String> lines, BatchReport report) {
    var lost = report.unwritten();
    if (lost.isEmpty()) {
      return;
    }
    var named = lost.stream().limit(NAMED).collect(Collectors.joining(", "));
    lines.add(
        terminal.paint(
            RED,
            "incomplete: %,d answer%s could not be written%s"
                .formatted(
                    lost.size(),
                    lost.size() == 1 ? "" : "s",
                    report.trouble().map(why -> ": " + why).orElse(""))));
    lines.add(
        "  " + named + (lost.size() > NAMED ? " and %,d more".formatted(lost.size() - NAMED) : ""));
    lines.add("  make room or choose another place, then run the same command to ask them again");
  }
}
