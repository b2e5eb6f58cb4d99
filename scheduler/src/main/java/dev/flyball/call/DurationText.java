package dev.flyball.call;

import java.time.Duration;
import java.util.Locale;

/** The way in which times are written for people. */
public final class DurationText {
  private DurationText() {}

  /**
   * {@return such as {@code 14 h 2 min}, {@code 3.2 s} or {@code 200 ms}}
   *
   * @param time at least 0
   */
  public static String of(Duration time) {
    if (time.toHours() > 0) {
      return time.toHours() + " h" + rest(time.toMinutesPart(), "min");
    }
    if (time.toMinutes() > 0) {
      return time.toMinutes() + " min" + rest(time.toSecondsPart(), "s");
    }
    if (time.toMillis() < 1_000) {
      return time.toMillis() + " ms";
    }
    return time.toMillis() % 1_000 < 50
        ? time.toSeconds() + " s"
        : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  private static String rest(int count, String unit) {
    return count == 0 ? "" : " " + count + " " + unit;
  }
}
