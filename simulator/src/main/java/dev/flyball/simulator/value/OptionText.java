package dev.flyball.simulator.value;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of numbers and times in options and profiles. */
public final class OptionText {
  private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s|m|min|h|d)");

  private OptionText() {}

  public static void check(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", not " + value);
    }
  }

  /** A whole number; {@code 30_000} and {@code 30,000} are the same. */
  public static long whole(String text) {
    String digits = text.strip().replaceAll("[_,]", "");
    check(digits.matches("\\d{1,18}"), "a whole number is expected", text.strip());
    return Long.parseLong(digits);
  }

  /** A whole number that is not very large. */
  public static int small(String text) {
    long whole = whole(text);
    check(whole <= 1_000_000_000, "a number up to 1000000000 is expected", text.strip());
    return (int) whole;
  }

  public static double decimal(String text) {
    check(text.matches("\\d{1,12}(\\.\\d{1,12})?"), "a number is expected", text);
    return Double.parseDouble(text);
  }

  public static boolean yes(String text) {
    check(text.equals("true") || text.equals("false"), "true or false is expected", text);
    return text.equals("true");
  }

  /** A number from 0 to 1, also as a percentage. */
  public static double share(String text) {
    boolean percent = text.endsWith("%");
    String number = percent ? text.substring(0, text.length() - 1) : text;
    check(number.matches("\\d{1,9}(\\.\\d{1,9})?"), "a share is written 0.4 or 40%", text);
    double share = Double.parseDouble(number) / (percent ? 100 : 1);
    check(share <= 1, "a share is at most 1", text);
    return share;
  }

  public static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    check(matcher.matches(), "a time is written 200ms, 1.5s, 2m or 1h", text);
    double micros =
        Double.parseDouble(matcher.group(1))
            * switch (matcher.group(2)) {
              case "us" -> 1;
              case "ms" -> 1_000;
              case "s" -> 1_000_000;
              case "m", "min" -> 60_000_000;
              case "h" -> 3_600_000_000L;
              default -> 86_400_000_000L;
            };
    check(micros <= 3.2e15, "a time is at most a hundred years", text);
    return micros(Math.round(micros));
  }

  static Duration micros(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  public static long micros(Duration duration) {
    return duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
  }
}
