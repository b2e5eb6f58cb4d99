package dev.flyball.cli.screen;

import dev.flyball.review.finding.SafeText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A place to draw on: how wide it is, whether it has colours, and lines that are drawn over. */
public final class Terminal {
  /** The few colours there are. */
  public enum Colour {
    BOLD(1),
    DIM(2),
    RED(31),
    GREEN(32),
    YELLOW(33),
    CYAN(36);

    private final int code;

    Colour(int code) {
      this.code = code;
    }
  }

  private static final Pattern CODES =
      Pattern.compile(Pattern.quote(InertWriter.sequence("[")) + "[0-9;]*m");
  private static final String LINE_START = InertWriter.sequence("[G");
  private static final String REST_OF_LINE = InertWriter.sequence("[K");
  private static final int USUAL_WIDTH = 80;

  private final PrintWriter out;
  private final boolean colours;
  private final int width;
  private int drawn;

  public Terminal(PrintWriter out, boolean colours, int width) {
    this.out = out;
    this.colours = colours;
    this.width = width;
  }

  public static Terminal of(PrintWriter out, Map<String, String> environment) {
    boolean live = isThere();
    return new Terminal(
        out,
        live && environment.getOrDefault("NO_COLOR", "").isEmpty(),
        live ? measured() : USUAL_WIDTH);
  }

  // The launcher asks for the console of java.base, which is there only if there is a terminal.
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isThere() {
    return System.console() != null;
  }

  private static int measured() {
    try {
      var size =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      if (!size.waitFor(1, TimeUnit.SECONDS)) {
        size.destroy();
        return USUAL_WIDTH;
      }
      var words =
          new String(
                  size.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII)
              .strip()
              .split(" ", -1);
      return words.length == 2 ? Math.max(40, Integer.parseInt(words[1])) : USUAL_WIDTH;
    } catch (IOException | NumberFormatException unknown) {
      return USUAL_WIDTH;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return USUAL_WIDTH;
    }
  }

  public int width() {
    return width;
  }

  public String paint(Colour colour, String text) {
    return colours
        ? InertWriter.sequence("[" + colour.code + "m") + text + InertWriter.sequence("[0m")
        : text;
  }

  /** Draws lines over those that were drawn before. */
  public void draw(Iterable<String> lines) {
    var all = new StringBuilder();
    if (drawn > 0) {
      all.append(InertWriter.sequence("[" + drawn + "A")).append(LINE_START);
    }
    int count = 0;
    for (var line : lines) {
      all.append(cut(line.replace('\n', ' '))).append(REST_OF_LINE).append('\n');
      count++;
    }
    all.append(InertWriter.sequence("[J"));
    drawn = count;
    out.print(all);
    out.flush();
  }

  /** A line over the one that stands there, which is cut at the edge: what is wrapped stays. */
  public static String over(String line) {
    return wiped(InertWriter.sequence("[?7l") + line + InertWriter.sequence("[?7h"));
  }

  /** A line in the place of the one that stands there. */
  public static String wiped(String line) {
    return LINE_START + REST_OF_LINE + line;
  }

  /** What was drawn stays; the next drawing begins below it. */
  public void keep() {
    drawn = 0;
  }

  /** Not longer than the screen is wide; colours take no room. */
  private String cut(String line) {
    if (CODES.matcher(line).replaceAll("").length() < width) {
      return line;
    }
    var result = new StringBuilder();
    int room = width - 1;
    for (int i = 0; i < line.length() && room > 0; i++) {
      var code = CODES.matcher(line).region(i, line.length());
      if (code.lookingAt()) {
        result.append(code.group());
        i = code.end() - 1;
      } else {
        result.append(line.charAt(i));
        room--;
      }
    }
    return result + (colours ? InertWriter.sequence("[0m") : "");
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
