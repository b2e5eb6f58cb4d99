package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.CYAN;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;
import static dev.flyball.cli.screen.Terminal.Colour.RED;

import dev.flyball.call.DurationText;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.LaneSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The lanes of a run in the room that there is: with a bar for each limit, else a line each, else
 * as many as fit. They keep their places.
 */
final class LanePicture {
  private static final Duration WORTH_SAYING = Duration.ofMillis(300);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int BAR = 16;
  private static final int SHORT_BAR = 8;
  private static final int NARROW = 60;

  private final Terminal terminal;
  private final ZoneId zone;
  private final Instant now;

  LanePicture(Terminal terminal, ZoneId zone, Instant now) {
    this.terminal = terminal;
    this.zone = zone;
    this.now = now;
  }

  /** Not more lines than there is room for. */
  List<String> lines(List<LaneSnapshot> all, int room) {
    var lanes =
        all.stream()
            .sorted(
                Comparator.comparing((LaneSnapshot lane) -> isIdle(lane))
                    .thenComparing(lane -> lane.lane().toString()))
            .toList();
    var whole = new ArrayList<String>();
    lanes.forEach(lane -> whole(whole, lane));
    if (whole.size() <= room) {
      return whole;
    }
    boolean every = lanes.size() <= room;
    var some = lanes.subList(0, every ? lanes.size() : Math.clamp(room - 1, 0, lanes.size()));
    int wide = some.stream().mapToInt(lane -> name(lane).length()).max().orElse(0);
    var lines = new ArrayList<>(some.stream().map(lane -> oneLine(lane, wide)).toList());
    if (!every && room > 0) {
      lines.add(
          terminal.paint(DIM, "... and %,d more lanes".formatted(lanes.size() - some.size())));
    }
    return lines;
  }

  private static boolean isIdle(LaneSnapshot lane) {
    return lane.inFlight() + lane.waiting() == 0;
  }

  /** A narrow screen has no room for who else might have the same name. */
  private String name(LaneSnapshot lane) {
    var id = lane.lane();
    return terminal.width() < NARROW && !id.modelClass().isEmpty()
        ? id.modelClass()
        : id.toString();
  }

  private void whole(List<String> lines, LaneSnapshot lane) {
    lines.add(
        "%s  %s  %s"
            .formatted(
                terminal.paint(BOLD, name(lane)),
                terminal.paint(DIM, "%,d in flight".formatted(lane.inFlight())),
                waiting(lane)));
    for (var gauge : lane.gauges()) {
      if (isKnown(gauge)) {
        lines.add("  %-16s %s  %s".formatted(name(gauge), bar(gauge, BAR), level(gauge)));
      }
    }
    if (lane.pacePerSecond() > 0) {
      lines.add(
          terminal.paint(
              DIM,
              "  %-16s about %s/s, learned from 429s"
                  .formatted("requests", rate(lane.pacePerSecond()))));
    }
  }

  /** Its name, and the limit that is nearest to its end. */
  private String oneLine(LaneSnapshot lane, int wide) {
    var binding =
        lane.gauges().stream()
            .filter(LanePicture::isKnown)
            .min(Comparator.comparingDouble(LaneSnapshot.Gauge::fullness));
    var name = name(lane);
    return "%s  %s  %s"
        .formatted(
            terminal.paint(BOLD, name) + " ".repeat(wide - name.length()),
            binding
                .map(gauge -> "%s %s".formatted(bar(gauge, SHORT_BAR), name(gauge)))
                .orElse("%,d in flight".formatted(lane.inFlight())),
            waiting(lane));
  }

  private static boolean isKnown(LaneSnapshot.Gauge gauge) {
    return gauge.sighted() || gauge.limit().isPresent();
  }

  private static String name(LaneSnapshot.Gauge gauge) {
    return gauge.dimension().toString().replace('_', ' ');
  }

  private String bar(LaneSnapshot.Gauge gauge, int width) {
    return terminal.paint(share(gauge) < 0.1 ? MAGENTA : CYAN, Terminal.bar(share(gauge), width));
  }

  /** What is left of what the bar's number names, so that the two agree. */
  private static double share(LaneSnapshot.Gauge gauge) {
    return gauge.limit().isPresent() && gauge.limit().getAsLong() > 0
        ? Math.max(0, gauge.level()) / gauge.limit().getAsLong()
        : gauge.fullness();
  }

  private static String level(LaneSnapshot.Gauge gauge) {
    return "%s of %s left"
        .formatted(
            count(Math.max(0, gauge.level())),
            count(gauge.limit().isPresent() ? gauge.limit().getAsLong() : gauge.ceiling()));
  }

  private static String count(double amount) {
    if (amount >= 1e15) {
      return "many";
    }
    return amount >= 100_000 ? "%,.0fk".formatted(amount / 1_000) : "%,.0f".formatted(amount);
  }

  static String rate(double perSecond) {
    return (perSecond < 10 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f").formatted(perSecond);
  }

  private String waiting(LaneSnapshot lane) {
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
            ? ", until " + clock(now.plus(left.orElseThrow()))
            : left.map(time -> ", " + DurationText.of(time)).orElse("");
    return terminal.paint(parked ? RED : MAGENTA, "waiting for " + what + when);
  }

  private String clock(Instant at) {
    return clock(at, now, zone);
  }

  /** The time of the day, with the day where that is not today. */
  static String clock(Instant at, Instant now, ZoneId zone) {
    var then = at.atZone(zone);
    boolean today = then.toLocalDate().equals(now.atZone(zone).toLocalDate());
    return (today ? "" : then.toLocalDate() + " ") + CLOCK.format(then);
  }
}
