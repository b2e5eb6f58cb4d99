package dev.flyball.llm.reply;

import dev.flyball.call.Sighting;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The wait that a reply asks for. What is zero, negative or past asks nothing, and the next in
 * order is heard: {@code retry-after-ms}, {@code retry-after}, the body's details, the body's
 * words.
 */
final class WaitHints {
  private static final Pattern WORDS =
      Pattern.compile(
          "\\b(?:again in|retry in|retry after|wait) (?:about |for |at least"
              + " )?([\\d][\\d.a-zµ]{0,30}+)(?![-:\\d])(?:"
              + " (milliseconds?|ms|sec|second|min|hour|day))?",
          Pattern.CASE_INSENSITIVE);

  private WaitHints() {}

  static Optional<Duration> read(ReplyHead head, ServerTime time) {
    return head.first("retry-after-ms")
        .flatMap(WaitHints::millis)
        .or(() -> head.first("retry-after").flatMap(time::until).flatMap(WaitHints::sane));
  }

  /**
   * A limit of a day ends with Google's day, whatever the details ask: they ask for seconds, over
   * and over.
   */
  static Optional<Duration> read(ReplyHead head, ErrorBody error, ServerTime time) {
    return error.quotas().stream().anyMatch(id -> id.contains("PerDay"))
        ? sane(time.untilPacificMidnight())
        : read(head, time)
            .or(() -> error.retryDelay().flatMap(WireDurations::parse).flatMap(WaitHints::sane))
            .or(() -> words(error.message()));
  }

  private static Optional<Duration> words(String message) {
    var found = WORDS.matcher(message);
    while (found.find()) {
      var number = found.group(1).replaceAll("\\.$", "").toLowerCase(Locale.ROOT);
      var unit = found.group(2);
      var text = unit == null ? number : number + abbreviated(unit.toLowerCase(Locale.ROOT));
      var wait = WireDurations.parse(text).flatMap(WaitHints::sane);
      if (wait.isPresent()) {
        return wait;
      }
    }
    return Optional.empty();
  }

  private static String abbreviated(String unit) {
    return unit.startsWith("mil") || unit.equals("ms") ? "ms" : unit.substring(0, 1);
  }

  private static Optional<Duration> millis(String value) {
    var number = WireNumbers.number(value);
    return number.isPresent()
        ? sane(WireDurations.ofSeconds(number.getAsDouble() / 1e3))
        : Optional.empty();
  }

  private static Optional<Duration> sane(Duration wait) {
    var most = Sighting.LONGEST;
    return Optional.of(wait.compareTo(most) > 0 ? most : wait).filter(Duration::isPositive);
  }
}
