package dev.flyball.llm.reply;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Durations as Go and Protocol Buffers write them: {@code 120ms}, {@code 6m0s}, {@code 23.47s}; and
 * as ISO 8601 does: {@code PT30S}. A bare number is seconds.
 */
final class WireDurations {
  private static final int LONGEST = 64;
  private static final double FOREVER = 1e18;
  private static final Pattern PART =
      Pattern.compile("(\\d{1,15}+(?:\\.\\d++)?+)(ns|us|µs|μs|ms|s|m|h|d)");
  private static final Map<String, Double> NANOS =
      Map.of(
          "ns", 1.0, "us", 1e3, "µs", 1e3, "μs", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h", 3600e9,
          "d", 86400e9);

  private WireDurations() {}

  static Optional<Duration> parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return Optional.empty();
    }
    if (!hasUnit(text)) {
      var seconds = WireNumbers.number(text);
      return seconds.isPresent() ? Optional.of(ofSeconds(seconds.getAsDouble())) : Optional.empty();
    }
    var lower = text.toLowerCase(Locale.ROOT);
    if (lower.startsWith("p")) {
      return iso(text);
    }
    double nanos = 0;
    int end = 0;
    var part = PART.matcher(lower);
    while (end < text.length() && part.find() && part.start() == end) {
      nanos += Double.parseDouble(part.group(1)) * NANOS.getOrDefault(part.group(2), 0.0);
      end = part.end();
    }
    return end == text.length() ? Optional.of(ofNanos(nanos)) : Optional.empty();
  }

  private static Optional<Duration> iso(String text) {
    try {
      return Optional.of(Duration.parse(text)).filter(time -> !time.isNegative());
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  /** Whether a text is a duration with its unit, and not a bare number. */
  static boolean hasUnit(String text) {
    return Character.isLetter(text.charAt(text.length() - 1));
  }

  static Duration ofSeconds(double seconds) {
    return ofNanos(seconds * 1e9);
  }

  private static Duration ofNanos(double nanos) {
    return Duration.ofNanos(Math.round(Math.min(nanos, FOREVER)));
  }
}
