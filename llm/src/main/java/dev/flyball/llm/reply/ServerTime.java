package dev.flyball.llm.reply;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The provider's own time as it replied, so that its dates mean what it meant even if one of the
 * two clocks is wrong.
 */
final class ServerTime {
  private static final ZoneId PACIFIC = ZoneId.of("America/Los_Angeles");
  private static final Duration YEAR = Duration.ofDays(366);
  private static final double FIRST_UNIX_SECOND = 1e9;
  private static final double FIRST_UNIX_MILLISECOND = 1e11;
  private static final int LONGEST = 64;

  private final ReplyHead head;
  private Optional<Instant> known = Optional.empty();

  ServerTime(ReplyHead head) {
    this.head = head;
  }

  /** Most replies have no date to hold against it, so it is only read when it is needed. */
  private Instant now() {
    if (known.isEmpty()) {
      known = head.first("date").flatMap(ServerTime::date).or(() -> Optional.of(head.at()));
    }
    return known.get();
  }

  /**
   * How long until what a value says: a duration, an RFC 3339 or HTTP date, or Unix time in seconds
   * or milliseconds. What is past is zero.
   */
  Optional<Duration> until(String value) {
    if (value.isEmpty() || value.length() > LONGEST) {
      return Optional.empty();
    }
    var moment = date(value);
    if (moment.isPresent()) {
      return moment.map(this::until);
    }
    var number = WireNumbers.number(value);
    if (number.isPresent() && number.getAsDouble() >= FIRST_UNIX_SECOND) {
      double unit = number.getAsDouble() >= FIRST_UNIX_MILLISECOND ? 1 : 1e3;
      return Optional.of(until(Instant.ofEpochMilli((long) (number.getAsDouble() * unit))));
    }
    String first = WireNumbers.first(value);
    return WireDurations.parse(first).or(() -> date(first).map(this::until));
  }

  /** At most a year: no date further away is meant. */
  Duration until(Instant moment) {
    var wait = Duration.between(now(), moment);
    return wait.isNegative() ? Duration.ZERO : wait.compareTo(YEAR) > 0 ? YEAR : wait;
  }

  /** Until a date and time of UTC, {@code 2026-09-01T00:00}. */
  Optional<Duration> untilUtc(String text) {
    try {
      return Optional.of(until(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Until the day ends in California, where Google counts its days. */
  Duration untilPacificMidnight() {
    var tomorrow = now().atZone(PACIFIC).toLocalDate().plusDays(1);
    return until(tomorrow.atStartOfDay(PACIFIC).toInstant());
  }

  private static Optional<Instant> date(String text) {
    boolean rfc3339 = text.length() > 18 && text.charAt(4) == '-';
    boolean http = text.length() > 22 && text.charAt(3) == ',';
    if (!rfc3339 && !http) {
      return Optional.empty();
    }
    try {
      var format =
          rfc3339 ? DateTimeFormatter.ISO_OFFSET_DATE_TIME : DateTimeFormatter.RFC_1123_DATE_TIME;
      return Optional.of(format.parse(text, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
