package dev.flyball.walls;

import static dev.flyball.walls.MapLayout.MARGIN;
import static dev.flyball.walls.MapLayout.WIDTH;
import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.flyball.walls.MapLayout.Size;
import dev.flyball.walls.MapLayout.Spot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A map as a picture. Only boxes carry text on a colour; what stands on the page's own background
 * is of a grey that shows on white and on black.
 */
final class MapDrawing {
  private static final int PADDING = 14;
  private static final int CHIP_HEIGHT = 26;
  private static final int CHIP_GAP = 8;
  private static final double LETTER = 7.85;
  private static final double SMALL_LETTER = 7.25;
  private static final int LINE = 16;
  private static final int TITLE = 26;
  private static final int SMALL_LINE_LETTERS = 46;

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 WIDTH HEIGHT" width="WIDTH" height="HEIGHT"\
       role="img" aria-label="The modules and packages of Flyball and who uses whom">
        <!-- Drawn from the classes by ArchitectureMapTest, which also says how to draw it again. -->
        <style>
          text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
          .module { fill: #eef3f8; stroke: #5b7a99; stroke-width: 1.5 }
          .title { font-size: 16px; font-weight: bold; fill: #16324f }
          .uses { font-size: 12px; fill: #46586b }
          .package { fill: #ffffff; stroke: #a9bccf }
          .name { font-size: 13px; fill: #1b2733; text-anchor: middle }
          .arrow { fill: none; stroke: #7d8ea0; stroke-width: 1.75 }
          .tip { fill: #7d8ea0 }
          .legend { font-size: 12px; fill: #7d8ea0 }
        </style>
        <defs>
          <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
            <path class="tip" d="M0 0 L10 5 L0 10 z"/>
          </marker>
        </defs>
      """;

  private static final List<String> LEGEND =
      List.of(
          "An arrow goes from a module to one that it uses. One that follows from others is not"
              + " drawn; the line below a",
          "module's name has them all. Inside a module, a package uses only packages in rows below"
              + " its own.");

  private final ArchitectureMap map;
  private final MapLayout layout;
  private final StringBuilder out = new StringBuilder();

  MapDrawing(ArchitectureMap map) {
    this.map = map;
    this.layout = new MapLayout(map.modules(), this::size);
  }

  String svg() {
    int height = (int) layout.bottom() + MARGIN + LEGEND.size() * LINE + MARGIN;
    out.append(HEAD.replace("WIDTH", "" + WIDTH).replace("HEIGHT", "" + height));
    layout.arrows().forEach(this::drawArrow);
    layout.modules().stream().sorted(comparing(spot -> spot.name)).forEach(this::drawModule);
    double y = layout.bottom() + MARGIN;
    for (String line : LEGEND) {
      y += LINE;
      text("legend", MARGIN, y, line);
    }
    return out.append("</svg>\n").toString();
  }

  private Size size(String module) {
    double width = TITLE + LETTER * 1.25 * module.length();
    for (String line : usesLines(module)) {
      width = Math.max(width, line.length() * SMALL_LETTER);
    }
    List<List<String>> layers = layers(module);
    for (List<String> layer : layers) {
      width = Math.max(width, layerWidth(layer));
    }
    double height =
        TITLE + usesLines(module).size() * LINE + layers.size() * (CHIP_HEIGHT + CHIP_GAP);
    return new Size(width + 2 * PADDING, height + PADDING);
  }

  private void drawArrow(List<Spot> arrow) {
    var path = new StringBuilder();
    for (int i = 0; i + 1 < arrow.size(); i++) {
      Spot from = arrow.get(i);
      Spot to = arrow.get(i + 1);
      double x = MapLayout.port(from, from.below, to);
      double toX = MapLayout.port(to, to.above, from);
      double y = layout.bottomOfRow(from);
      double half = (y + to.top) / 2;
      if (i == 0) {
        path.append("M").append(numbers(x, from.top + from.height));
      }
      path.append(" V").append(numbers(y));
      path.append(" C").append(numbers(x, half, toX, half, toX, to.top));
    }
    out.append("  <path class='arrow' marker-end='url(#tip)' d='" + path + "'/>\n");
  }

  private void drawModule(Spot spot) {
    box("module", spot.left(), spot.top, spot.width, spot.height);
    double y = spot.top + TITLE - 2;
    text("title", spot.left() + PADDING, y, spot.name);
    for (String line : usesLines(spot.name)) {
      y += LINE;
      text("uses", spot.left() + PADDING, y, line);
    }
    y += CHIP_GAP + 2;
    for (List<String> layer : layers(spot.name)) {
      double x = spot.middle - layerWidth(layer) / 2;
      for (String name : layer) {
        box("package", x, y, chipWidth(name), CHIP_HEIGHT);
        text("name", x + chipWidth(name) / 2, y + CHIP_HEIGHT - 8.5, name);
        x += chipWidth(name) + CHIP_GAP;
      }
      y += CHIP_HEIGHT + CHIP_GAP;
    }
  }

  /** The packages of a module, from the top row down. */
  private List<List<String>> layers(String module) {
    var layers = new TreeMap<Integer, List<String>>(reverseOrder());
    Digraph packages = requireNonNull(map.packages().get(module));
    Map<String, Integer> heights = packages.heights();
    for (String name : packages.names()) {
      layers.computeIfAbsent(heights.get(name), any -> new ArrayList<>()).add(name);
    }
    return List.copyOf(layers.values());
  }

  private List<String> usesLines(String module) {
    var lines = new ArrayList<String>();
    String line = map.modules().of(module).isEmpty() ? "uses no other module" : "uses";
    String comma = " ";
    for (String used : map.modules().of(module)) {
      if (line.length() + comma.length() + used.length() > SMALL_LINE_LETTERS) {
        lines.add(line + ",");
        line = "    ";
        comma = " ";
      }
      line += comma + used;
      comma = ", ";
    }
    lines.add(line);
    return lines;
  }

  private static double layerWidth(List<String> layer) {
    return layer.stream().mapToDouble(MapDrawing::chipWidth).sum() + (layer.size() - 1) * CHIP_GAP;
  }

  private static double chipWidth(String name) {
    return name.length() * LETTER + 2 * CHIP_GAP;
  }

  private void box(String kind, double x, double y, double width, double height) {
    out.append("  <rect class='" + kind + "' x='" + numbers(x) + "' y='" + numbers(y));
    out.append("' width='" + numbers(width) + "' height='" + numbers(height) + "' rx='6'/>\n");
  }

  private void text(String kind, double x, double y, String words) {
    out.append("  <text class='" + kind + "' x='" + numbers(x) + "' y='" + numbers(y));
    out.append("' xml:space='preserve'>" + words + "</text>\n");
  }

  private static String numbers(double... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> String.format(Locale.ROOT, "%.1f", number))
        .collect(joining(" "));
  }
}
