package dev.flyball.cli.demo;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.CYAN;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.GREEN;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;
import static dev.flyball.cli.screen.Terminal.Colour.RED;

import dev.flyball.call.DurationText;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.LaneSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A demo as people see it: two bars that run beside what is possible, and a table at the end. */
public final class DemoScreen {
  /** A side as it is drawn. */
  public record Side(DemoTrack.Standing standing, int lost) {}

  private static final String POOL = "pool of " + DemoPool.WORKERS + " + backoff";
  private static final String FLYBALL = "Flyball";
  private static final int NAME = 22;
  private static final int NARROW_NAME = 12;
  private static final int LIVE_LINES = 7;
  private static final Duration WORTH_SAYING = Duration.ofMillis(300);

  private final Terminal terminal;
  private final DemoAccount account;
  private final List<Duration> least;

  public DemoScreen(Terminal terminal, DemoAccount account) {
    this.terminal = terminal;
    this.account = account;
    this.least =
        IntStream.rangeClosed(1, DemoAccount.CALLS).mapToObj(account::least).sorted().toList();
  }

  /** What is about to happen. */
  public List<String> title() {
    return List.of(
        terminal.paint(
            BOLD,
            "The same %,d calls, twice, at the same time, to two accounts"
                .formatted(DemoAccount.CALLS)),
        "of " + account + ":",
        terminal.paint(DIM, "simulated on this machine, no key, no cost, real rate limits."),
        "");
  }

  /** The live picture. */
  public List<String> picture(Side pool, int pausing, Side flyball, Optional<LaneSnapshot> lane) {
    var lines = new ArrayList<String>();
    // What is about to happen stays in sight where there is room for it.
    if (terminal.rows() > LIVE_LINES + title().size()) {
      lines.addAll(title());
    }
    var time = later(pool, flyball);
    lines.add(name("optimum") + terminal.paint(DIM, bar(possible(time))) + possibleBy(time));
    lines.add("");
    lines.add(progress(POOL, pool));
    lines.add(name("") + pool(pool, pausing));
    lines.add("");
    lines.add(progress(FLYBALL, flyball));
    lines.add(name("") + lane.map(this::lane).filter(said -> !over(flyball)).orElse(""));
    return lines;
  }

  private static Duration later(Side one, Side other) {
    var time = one.standing().time();
    return time.compareTo(other.standing().time()) > 0 ? time : other.standing().time();
  }

  private static boolean over(Side side) {
    return side.standing().over();
  }

  private String name(String name) {
    int room = room();
    return ("%-" + room + "s").formatted(name.length() < room ? name : name.substring(0, room - 1));
  }

  private int room() {
    return terminal.width() < 2 * NAME + 16 ? NARROW_NAME : NAME;
  }

  private String bar(double part) {
    return Terminal.bar(part, Math.clamp(terminal.width() - room() - 26, 4, 60));
  }

  /** How much could be answered by now, of the whole. */
  private double possible(Duration time) {
    return least.stream().filter(each -> each.compareTo(time) <= 0).count()
        / (double) DemoAccount.CALLS;
  }

  private String possibleBy(Duration time) {
    return "  %3.0f %%  %s".formatted(Math.floor(100 * possible(time)), seconds(least.getLast()));
  }

  private String progress(String name, Side side) {
    double part = side.standing().answered() / (double) DemoAccount.CALLS;
    boolean whole = side.standing().answered() == DemoAccount.CALLS;
    var colour = name.equals(FLYBALL) ? GREEN : MAGENTA;
    return terminal.paint(BOLD, name(name))
        + terminal.paint(colour, bar(part))
        + "  %3.0f %%  %s".formatted(Math.floor(100 * part), seconds(side.standing().time()))
        + (over(side) ? terminal.paint(whole ? GREEN : RED, whole ? "  done" : "  ended") : "");
  }

  private static String seconds(Duration time) {
    return "%5.1f s".formatted(time.toNanos() / 1e9);
  }

  private String pool(Side side, int pausing) {
    return count(side.standing().throttled(), "429")
        + ", "
        + count(side.lost(), "lost")
        + (pausing > 0
            ? terminal.paint(DIM, ", %d of %d workers pausing".formatted(pausing, DemoPool.WORKERS))
            : "");
  }

  private String count(long many, String of) {
    var text = of.equals("429") ? "429s: %,d".formatted(many) : "%s: %,d".formatted(of, many);
    return many > 0 ? terminal.paint(RED, text) : text;
  }

  private String lane(LaneSnapshot lane) {
    return count(lane.metrics().throttled(), "429")
        + terminal.paint(DIM, ", %d in flight".formatted(lane.inFlight()))
        + lane.waitingFor()
            .filter(what -> lane.waiting() > 0 && !what.equals(Constraint.TURN))
            .map(what -> terminal.paint(CYAN, ", waiting for " + what) + left(lane))
            .orElse("");
  }

  private static String left(LaneSnapshot lane) {
    return lane.waitLeft()
        .filter(left -> left.compareTo(WORTH_SAYING) > 0)
        .map(left -> ", " + DurationText.of(left))
        .orElse("");
  }

  /** One line for a log. */
  public String line(Side pool, Side flyball) {
    return "%s  %s: %d of %d, %d 429s, %d lost;  %s: %d of %d, %d 429s, %d lost"
        .formatted(
            seconds(later(pool, flyball)),
            POOL,
            pool.standing().answered(),
            DemoAccount.CALLS,
            pool.standing().throttled(),
            pool.lost(),
            FLYBALL,
            flyball.standing().answered(),
            DemoAccount.CALLS,
            flyball.standing().throttled(),
            flyball.lost());
  }

  /** The table, and what to do next. */
  public List<String> end(Side pool, Side flyball) {
    var whole = account.least(DemoAccount.CALLS);
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add(terminal.paint(BOLD, row("", POOL, FLYBALL)));
    lines.add(row("time", seconds(pool), seconds(flyball)));
    lines.add(
        row(
            "time vs. optimum (%s)".formatted(DurationText.of(whole)),
            ratio(pool, whole),
            ratio(flyball, whole)));
    lines.add(numbers("429s", pool.standing().throttled(), flyball.standing().throttled()));
    lines.add(numbers("failed requests", pool.standing().vain(), flyball.standing().vain()));
    lines.add(numbers("wasted tokens", pool.standing().wasted(), flyball.standing().wasted()));
    lines.add(numbers("lost answers", lost(pool), lost(flyball)));
    lines.add("");
    lines.add(
        terminal.paint(
            DIM, "All numbers except times come from the simulator's log. Nothing can beat the"));
    lines.add(terminal.paint(DIM, "optimum without losing calls."));
    lines.add("");
    lines.add("next: flyball batch prompts.jsonl -o answers.jsonl    (flyball batch --help)");
    return lines;
  }

  private static long lost(Side side) {
    return DemoAccount.CALLS - side.standing().answered();
  }

  private static String seconds(Side side) {
    return seconds(side.standing().time()).strip();
  }

  private static String ratio(Side side, Duration least) {
    return "%.2f".formatted(side.standing().time().toNanos() / (double) least.toNanos());
  }

  private static String numbers(String what, long pool, long flyball) {
    return row(what, "%,d".formatted(pool), "%,d".formatted(flyball));
  }

  private static String row(String what, String pool, String flyball) {
    return "%-28s %20s %14s".formatted(what, pool, flyball);
  }
}
