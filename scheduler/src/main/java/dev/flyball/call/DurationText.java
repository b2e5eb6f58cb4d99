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
    long tenths = (time.toMillis() + 50) / 100;
    if (tenths >= 600) {
      return "1 min";
    }
    return tenths % 10 == 0
        ? tenths / 10 + " s"
        : String.format(Locale.ROOT, "%.1f s", tenths / 10.0);
  }

  private static String rest(int count, String unit) {
    return count == 0 ? "" : " " + count + " " + unit;
  }
}
