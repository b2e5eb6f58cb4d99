package dev.flyball.walls;

import static java.util.Comparator.comparingDouble;
import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Where each module stands on the map: in rows, so that every arrow goes down. An arrow across rows
 * has a gap of its own in each of them, so it bends between rows and never runs over a box.
 */
final class MapLayout {
  static final int WIDTH = 1000;
  static final int MARGIN = 12;
  private static final int BETWEEN_ROWS = 64;
  private static final int BETWEEN_BOXES = 26;
  private static final int BETWEEN_PORTS = 60;
  private static final int SWEEPS = 24;
  private static final Size GAP = new Size(4, 0);

  /** How large a box is. */
  record Size(double width, double height) {}

  /** A module in its row, or the gap in which an arrow passes a row. */
  static final class Spot {
    final String name;
    final int row;
    final double width;
    final double height;
    final List<Spot> above = new ArrayList<>();
    final List<Spot> below = new ArrayList<>();
    double middle;
    double top;

    Spot(String name, int row, Size size) {
      this.name = name;
      this.row = row;
      this.width = size.width();
      this.height = size.height();
    }

    boolean isModule() {
      return !name.isEmpty();
    }

    double left() {
      return middle - width / 2;
    }

    double right() {
      return middle + width / 2;
    }
  }

  /** From the top one down. */
  private final List<List<Spot>> rows = new ArrayList<>();

  private final List<List<Spot>> arrows = new ArrayList<>();

  MapLayout(Digraph modules, Function<String, Size> sizes) {
    stand(modules, sizes);
    order();
    place();
    stack();
  }

  List<Spot> modules() {
    return rows.stream().flatMap(Collection::stream).filter(Spot::isModule).toList();
  }

  /** Each from the user through its gaps to the used. */
  List<List<Spot>> arrows() {
    return arrows;
  }

  double bottom() {
    List<Spot> last = rows.getLast();
    return last.getFirst().top + heightOf(last);
  }

  double bottomOfRow(Spot spot) {
    return spot.top + heightOf(rows.get(spot.row));
  }

  /** Where on its edge a box meets one of its arrows. */
  static double port(Spot spot, List<Spot> neighbours, Spot neighbour) {
    List<Spot> ordered =
        neighbours.stream().sorted(comparingDouble(other -> other.middle)).toList();
    double step = Math.min(BETWEEN_PORTS, spot.width / (ordered.size() + 1));
    return spot.middle + (ordered.indexOf(neighbour) - (ordered.size() - 1) / 2.0) * step;
  }

  /** A module is in a row above all that it uses; one that nobody uses is in the top one. */
  private void stand(Digraph modules, Function<String, Size> sizes) {
    Map<String, Integer> heights = modules.heights();
    int highest = heights.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (int row = 0; row <= highest; row++) {
      rows.add(new ArrayList<>());
    }
    var spots = new TreeMap<String, Spot>();
    heights.forEach(
        (module, height) -> {
          boolean used =
              modules.names().stream().anyMatch(other -> modules.of(other).contains(module));
          spots.put(module, new Spot(module, used ? highest - height : 0, sizes.apply(module)));
        });
    spots.values().forEach(spot -> rows.get(spot.row).add(spot));
    Digraph reduced = modules.reduced();
    for (Spot user : spots.values()) {
      for (String used : reduced.of(user.name)) {
        join(user, requireNonNull(spots.get(used)));
      }
    }
  }

  private void join(Spot user, Spot used) {
    var arrow = new ArrayList<>(List.of(user));
    for (int row = user.row + 1; row < used.row; row++) {
      var gap = new Spot("", row, GAP);
      rows.get(row).add(gap);
      arrow.add(gap);
    }
    arrow.add(used);
    for (int i = 1; i < arrow.size(); i++) {
      arrow.get(i - 1).below.add(arrow.get(i));
      arrow.get(i).above.add(arrow.get(i - 1));
    }
    arrows.add(arrow);
  }

