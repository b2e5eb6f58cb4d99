package dev.flyball.bench;

import dev.flyball.worlds.UnstatedCase;
import dev.flyball.worlds.UnstatedTable;
import dev.flyball.worlds.UnstatedTable.Cell;
import dev.flyball.worlds.UnstatedWorld.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Limits that nobody states, in virtual time: every kind of limiter × how long answers take. {@code
 * unstated [SEEDS [SEEDS-OF-OTHERS [WORDS-OF-A-TITLE]]]}: the second for what is no 429 alone.
 */
final class Unstated {
  private static final int SEEDS = 11;

  private final List<Long> seeds;
  private final List<Long> others;
  private final String only;

  private Unstated(List<Long> seeds, List<Long> others, String only) {
    this.seeds = seeds;
    this.others = others;
    this.only = only;
  }

  static Optional<BenchReport> run(String[] args) {
    int count = args.length == 0 ? SEEDS : Integer.parseInt(args[0]);
    int others = args.length < 2 ? count : Integer.parseInt(args[1]);
    var only = args.length < 3 ? "" : args[2];
    return Optional.of(new Unstated(seeds(count), seeds(others), only).report());
  }

  private static List<Long> seeds(int count) {
    return LongStream.range(0, count).boxed().toList();
  }

  private BenchReport report() {
    var report =
        new BenchReport("Limits that nobody states")
            .say(
                """
                The real scheduler in virtual time against limiters that say nothing but yes and no \
                (`UnstatedWorld`), and at most 2,000 in flight. Each cell: × the least time of somebody \
                who knows the limiter, median / worst of %d seeds (%d where a refusal is no 429 alone); \
                then refusals, median / worst. Columns are how long an answer takes. *Bound*: a burst \
                of one, and a penalty, for which nobody who is told nothing can be within a tenth.\
                """
                    .formatted(seeds.size(), others.size()));
    tables(report, "The limiters that people meet", UnstatedCase.usual());
    tables(report, "The same kinds in short runs", UnstatedCase.brief());
    tables(report, "Odd numbers", UnstatedCase.odd());
    tables(report, "More of them", UnstatedCase.odder());
    tables(report, "And more", UnstatedCase.oddest());
    tables(report, "Hundreds a second", UnstatedCase.fast());
    tables(report, "Written down before they were run", UnstatedCase.unseen());
    return report;
  }

  private void tables(BenchReport report, String title, List<UnstatedCase> cases) {
    if (!title.contains(only)) {
      return;
    }
    for (var refusal : Refusal.values()) {
      for (boolean remembering : new boolean[] {false, true}) {
        var used = refusal == Refusal.BARE ? seeds : others;
        table(report, title, cases, refusal, remembering, used);
      }
    }
  }

  private static void table(
      BenchReport report,
      String title,
      List<UnstatedCase> cases,
      Refusal refusal,
      boolean remembering,
      List<Long> seeds) {
    var head = new ArrayList<>(List.of("limiter"));
    UnstatedCase.LATENCIES.forEach(latency -> head.add(latency + " s"));
    var rows = new ArrayList<List<String>>();
    var all = new ArrayList<Cell>();
    for (var test : cases) {
      var row = new ArrayList<>(List.of(test.name()));
      for (double latency : UnstatedCase.LATENCIES) {
        var cell = UnstatedTable.cell(test, latency, refusal, remembering, seeds);
        all.add(cell);
        row.add(cell.text());
      }
      rows.add(row);
    }
    var name = "%s: %s, %s".formatted(title, name(refusal), remembering ? "remembering" : "fresh");
    System.err.println(name + ". " + sum(all, remembering));
    report.say("## " + name).table(head, rows).say(sum(all, remembering));
  }

  private static String name(Refusal refusal) {
    return switch (refusal) {
      case BARE -> "429 alone";
      case RETRY_AFTER -> "429 with Retry-After in whole seconds";
      case UNAVAILABLE -> "503 alone";
    };
  }

  private static String sum(List<Cell> cells, boolean remembering) {
    double fast = remembering ? 1.055 : 1.105;
    var fair = cells.stream().filter(cell -> !cell.test().isBound()).toList();
    return ("Of %d cells: median at most %s in %d (of the %d that are not bound: %d) and "
                + "1.25 in %d, worst seed at most 1.6 in %d; ")
            .formatted(
                cells.size(),
                remembering ? "1.05" : "1.10",
                cells.stream().filter(cell -> cell.ratio() <= fast).count(),
                fair.size(),
                fair.stream().filter(cell -> cell.ratio() <= fast).count(),
                cells.stream().filter(cell -> cell.ratio() <= 1.255).count(),
                cells.stream().filter(cell -> cell.worst() <= 1.605).count())
        + "refusals within what is put up with in %d; no silence more than 1.5 s longer than the "
            .formatted(
                cells.stream()
                    .filter(
                        cell ->
                            cell.refused()
                                <= (remembering ? 5 : cell.test().steadiness().refusals()))
                    .count())
        + "limiter's own in %d; everything answered in %d."
            .formatted(
                cells.stream().filter(cell -> cell.tooSilent() <= 1.5).count(),
                cells.stream().filter(Cell::allAnswered).count());
  }
}
