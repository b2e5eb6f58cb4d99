package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.GREEN;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;
import static dev.flyball.cli.screen.Terminal.Colour.RED;

import dev.flyball.batch.BatchReport;
import dev.flyball.call.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A run as people see it, on a terminal or as lines of a log. */
public final class BatchScreen {
  private static final int ENOUGH_TO_TELL = 5;
  private static final Duration RECENT = Duration.ofSeconds(15);

  private final Terminal terminal;
  private final String title;
  private final ZoneId zone;
  private final ArrayDeque<BatchReport> past = new ArrayDeque<>();

  public BatchScreen(Terminal terminal, String title, ZoneId zone) {
    this.terminal = terminal;
    this.title = title;
    this.zone = zone;
  }

  /** The live picture: what matters most is first, and lanes take the room that is left. */
  public List<String> picture(BatchReport report, Instant now, Optional<String> notice) {
    var lines = new ArrayList<String>();
    lines.add(title);
    lines.add(progress(report, notice.isPresent()));
    notice.ifPresent(text -> lines.add(terminal.paint(MAGENTA, text)));
    report
        .trouble()
        .ifPresent(
            what ->
                lines.add(
                    terminal.paint(
                        RED,
                        "cannot write: %s; holding %,d answers, trying again"
                            .formatted(what, report.unwritten().size()))));
    lines.add(sums(report));
    var lanes = new LanePicture(terminal, zone, now);
    lines.addAll(lanes.lines(report.lanes().lanes(), terminal.rows() - lines.size()));
    return lines;
  }

  private String progress(BatchReport report, boolean stopping) {
    double part =
        report.total() == 0 ? 1 : (double) (report.completed() + report.errored()) / report.total();
    var eta = stopping ? "stopping" : eta(report);
    var counted = "%,d of %,d".formatted(report.completed(), report.total());
    var percent = "%.0f %%".formatted(Math.floor(part * 100));
    var full =
        "  %s  %4s  %s/s  %s".formatted(counted, percent, LanePicture.rate(report.rate()), eta);
    var text = full.length() + 12 > terminal.width() ? "  %s  %s".formatted(counted, eta) : full;
    int width = Math.clamp(terminal.width() - 1 - text.length(), 4, 40);
    return terminal.paint(GREEN, Terminal.bar(part, width)) + text;
  }

  private String eta(BatchReport report) {
    long left = report.skipped();
    if (left == 0) {
      return "done";
    }
    double rate = recent(report);
    if (report.completed() + report.errored() - report.earlier() < ENOUGH_TO_TELL) {
      return "starting";
    }
    if (!(rate > 0)) {
      return "waiting";
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
                report.cost().map(cost -> "cost " + cost.shown()).orElse("cost unknown"),
                total.throttled());
    return terminal.paint(DIM, text)
        + (report.errored() > 0
            ? "  " + terminal.paint(RED, "failed %,d".formatted(report.errored()))
            : "");
  }

  /** One line for a log. */
  public String line(BatchReport report) {
    var waits =
        report.lanes().lanes().stream()
            .filter(lane -> lane.waiting() > 0 && lane.waitingFor().isPresent())
            .max(Comparator.comparing(lane -> lane.waitLeft().orElse(Duration.ZERO)))
            .map(
                lane ->
                    ", waiting for "
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
            LanePicture.rate(report.rate()),
            eta(report),
            waits,
            report.trouble().map(what -> ", cannot write: " + what).orElse(""));
  }
}
