package dev.flyball.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.ScreenTerminal;

/**
 * The demo as a picture that moves: the command draws on a terminal that is in this process, its
 * screen is read every now and then, and what changed is a frame of {@code docs/demo.svg}.
 */
final class Recording {
  private static final int COLUMNS = 84;
  private static final int ROWS = 24;
  private static final double CELL_WIDTH = 8.4;
  private static final int CELL_HEIGHT = 18;
  private static final int MARGIN = 14;
  private static final long EVERY = 800_000_000;
  private static final double LAST_SECONDS = 6;

  /** A screen, and how long after the start it was there. */
  private record Frame(double seconds, List<String> rows) {}

  private Recording() {}

  static Optional<BenchReport> run(String[] args) throws Exception {
    var house = Path.of(System.getProperty("flyball.house", ".")).toAbsolutePath();
    var frames = record(house.resolve("flyball").toString());
    var file = house.resolve("docs/demo.svg");
    Files.writeString(file, drawn(frames));
    System.out.printf("%s: %d frames, %,d bytes%n", file, frames.size(), Files.size(file));
    return Optional.empty();
  }

  private static List<Frame> record(String flyball) throws IOException, InterruptedException {
    var screen = new ScreenTerminal(COLUMNS, ROWS);
    screen.write("$ flyball demo\r\n");
    var builder = new ProcessBuilder(flyball, "demo").redirectErrorStream(true);
    builder.environment().put("FLYBALL_JAVA_OPTS", "-Dflyball.terminals=t12");
    builder.environment().put("TERM", "xterm-256color");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("COLUMNS", String.valueOf(COLUMNS));
    builder.environment().put("LINES", String.valueOf(ROWS));
    builder.environment().remove("CI");
    builder.environment().remove("NO_COLOR");
    var frames = new ArrayList<Frame>();
    var process = builder.start();
    process.getOutputStream().close();
    var out = process.getInputStream();
    var piece = new byte[1 << 16];
    long started = 0;
    long next = 0;
    for (int length; (length = out.read(piece)) >= 0; ) {
      long now = System.nanoTime();
      started = started == 0 ? now : started;
      screen.write(new String(piece, 0, length, UTF_8).replace("\n", "\r\n"));
      if (now >= next) {
        next = now + EVERY;
        frames.add(new Frame((now - started) / 1e9, rows(screen)));
      }
    }
    process.waitFor();
    frames.add(new Frame((System.nanoTime() - started) / 1e9, rows(screen)));
    return frames;
  }

  /** The rows of the screen as text elements of SVG. */
  private static List<String> rows(ScreenTerminal screen) {
    var cells = new long[ROWS * COLUMNS];
    screen.dump(cells, 0, 0, ROWS, COLUMNS, null);
    var rows = new ArrayList<String>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(row(cells, row));
    }
    return rows;
  }

  private static String row(long[] cells, int row) {
    var spans = new StringBuilder();
    int column = 0;
    while (column < COLUMNS) {
      long style = ScreenTerminal.cellAttr(cells[row * COLUMNS + column]);
      var text = new StringBuilder();
      int begin = column;
      while (column < COLUMNS && ScreenTerminal.cellAttr(cells[row * COLUMNS + column]) == style) {
        int character = ScreenTerminal.cellCodePoint(cells[row * COLUMNS + column]);
        text.appendCodePoint(character == 0 ? ' ' : character);
        column++;
      }
      if (!text.toString().isBlank()) {
        spans.append(span(cells[row * COLUMNS + begin], begin, text.toString().stripTrailing()));
      }
    }
    return spans.toString();
  }

  private static String span(long cell, int column, String text) {
    var fill =
        ScreenTerminal.cellHasForeground(cell)
            ? " fill=\"#%06x\""
                .formatted(ScreenTerminal.cellColorRgb(ScreenTerminal.cellForeground(cell)))
            : ScreenTerminal.cellDim(cell) ? " fill=\"#8b949e\"" : "";
    var weight = ScreenTerminal.cellBold(cell) ? " font-weight=\"bold\"" : "";
    int leading = text.length() - text.stripLeading().length();
    return "<tspan x=\"%.1f\"%s%s>%s</tspan>"
        .formatted(
            (column + leading) * CELL_WIDTH,
            fill,
            weight,
            text.strip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
  }

  private static String drawn(List<Frame> frames) {
    double whole = frames.getLast().seconds() + LAST_SECONDS;
    double width = COLUMNS * CELL_WIDTH + 2 * MARGIN;
    int height = ROWS * CELL_HEIGHT + 2 * MARGIN;
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" \
        font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" \
        font-size="14" fill="#e6edf3" xml:space="preserve">
        <title>flyball demo, recorded by bench/run recording</title>
        <style>.strip{animation:play %.1fs steps(1,end) infinite}
        @keyframes play{
        """
            .formatted(width, height, width, height, whole));
    for (int i = 0; i < frames.size(); i++) {
      svg.append(
          "%.2f%%{transform:translateY(%dpx)}\n"
              .formatted(100 * frames.get(i).seconds() / whole, -i * height));
    }
    svg.append(
        "100%%{transform:translateY(%dpx)}}</style>\n".formatted(-(frames.size() - 1) * height));
    svg.append(
        "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/><g class=\"strip\">\n");
    for (int i = 0; i < frames.size(); i++) {
      for (int row = 0; row < ROWS; row++) {
        var text = frames.get(i).rows().get(row);
        if (!text.isEmpty()) {
          svg.append(
              "<text transform=\"translate(%d %d)\">%s</text>\n"
                  .formatted(MARGIN, i * height + MARGIN + (row + 1) * CELL_HEIGHT - 4, text));
        }
      }
    }
    return svg.append("</g></svg>\n").toString();
  }
}
