package dev.flyball.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.batch.BatchReport;
import dev.flyball.call.BreakerState;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.Usage;
import dev.flyball.run.CostMeter;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Metrics;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jline.terminal.Size;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands on the screen of a terminal that somebody else wrote, read back after each frame. */
class ScreenReadBackTest {
  private static final Instant NOW = Instant.parse("2026-11-18T10:00:00Z");

  /** A terminal, the screen that draws on it, and its size as the screen is told it. */
  private static final class Window {
    final ScreenTerminal emulator;
    final StringWriter written = new StringWriter();
    final PrintWriter out;
    final Terminal terminal;
    ScreenSize size;
    boolean breaksLines;

    Window(int columns, int rows) {
      emulator = new ScreenTerminal(columns, rows);
      size = new ScreenSize(rows, columns);
      out = InertWriter.before(new PrintWriter(written, true));
      terminal = new Terminal(out, new TerminalTraits(true, true), () -> size);
    }

    void resize(int columns, int rows) {
      emulator.setSize(Size.of(columns, rows));
      size = new ScreenSize(rows, columns);
    }

    /** What was written goes to the terminal, as a line discipline would send it. */
    List<String> read() {
      var sent = written.toString().replace("\n", "\r\n");
      emulator.write(breaksLines ? sent.replace("\u001b[?7l", "") : sent);
      written.getBuffer().setLength(0);
      var cells = new long[size.rows() * size.columns()];
      emulator.dump(cells, 0, 0, size.rows(), size.columns(), null);
      var lines = new ArrayList<String>();
      for (int row = 0; row < size.rows(); row++) {
        var line = new StringBuilder();
        for (int column = 0; column < size.columns(); column++) {
          int cell = ScreenTerminal.cellCodePoint(cells[row * size.columns() + column]);
          line.appendCodePoint(cell == 0 ? ' ' : cell);
        }
        lines.add(line.toString().stripTrailing());
      }
      return lines;
    }
  }

  private static LaneSnapshot lane(String model, double level) {
    return new LaneSnapshot(
        new LaneId("simulated", model, "076fb033", ""),
        3,
        2,
        10,
        BreakerState.CLOSED,
        Optional.of(new Constraint("output tokens")),
        Optional.of(Duration.ofMillis(3_200)),
        Stream.of(Dimension.REQUESTS, Dimension.INPUT_TOKENS, Dimension.OUTPUT_TOKENS)
            .map(
                each ->
                    new LaneSnapshot.Gauge(each, OptionalLong.of(1_000), level, 1_000, 10, 0, true))
            .toList(),
        0,
        Metrics.NONE);
  }

  private static BatchReport report(long completed, int lanes) {
    // The busiest comes first, and that changes all the time.
    var all =
        IntStream.range(0, lanes)
            .mapToObj(i -> lane("model-" + (i + completed) % lanes, 10 * i))
            .toList();
    return new BatchReport(
        NOW,
        true,
        new BatchReport.LineCounts(240, completed, 0, 0, 0),
        Usage.of(100, 200),
        new CostMeter.Sum(Cost.dollars("0"), 0, List.of(), "2026-11-15"),
        Duration.ofSeconds(1 + completed / 10),
        new SchedulerSnapshot(all, List.of(), Metrics.NONE, 0),
        Map.of(),
        Map.of(),
        Map.of(),
        new BatchReport.Hindrance(Optional.empty(), Map.of(), Optional.empty(), List.of()));
  }

  private static void draw(Window window, BatchScreen screen, long completed) {
    window.terminal.draw(screen.picture(report(completed, 6), NOW, Optional.empty()));
  }

  private static BatchScreen screen(Window window) {
    return new BatchScreen(window.terminal, "many.jsonl \u2192 answers.jsonl", ZoneId.of("UTC"));
  }