  /** Neighbours on the map are neighbours in the rows: each goes where its arrows pull it. */
  private void order() {
    List<List<Spot>> best = copy();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int i = 0; i < rows.size(); i++) {
        List<Spot> row = rows.get(down ? i : rows.size() - 1 - i);
        var pull = new HashMap<Spot, Double>();
        for (Spot spot : row) {
          pull.put(spot, pull(down ? spot.above : spot.below, row.indexOf(spot)));
        }
        row.sort(comparingDouble(pull::get));
      }
      if (crossings(rows) < crossings(best)) {
        best = copy();
      }
    }
    rows.clear();
    rows.addAll(best);
    while (swapped()) {}
  }

  /** Whether two neighbours in a row have changed places and so spared a crossing. */
  private boolean swapped() {
    int now = crossings(rows);
    for (List<Spot> row : rows) {
      for (int i = 0; i + 1 < row.size(); i++) {
        Collections.swap(row, i, i + 1);
        if (crossings(rows) < now) {
          return true;
        }
        Collections.swap(row, i, i + 1);
      }
    }
    return false;
  }

  private double pull(List<Spot> neighbours, int now) {
    return neighbours.stream()
        .mapToDouble(spot -> (rows.get(spot.row).indexOf(spot) + 0.5) / rows.get(spot.row).size())
        .average()
        .orElse((double) now / WIDTH);
  }

  private List<List<Spot>> copy() {
    return new ArrayList<>(rows.stream().<List<Spot>>map(ArrayList::new).toList());
  }

  private static int crossings(List<List<Spot>> rows) {
    int crossings = 0;
    for (int i = 0; i + 1 < rows.size(); i++) {
      List<Spot> row = rows.get(i);
      List<Spot> next = rows.get(i + 1);
      for (int left = 0; left < row.size(); left++) {
        for (int right = left + 1; right < row.size(); right++) {
          for (Spot one : row.get(left).below) {
            for (Spot other : row.get(right).below) {
              crossings += next.indexOf(one) > next.indexOf(other) ? 1 : 0;
            }
          }
        }
      }
    }
    return crossings;
  }

  /** Each spot as near as can be to the middle of its neighbours, with the order kept. */
  private void place() {
    for (List<Spot> row : rows) {
      double x = MARGIN;
      for (Spot spot : row) {
        spot.middle = x + spot.width / 2;
        x += spot.width + BETWEEN_BOXES;
      }
      double shift = (WIDTH - MARGIN - (x - BETWEEN_BOXES)) / 2;
      row.forEach(spot -> spot.middle += shift);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (List<Spot> row : rows) {
        for (Spot spot : row) {
          var neighbours = new ArrayList<>(spot.above);
          neighbours.addAll(spot.below);
          spot.middle =
              neighbours.stream().mapToDouble(other -> other.middle).average().orElse(spot.middle);
        }
        spread(row);
      }
    }
    List<Spot> all = rows.stream().flatMap(Collection::stream).toList();
    double left = all.stream().mapToDouble(Spot::left).min().orElse(0);
    double right = all.stream().mapToDouble(Spot::right).max().orElse(WIDTH);
    all.forEach(spot -> spot.middle += (WIDTH - left - right) / 2);
  }

  private static void spread(List<Spot> row) {
    double from = MARGIN;
    for (Spot spot : row) {
      spot.middle = Math.max(spot.middle, from + spot.width / 2);
      from = spot.right() + BETWEEN_BOXES;
    }
    double to = WIDTH - MARGIN;
    for (Spot spot : row.reversed()) {
      spot.middle = Math.min(spot.middle, to - spot.width / 2);
      to = spot.left() - BETWEEN_BOXES;
    }
  }

  /** Row below row. */
  private void stack() {
    double top = MARGIN;
    for (List<Spot> row : rows) {
      for (Spot spot : row) {
        spot.top = top;
      }
      top += heightOf(row) + BETWEEN_ROWS;
    }
  }

  private static double heightOf(List<Spot> row) {
    return row.stream().mapToDouble(spot -> spot.height).max().orElse(0);
  }
}
