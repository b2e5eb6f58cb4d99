package dev.flyball.cli.screen;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The room on a screen.
 *
 * @param rows at least 1
 * @param columns at least 1
 */
public record ScreenSize(int rows, int columns) {
  /** Where nobody knows better. */
  static final ScreenSize USUAL = new ScreenSize(24, 80);

  private static final long MILLIS_TO_MEASURE = 500;

  /** Checks it; a terminal that says it has no room does not know. */
  public ScreenSize {
    rows = rows < 1 ? 24 : rows;
    columns = columns < 1 ? 80 : columns;
  }

  /** What {@code COLUMNS} and {@code LINES} say, else the usual. */
  static ScreenSize said(Map<String, String> environment) {
    return new ScreenSize(
        number(environment.getOrDefault("LINES", "")).orElse(USUAL.rows),
        number(environment.getOrDefault("COLUMNS", "")).orElse(USUAL.columns));
  }

  private static Optional<Integer> number(String text) {
    return Optional.of(text).filter(each -> each.matches("[1-9][0-9]{0,3}")).map(Integer::valueOf);
  }

  /** The size of the terminal that this process was started from, if it has one. */
  static Optional<ScreenSize> measured() {
    try {
      var asked =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/tty")))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!asked.waitFor(MILLIS_TO_MEASURE, TimeUnit.MILLISECONDS)) {
        asked.destroyForcibly();
        return Optional.empty();
      }
      var words =
          new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ", -1);
      return words.length == 2
          ? Optional.of(new ScreenSize(Integer.parseInt(words[0]), Integer.parseInt(words[1])))
          : Optional.empty();
    } catch (IOException | NumberFormatException unknown) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
