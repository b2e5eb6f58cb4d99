package dev.flyball.llm.reply;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The wait that a reply asks for. What is zero, negative, past or years away asks nothing, and the
 * next in order is heard: milliseconds in a header, {@code retry-after}, the body's fields, the
 * body's words.
 */
final class WaitHints {
  private static final List<String> MILLISECONDS = List.of("retry-after-ms", "x-ms-retry-after-ms");
  private static final Pattern WORDS =
      Pattern.compile(
          "\\b(?:(?:again|retry|retrying|resets?) (?:in|after)|wait)\\b:? "
              + "(?:(?:for|about|approximately|around|at least|another) ){0,2}+(?=\\d)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern PART =
      Pattern.compile(
          "(\\d{1,3}+(?:,\\d{3})++(?:\\.\\d++)?+|\\d{1,15}+(?:\\.\\d++)?+) ?"
              + "(ns|us|µs|μs|ms|msecs?|milliseconds?|s|secs?|seconds?"
              + "|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern BARE = Pattern.compile("(\\d{1,15}+(?:\\.\\d++)?+)(?![-:,\\w])");
  private static final Pattern BETWEEN =
      Pattern.compile("(?:,? and |, | )?(?=\\d)", Pattern.CASE_INSENSITIVE);

  private WaitHints() {}

  static Optional<Duration> read(ReplyHead head, ServerTime time) {
    return MILLISECONDS.stream()
        .flatMap(name -> head.first(name).flatMap(WaitHints::millis).stream())
        .findFirst()
        .or(() -> head.first("retry-after").flatMap(time::until).filter(Duration::isPositive));
  }

  /**
   * A limit of a day ends with Google's day, whatever the details ask: they ask for seconds, over
   * and over.
   */
  static Optional<Duration> read(ReplyHead head, ErrorBody error, ServerTime time) {
    return error.quotas().stream().anyMatch(id -> id.contains("PerDay"))
        ? Optional.of(time.untilPacificMidnight())
        : read(head, time)
            .or(() -> error.retryDelay().flatMap(time::until).filter(Duration::isPositive))
            .or(() -> words(error.message(), time));
  }

  private static Optional<Duration> words(String message, ServerTime time) {
    var found = WORDS.matcher(message);
    while (found.find()) {
      var wait = time.until(duration(message, found.end())).filter(Duration::isPositive);
      if (wait.isPresent()) {
        return wait;
      }
    }
    return Optional.empty();
  }

  /** All parts of a spelled-out duration, {@code 1 hour and 30 minutes}, as {@code 1h30m}. */
  private static String duration(String message, int start) {
    var text = new StringBuilder();
    var part = PART.matcher(message);
    var between = BETWEEN.matcher(message);
    for (int at = start; at(part, at); at = at(between, part.end()) ? between.end() : part.end()) {
      text.append(part.group(1).replace(",", "")).append(abbreviated(part.group(2)));
    }
    if (text.isEmpty()) {
      var bare = BARE.matcher(message);
      return at(bare, start) ? bare.group(1) : "";
    }
    return text.toString();
  }

  private static boolean at(Matcher matcher, int start) {
    return matcher.region(start, matcher.regionEnd()).lookingAt();
  }

  private static String abbreviated(String unit) {
    var lower = unit.toLowerCase(Locale.ROOT);
    boolean millis = lower.startsWith("mil") || lower.startsWith("ms");
    return millis
        ? "ms"
        : lower.length() == 2 && lower.endsWith("s") ? lower : lower.substring(0, 1);
  }

  private static Optional<Duration> millis(String value) {
    var number = WireNumbers.number(value);
    return number.isPresent()
        ? Optional.of(WireDurations.ofSeconds(number.getAsDouble() / 1e3))
            .filter(Duration::isPositive)
        : Optional.empty();
  }
}
