package dev.flyball.cli.screen;

import dev.flyball.call.Cost;
import dev.flyball.call.DurationText;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.ReviewSums;
import dev.flyball.history.record.UsageGrouping;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.record.UsageSums;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Usage as people look at it: a table, and on a terminal how it is shared and how it went. */
public record UsagePage(Terminal terminal, Style style) {
  /** Whether there is somebody who looks at drawings. */
  public enum Style {
    DRAWN,
    PLAIN
  }

  private static final int BAR = 12;
  private static final int WIDE = 100;
  private static final int MOST_DAYS = 60;
  private static final String LEVELS = "▁▂▃▄▅▆▇█";

  public List<String> lines(UsageSums usages) {
    var lines = new ArrayList<String>();
    var total = usages.total();
    lines.add(
        "%s%s to %s UTC"
            .formatted(
                usages.origin() == AnswerOrigin.SIMULATED ? "simulated, " : "",
                minute(usages.since().truncatedTo(ChronoUnit.HOURS)),
                minute(usages.until())));
    UnaryOperator<String> dim = text -> terminal.paint(Terminal.Colour.DIM, text);
    if (usages.isOfCalls()) {
      lines.addAll(table(usages, total).lines(dim));
    }
    if (!usages.reviews().isEmpty()) {
      if (usages.isOfCalls()) {
        lines.add("");
      }
      lines.addAll(reviews(usages).lines(dim));
    }
    if (style == Style.DRAWN && usages.days().size() > 1) {
      lines.add("");
      lines.add("%s %s per day".formatted(sparkline(usages), byCost(total) ? "cost" : "tokens"));
    }
    if (total.unpriced() > 0) {
      lines.add(
          total.unpriced() == 1
              ? "+ 1 attempt has no known price and is not in the cost"
              : "+ %,d attempts have no known price and are not in the cost"
                  .formatted(total.unpriced()));
    }
    long unknown = usages.reviews(total).unpriced();
    if (unknown > 0) {
      lines.add(
          unknown == 1
              ? "+ the cost of 1 review is not known and is not in the cost of reviews"
              : "+ the cost of %,d reviews is not known and is not in the cost of reviews"
                  .formatted(unknown));
    }
    return lines;
  }

  /** Such as {@code 2026-11-19 21:11}. */
  private static String minute(Instant at) {
    return at.truncatedTo(ChronoUnit.MINUTES).toString().replace('T', ' ').replace(":00Z", "");
  }

  private TextTable reviews(UsageSums usages) {
    var table = new TextTable();
    usages.by().forEach(by -> table.left(name(by)));
    for (var head :
        List.of(
            "reviews",
            "tokens",
            "mean tokens",
            "max tokens",
            "mean time",
            "max time",
            "cost",
            "mean cost")) {
      table.right(head);
    }
    usages.reviews().forEach(each -> table.row(cells(usages, each)));
    if (usages.reviews().size() > 1) {
      table.row(cells(usages, usages.reviews(usages.total())));
    }
    return table;
  }

  private List<TextTable.Cell> cells(UsageSums usages, ReviewSums sums) {
    boolean all = sums.group().isEmpty();
    UnaryOperator<String> bold = text -> terminal.paint(Terminal.Colour.BOLD, text);
    var cells = new ArrayList<TextTable.Cell>();
    for (var by : usages.by()) {
      cells.add(
          all
              ? new TextTable.Cell(cells.isEmpty() ? "all" : "", bold)
              : TextTable.Cell.of(named(sums.group().get(by))));
    }
    Stream.of(
            "%,d".formatted(sums.reviews()),
            brief(sums.tokens()),
            brief(sums.meanTokens()),
            brief(sums.mostTokens()),
            DurationText.of(sums.meanTime()),
            DurationText.of(sums.longest()),
            money(sums.cost(), sums.unpriced()),
            sums.priced() == 0 ? "-" : money(sums.meanCost()))
        .map(TextTable.Cell::of)
        .forEach(cells::add);
    return cells;
  }

  /** A column of numbers; one that would be all noughts is only there for programs. */
  private record Column(String head, Function<UsageRow, TextTable.Cell> cell, boolean shown) {}

  private List<Column> columns(UsageRow total) {
    boolean all = style == Style.PLAIN;
    var usage = total.usage();
    return Stream.of(
            plain("calls", row -> "%,d".formatted(UsageSums.calls(row)), true),
            plain("input", row -> brief(row.usage().input()), true),
            plain("output", row -> brief(row.usage().output()), true),
            plain(
                "cache read", row -> brief(row.usage().cacheRead()), all || usage.cacheRead() > 0),
            plain(
                "cache write",
                row -> brief(row.usage().cacheWrite()),
                all || usage.cacheWrite() > 0),
            plain("mean tokens", row -> brief(UsageSums.meanTokens(row)), true),
            plain("max tokens", row -> brief(row.mostTokens()), true),
            plain("mean time", row -> DurationText.of(UsageSums.meanLatency(row)), true),
            plain("cost", row -> money(row.usage().cost(), row.unpriced()), true),
            new Column(
                "throttled",
                row -> warning(row.throttled(), "%,d".formatted(row.throttled())),
                all || total.throttled() > 0),
            plain("retried", row -> "%,d".formatted(row.retried()), all || total.retried() > 0),
            new Column(
                "wasted",
                row -> warning(row.wasted(), brief(row.wasted())),
                all || total.wasted() > 0))
        .filter(Column::shown)
        .toList();
  }

