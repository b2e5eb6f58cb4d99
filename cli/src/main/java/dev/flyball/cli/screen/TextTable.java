package dev.flyball.cli.screen;

import dev.flyball.review.finding.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows of cells under a head, each column as wide as it needs to be. */
final class TextTable {
  private static final String GAP = "  ";

  /** A text, and how it is painted; paint takes no room. */
  record Cell(String text, UnaryOperator<String> paint) {
    Cell {
      text = SafeText.line(text);
    }

    static Cell of(String text) {
      return new Cell(text, UnaryOperator.identity());
    }

    private int width() {
      return text.codePointCount(0, text.length());
    }
  }

  private enum Side {
    LEFT,
    RIGHT
  }

  private record Column(String head, Side side) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A column of words. */
  TextTable left(String head) {
    columns.add(new Column(head, Side.LEFT));
    return this;
  }

  /** A column of numbers. */
  TextTable right(String head) {
    columns.add(new Column(head, Side.RIGHT));
    return this;
  }

  TextTable row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "a row has a cell for each of " + columns.size() + " columns, but had " + cells.size());
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  TextTable row(String... cells) {
    return row(List.of(cells).stream().map(Cell::of).toList());
  }

  /** The head, painted, and the rows. */
  List<String> lines(UnaryOperator<String> paint) {
    var all = new ArrayList<List<Cell>>();
    all.add(columns.stream().map(column -> new Cell(column.head(), paint)).toList());
    all.addAll(rows);
    int[] widths = new int[columns.size()];
    for (var row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).width());
      }
    }
    return all.stream().map(row -> line(row, widths)).toList();
  }

  private String line(List<Cell> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      var cell = row.get(i);
      var room = " ".repeat(widths[i] - cell.width());
      var text = cell.text().isEmpty() ? "" : cell.paint().apply(cell.text());
      line.append(i == 0 ? "" : GAP);
      line.append(columns.get(i).side() == Side.LEFT ? text + room : room + text);
    }
    return line.toString().stripTrailing();
  }
}
