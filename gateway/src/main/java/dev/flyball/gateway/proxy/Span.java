package dev.flyball.gateway.proxy;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** A length of time as people write it: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}. */
final class Span {
  private static final Pattern WRITTEN =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?) ?(ms|s|m|h|d)?");
  private static final Duration LONGEST = Duration.ofDays(365);

  private Span() {}

  /** For people, such as {@code 4.0 s}. */
  static String words(Duration time) {
    long millis = time.toMillis();
    return millis < 10_000 ? "%.1f s".formatted(millis / 1e3) : "%,d s".formatted(millis / 1_000);
  }

  /** Reads one; a number alone is in seconds. */
  static Optional<Duration> of(String text) {
    var found = WRITTEN.matcher(text.strip());
    if (!found.matches()) {
      return Optional.empty();
    }
    double unit =
        switch (found.group(2) == null ? "s" : found.group(2)) {
          case "ms" -> 1e6;
          case "m" -> 60e9;
          case "h" -> 3_600e9;
          case "d" -> 86_400e9;
          default -> 1e9;
        };
    var time = Duration.ofNanos((long) Math.min(9e18, Double.parseDouble(found.group(1)) * unit));
    return Optional.of(time.compareTo(LONGEST) > 0 ? LONGEST : time);
  }
}
