package dev.flyball.cli.screen;

import dev.flyball.cli.screen.TerminalTraits.Channel;
import dev.flyball.review.finding.SafeText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A place to draw on: how large it is, whether it has colours, and lines that are drawn over. */
public final class Terminal {
  /** The few colours there are; none of them is hard to read on a light screen or on a dark one. */
  public enum Colour {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    MAGENTA("35"),
    CYAN("36");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }

  private static final Pattern CODES =
      Pattern.compile(Pattern.quote(InertWriter.sequence("[")) + "[0-9;]*m");
  private static final String LINE_START = InertWriter.sequence("[G");
  private static final String REST_OF_LINE = InertWriter.sequence("[K");
  private static final String REST_OF_SCREEN = InertWriter.sequence("[J");
  private static final String WHOLE_SCREEN =
      InertWriter.sequence("[H") + InertWriter.sequence("[2J");
  private static final String NO_WRAP = InertWriter.sequence("[?7l");
  private static final String WRAP = InertWriter.sequence("[?7h");
  private static final String NO_COLOUR = InertWriter.sequence("[0m");

  private final PrintWriter out;
  private final TerminalTraits traits;
  private final Supplier<ScreenSize> size;
  private ScreenSize drawnAt = ScreenSize.USUAL;
  private int drawn;

  public Terminal(PrintWriter out, TerminalTraits traits, Supplier<ScreenSize> size) {
    this.out = out;
    this.traits = traits;
    this.size = size;
  }

  /** One of a fixed width, with room for everything. */
  public Terminal(PrintWriter out, boolean colours, int width) {
    this(out, new TerminalTraits(true, colours), () -> new ScreenSize(1_000, width));
  }

  /** Standard output. */
  public static Terminal of(PrintWriter out, Map<String, String> environment) {
    return of(Channel.OUT, out, environment);
  }

  public static Terminal of(Channel channel, PrintWriter out, Map<String, String> environment) {
    var traits = TerminalTraits.of(channel, environment);
    boolean there = TerminalTraits.isTerminal(channel);
    return new Terminal(
        out, traits, there ? WindowSize.of(environment) : () -> ScreenSize.said(environment));
  }

  /** Whether lines may be drawn over. */
  public boolean isLive() {
    return traits.live();
  }

  public int width() {
    return size.get().columns();
  }

  /** How many lines there is room for, and still be seen as a whole. */
  public int rows() {
    return Math.max(1, size.get().rows() - 1);
  }

  public String paint(Colour colour, String text) {
    return traits.colours() && !text.isEmpty()
        ? InertWriter.sequence("[" + colour.code + "m") + text + NO_COLOUR
        : text;
  }

  /**
   * Draws lines over those that were drawn before. What does not fit is left out at the end, so
   * what matters comes first. Where the window has changed, the terminal may have broken lines that
   * were drawn, or brought back older ones, and nobody knows where they are now: then the screen is
   * begun anew.
   */
  public void draw(List<String> lines) {
    var now = size.get();
    var all = new StringBuilder(NO_WRAP);
    if (drawn > 0 && !now.equals(drawnAt)) {
      all.append(WHOLE_SCREEN);
    } else if (drawn > 0) {
      all.append(InertWriter.sequence("[" + drawn + "A")).append(LINE_START);
    }
    drawn = Math.min(lines.size(), Math.max(1, now.rows() - 1));
    drawnAt = now;
    for (var line : lines.subList(0, drawn)) {
      all.append(cut(line.replace('\n', ' '), now.columns())).append(REST_OF_LINE).append('\n');
    }
    out.print(all.append(REST_OF_SCREEN).append(WRAP));
    out.flush();
  }

  /** A line over the one that stands there, which is cut at the edge: what is wrapped stays. */
  public static String over(String line) {
    return wiped(NO_WRAP + line + WRAP);
  }

  /** A line in the place of the one that stands there. */
  public static String wiped(String line) {
    return LINE_START + REST_OF_LINE + line;
  }

  /** What was drawn stays; the next drawing begins below it. */
  public void keep() {
    drawn = 0;
  }

  /** How many columns a line takes; colours take no room. */
  static int columns(String line) {
    return TextWidth.of(CODES.matcher(line).replaceAll(""));
  }

  /** Not longer than the screen is wide. */
  private String cut(String line, int width) {
    if (columns(line) < width) {
      return line;
    }
    var result = new StringBuilder();
    int room = width - 1;
    var code = CODES.matcher(line);
    for (int i = 0; i < line.length(); ) {
      if (code.region(i, line.length()).lookingAt()) {
        result.append(code.group());
        i = code.end();
        continue;
      }
      int character = line.codePointAt(i);
      room -= TextWidth.of(character);
      if (room < 0) {
        break;
      }
      result.appendCodePoint(character);
      i += Character.charCount(character);
    }
    return result + (traits.colours() ? NO_COLOUR : "");
  }

  /** Somebody else's words on one line, without what would steer the screen. */
  static String plain(String text) {
    return SafeText.line(text).strip();
  }

  /** A bar that is full to a part. */
  public static String bar(double part, int width) {
    double cells = Math.clamp(part, 0, 1) * width;
    int full = (int) cells;
    int eighths = (int) ((cells - full) * 8);
    var bar = new StringBuilder("\u2588".repeat(full));
    if (full < width) {
      bar.append(eighths == 0 ? "\u2591" : String.valueOf((char) (0x2590 - eighths)));
      bar.append("\u2591".repeat(width - full - 1));
    }
    return bar.toString();
  }
}