  private static void assertOneFrame(List<String> shown, long completed) {
    assertThat(shown).filteredOn(line -> line.startsWith("many.jsonl")).hasSize(1);
    assertThat(shown).filteredOn(line -> line.contains(" of 240")).hasSize(1);
    assertThat(shown).anyMatch(line -> line.contains(completed + " of 240"));
    var lanes = shown.stream().filter(line -> line.contains("model-")).toList();
    assertThat(lanes).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({"200, 50", "80, 24", "40, 10", "20, 4"})
  void every_frame_stands_alone_and_has_its_bar(int columns, int rows) {
    var window = new Window(columns, rows);
    window.out.print("$ flyball batch many.jsonl\n");
    var screen = screen(window);
    for (long completed = 100; completed < 110; completed++) {
      draw(window, screen, completed);
      var shown = window.read();
      assertThat(shown).filteredOn(line -> line.startsWith("many.jsonl")).hasSize(1);
      assertThat(shown).filteredOn(line -> line.startsWith("\u2588")).hasSize(1);
      if (columns >= 40) {
        assertOneFrame(shown, completed);
      }
    }
  }

  @Test
  void lanes_are_one_line_each_where_rows_are_short_and_whole_where_they_are_not() {
    var small = new Window(80, 24);
    draw(small, screen(small), 100);
    assertThat(small.read()).filteredOn(line -> line.contains("model-")).hasSize(6);

    var smaller = new Window(80, 8);
    draw(smaller, screen(smaller), 100);
    assertThat(smaller.read()).anyMatch(line -> line.startsWith("... and 3 more lanes"));

    var large = new Window(200, 50);
    draw(large, screen(large), 100);
    assertThat(large.read()).filteredOn(line -> line.startsWith("  output tokens")).hasSize(6);
  }

  @Test
  void a_window_that_changes_while_it_is_drawn_on_keeps_one_frame() {
    var window = new Window(120, 40);
    var screen = screen(window);
    int[][] sizes = {{60, 40}, {40, 10}, {200, 50}, {80, 24}, {79, 23}, {41, 11}, {120, 40}};
    long completed = 100;
    for (var size : sizes) {
      draw(window, screen, completed++);
      window.read();
      window.resize(size[0], size[1]);
      for (int frame = 0; frame < 3; frame++) {
        draw(window, screen, completed);
        assertOneFrame(window.read(), completed++);
      }
    }
  }

  @Test
  void wide_letters_and_marks_are_cut_where_the_screen_ends() {
    var window = new Window(20, 6);
    var title = "\u6f22\u5b57".repeat(10) + "e\u0301".repeat(30);
    for (int frame = 0; frame < 3; frame++) {
      window.terminal.draw(List.of(title, "bar " + frame));
      var shown = window.read();
      assertThat(shown).filteredOn(line -> line.startsWith("bar")).containsExactly("bar " + frame);
      assertThat(shown.get(1)).isEqualTo("bar " + frame);
    }
    assertThat(TextWidth.of("\u6f22e\u0301\ud83d\ude00a")).isEqualTo(6);
  }

  @Test
  void where_there_are_more_lines_than_rows_the_first_stay_in_sight() {
    var window = new Window(40, 6);
    var lines = IntStream.range(0, 20).mapToObj(i -> "line " + i).toList();
    for (int frame = 0; frame < 3; frame++) {
      window.terminal.draw(lines);
      assertThat(window.read())
          .containsExactly("line 0", "line 1", "line 2", "line 3", "line 4", "");
    }
  }

  @Test
  void a_frame_with_fewer_lines_leaves_nothing_of_the_one_before() {
    var window = new Window(40, 8);
    window.terminal.draw(List.of("one", "two", "three", "four"));
    window.read();
    window.terminal.draw(List.of("one", "2"));
    assertThat(window.read()).startsWith("one", "2", "").doesNotContain("three", "four");
  }

  /** Some terminals break lines whatever they are told; there every line has to be short enough. */
  @ParameterizedTest
  @CsvSource({"20", "21", "40", "80"})
  void lines_are_short_enough_where_they_cannot_be_kept_from_breaking(int columns) {
    var window = new Window(columns, 8);
    window.breaksLines = true;
    var wide = "\u6f22\u5b57".repeat(60);
    for (int frame = 0; frame < 3; frame++) {
      window.terminal.draw(
          List.of(
              "\u6f22".repeat(columns * 3 / 4),
              "a" + wide,
              "e\u0301".repeat(100),
              window.terminal.paint(Terminal.Colour.RED, "red ".repeat(40)),
              "bar " + frame));
      var shown = window.read();
      assertThat(shown.get(4)).isEqualTo("bar " + frame);
      assertThat(shown).filteredOn(line -> line.startsWith("bar")).hasSize(1);
      // Of what fits nothing is lost but the last column and half of a wide letter.
      assertThat(shown.get(3)).hasSizeBetween(columns - 2, columns - 1);
    }
  }

  @Test
  void environments_give_what_their_users_expect() {
    var usual = Map.of("TERM", "xterm-256color", "LANG", "en_US.UTF-8");
    assertThat(traits(true, usual)).isEqualTo(new TerminalTraits(true, true));
    assertThat(traits(false, usual)).isEqualTo(new TerminalTraits(false, false));
    assertThat(traits(true, Map.of("TERM", "dumb"))).isEqualTo(new TerminalTraits(false, false));
    assertThat(traits(true, Map.of())).isEqualTo(new TerminalTraits(false, false));
    assertThat(traits(true, Map.of("TERM", "xterm", "NO_COLOR", "1")))
        .isEqualTo(new TerminalTraits(true, false));
    assertThat(traits(true, Map.of("TERM", "xterm", "CI", "true")))
        .isEqualTo(new TerminalTraits(false, true));
    assertThat(traits(false, Map.of("CLICOLOR_FORCE", "1")))
        .isEqualTo(new TerminalTraits(false, true));
    assertThat(traits(false, Map.of("CLICOLOR_FORCE", "1", "NO_COLOR", "1")).colours()).isFalse();
    assertThat(traits(true, Map.of("TERM", "xterm", "CLICOLOR", "0")).colours()).isFalse();
  }

  private static TerminalTraits traits(boolean terminal, Map<String, String> environment) {
    return TerminalTraits.of(terminal, environment);
  }

  @ParameterizedTest
  @CsvSource({
    "LC_ALL, C, true",
    "LANG, POSIX, true",
    "LANG, de_DE.ISO-8859-1, true",
    "LANG, C.UTF-8, false",
    "LC_ALL, en_US.utf8, false"
  })
  void a_locale_without_more_letters_gets_plain_ones(String name, String value, boolean plain) {
    var written = new StringWriter();
    var out = InertWriter.before(new PrintWriter(written, true), Map.of(name, value));
    out.print(Terminal.bar(0.5, 10) + " a \u2192 b");
    out.flush();

    assertThat(written.toString())
        .isEqualTo(plain ? "#####----- a -> b" : Terminal.bar(0.5, 10) + " a \u2192 b");
  }
}
