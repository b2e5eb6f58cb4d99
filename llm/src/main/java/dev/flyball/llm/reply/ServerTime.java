package dev.flyball.llm.reply;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The provider's own time as it replied, so that its dates mean what it meant even if one of the
 * two clocks is wrong.
 */
final class ServerTime {
  private static final ZoneId PACIFIC = ZoneId.of("America/Los_Angeles");
  private static final Duration YEAR = Duration.ofDays(366);
  private static final Duration SOON = Duration.ofSeconds(62);
  private static final double FIRST_UNIX_SECOND = 1e9;
  private static final double FIRST_UNIX_MILLISECOND = 1e11;
  private static final int LONGEST = 64;
  private static final int SHORTEST_DATE = 19;
  private static final Pattern ZONE_NAME = Pattern.compile(" (?:GMT|UTC|UT|Z)$");
  private static final Pattern HTTP_DATE =
      Pattern.compile(
          "[A-Za-z]{3,9}, (\\d{1,2})[ -]([A-Za-z]{3})[ -](\\d{4}|\\d{2}) ([\\d:]{8}) ([+-]\\d{4})");
  private static final Pattern ASCTIME =
      Pattern.compile("[A-Za-z]{3} ([A-Za-z]{3}) {1,2}(\\d{1,2}) ([\\d:]{8}) (\\d{4})");
  private static final DateTimeFormatter PARTS =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("d MMM uuuu HH:mm:ss xx")
          .toFormatter(Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][XX][X]")
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT);

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
   * or milliseconds. What is past is zero; what is years away makes no sense and is not said.
   */
  Optional<Duration> until(String value) {
    if (value.isEmpty() || value.length() > LONGEST) {
      return Optional.empty();
    }
    var moment = date(value);
    if (moment.isPresent()) {
      return until(moment.get());
    }
    var number = WireNumbers.number(value);
    if (number.isPresent() && number.getAsDouble() >= FIRST_UNIX_SECOND) {
      double unit = number.getAsDouble() >= FIRST_UNIX_MILLISECOND ? 1 : 1e3;
      return until(Instant.ofEpochMilli((long) (number.getAsDouble() * unit)));
    }
    String first = WireNumbers.first(value);
    return WireDurations.parse(first)
        .flatMap(ServerTime::meant)
        .or(() -> date(first).flatMap(this::until));
  }

  /**
   * How long until a reset. Where the reply has no date of its own, a moment is held against our
   * clock, which may be wrong: then it is believed only if it is soon.
   */
  Optional<Duration> reset(String value) {
    var wait = until(value);
    return isMoment(value) && !isDated() ? wait.filter(ServerTime::isSoon) : wait;
  }

  private boolean isDated() {
    return head.first("date").flatMap(ServerTime::date).isPresent();
  }

  private static boolean isSoon(Duration wait) {
    return wait.isPositive() && wait.compareTo(SOON) <= 0;
  }

  private static boolean isMoment(String value) {
    return date(value).isPresent() || WireNumbers.number(value).orElse(0) >= FIRST_UNIX_SECOND;
  }

  private Optional<Duration> until(Instant moment) {
    var wait = Duration.between(now(), moment);
    return meant(wait.isNegative() ? Duration.ZERO : wait);
  }

  /** Nobody means a time that is years away. */
  private static Optional<Duration> meant(Duration wait) {
    return Optional.of(wait).filter(time -> time.compareTo(YEAR) <= 0);
  }

  /** Until a date and time of UTC, {@code 2026-09-01T00:00}. */
  Optional<Duration> untilUtc(String text) {
    try {
      return until(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Until the day ends in California, where Google counts its days. */
  Duration untilPacificMidnight() {
    var tomorrow = now().atZone(PACIFIC).toLocalDate().plusDays(1);
    return Duration.between(now(), tomorrow.atStartOfDay(PACIFIC));
  }

  /**
   * RFC 3339, with a blank for its T and without its zone too, and the three forms of HTTP's dates.
   * Where no zone is said, it is UTC; the day of the week is not needed.
   */
  private static Optional<Instant> date(String text) {
    if (text.length() < SHORTEST_DATE || text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      if (text.charAt(4) == '-') {
        boolean plain = text.indexOf(' ') < 0;
        var zoned = plain ? text : ZONE_NAME.matcher(text).replaceFirst("Z").replace(' ', 'T');
        return Optional.of(ISO.parse(zoned, Instant::from));
      }
      var zoned = ZONE_NAME.matcher(text).replaceFirst(" +0000");
      var http = HTTP_DATE.matcher(zoned);
      if (http.matches()) {
        var year = http.group(3);
        return moment(http.group(1), http.group(2), century(year), http.group(4), http.group(5));
      }
      var old = ASCTIME.matcher(text);
      return old.matches()
          ? moment(old.group(2), old.group(1), old.group(4), old.group(3), "+0000")
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> moment(
      String day, String month, String year, String time, String zone) {
    var parts = String.join(" ", day, month, year, time, zone);
    return Optional.of(PARTS.parse(parts, Instant::from));
  }

  /** Two digits mean this century: nothing that we are told to wait for lies in another. */
  private static String century(String year) {
    return year.length() == 2 ? "20" + year : year;
  }
}