  private static Column plain(String head, Function<UsageRow, String> text, boolean shown) {
    return new Column(head, row -> TextTable.Cell.of(text.apply(row)), shown);
  }

  private TextTable table(UsageSums usages, UsageRow total) {
    var table = new TextTable();
    usages.by().forEach(by -> table.left(name(by)));
    var columns = columns(total);
    columns.forEach(column -> table.right(column.head()));
    if (hasBars()) {
      table.left(byCost(total) ? "share of cost" : "share of tokens");
    }
    usages.rows().forEach(row -> table.row(cells(usages, row, total, columns)));
    if (usages.rows().size() > 1) {
      table.row(cells(usages, total, total, columns));
    }
    return table;
  }

  private boolean hasBars() {
    return style == Style.DRAWN && terminal.width() >= WIDE;
  }

  private List<TextTable.Cell> cells(
      UsageSums usages, UsageRow row, UsageRow total, List<Column> columns) {
    var cells = new ArrayList<TextTable.Cell>();
    UnaryOperator<String> bold = text -> terminal.paint(Terminal.Colour.BOLD, text);
    boolean all = row.group().isEmpty();
    if (all) {
      usages.by().forEach(by -> cells.add(new TextTable.Cell(cells.isEmpty() ? "all" : "", bold)));
    } else {
      usages.by().forEach(by -> cells.add(TextTable.Cell.of(named(row.group().get(by)))));
    }
    columns.forEach(column -> cells.add(column.cell().apply(row)));
    if (hasBars()) {
      var measure = measure(total);
      double part = (double) measure.applyAsLong(row) / Math.max(1, measure.applyAsLong(total));
      cells.add(
          all
              ? TextTable.Cell.of("")
              : new TextTable.Cell(
                  "%s %3.0f %%".formatted(Terminal.bar(part, BAR), 100 * part),
                  text -> terminal.paint(Terminal.Colour.CYAN, text)));
    }
    return cells;
  }

  private TextTable.Cell warning(long count, String text) {
    return count == 0
        ? TextTable.Cell.of(text)
        : new TextTable.Cell(text, plain -> terminal.paint(Terminal.Colour.MAGENTA, plain));
  }

  private static boolean byCost(UsageRow total) {
    return total.usage().cost().micros() > 0;
  }

  private static ToLongFunction<UsageRow> measure(UsageRow total) {
    return byCost(total) ? row -> row.usage().cost().micros() : row -> row.usage().tokens();
  }

  /** One sign a day, also for days without usage. */
  private static String sparkline(UsageSums usages) {
    var measure = measure(usages.total());
    var byDay =
        usages.days().stream()
            .collect(
                Collectors.toMap(
                    row -> LocalDate.parse(named(row.group().get(UsageGrouping.DAY))),
                    measure::applyAsLong));
    var last = LocalDate.ofInstant(usages.until(), ZoneOffset.UTC);
    var first = LocalDate.ofInstant(usages.since(), ZoneOffset.UTC);
    var earliest = last.minusDays(MOST_DAYS - 1L);
    long most = byDay.values().stream().mapToLong(Long::longValue).max().orElse(1);
    return (first.isBefore(earliest) ? earliest : first)
        .datesUntil(last.plusDays(1))
        .map(day -> level(byDay.getOrDefault(day, 0L), most))
        .collect(Collectors.joining());
  }

  private static String level(long value, long most) {
    if (value == 0 || most == 0) {
      return " ";
    }
    int level = (int) Math.min(LEVELS.length() - 1, LEVELS.length() * value / most);
    return LEVELS.substring(level, level + 1);
  }

  private static String named(@org.jspecify.annotations.Nullable String group) {
    return group == null || group.isEmpty() ? "-" : group;
  }

  static String name(UsageGrouping by) {
    return by.name().toLowerCase(Locale.ROOT);
  }

  /** Three digits and a letter: 950, 12.3k, 4.56M. */
  public static String brief(long count) {
    if (count < 1_000) {
      return Long.toString(count);
    }
    var units = "kMGTPE";
    double value = count;
    int unit = -1;
    while (value >= 999.5) {
      value /= 1_000;
      unit++;
    }
    int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + digits + "f%c", value, units.charAt(unit));
  }

  /** Of which a part may not be known, or all. */
  private static String money(Cost known, long unpriced) {
    return unpriced == 0 ? money(known) : known.micros() == 0 ? "–" : money(known) + "+";
  }

  /** Cents, and what is smaller only if there is nothing larger. */
  static String money(Cost cost) {
    var dollars = BigDecimal.valueOf(cost.micros(), 6);
    int digits = cost.micros() == 0 || cost.micros() >= 1_000_000 ? 2 : 4;
    return "$" + dollars.setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }
}
