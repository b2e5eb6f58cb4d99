package dev.flyball.simulator.wire;

import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.LimitLevel;
import dev.flyball.simulator.limit.LimitReport;
import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.Meter;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.value.SimulatedClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The headers in which a reply speaks of limits, in the style of a provider. */
public final class RateHeaders {
  /** A name and a value. */
  public record Header(String name, String value) {}

  private final ProviderStyle style;
  private final Headers headers;
  private final SimulatedClock clock;
  private final List<Header> written = new ArrayList<>();

  private RateHeaders(ProviderStyle style, Headers headers, SimulatedClock clock) {
    this.style = style;
    this.headers = headers;
    this.clock = clock;
  }

  /**
   * The headers of a reply.
   *
   * @param wait microseconds; {@link Meter#UNKNOWN} if there is none to say
   */
  public static List<Header> of(
      ProviderStyle style, Headers headers, LimitReport said, long wait, SimulatedClock clock) {
    RateHeaders to = new RateHeaders(style, headers, clock);
    boolean limits = headers.mode() == Headers.Mode.FULL || headers.mode() == Headers.Mode.LIMITS;
    if (limits) {
      to.limits(said.admission(), said.current());
    }
    if (wait != Meter.UNKNOWN
        && (headers.mode() == Headers.Mode.FULL || headers.mode() == Headers.Mode.RETRY_AFTER)) {
      to.retryAfter(wait);
    }
    return to.written;
  }

  private void limits(LimitSnapshot admission, LimitSnapshot current) {
    switch (style) {
      case ANTHROPIC -> anthropic(admission, current);
      case OPENAI, AZURE, ANY -> {
        family("requests", shortest(admission, Dimension.REQUESTS));
        family("tokens", shortest(current, Dimension.TOKENS));
      }
      case GROQ -> {
        family("requests", longest(admission, Dimension.REQUESTS));
        family("tokens", shortest(current, Dimension.TOKENS));
      }
      case GEMINI, DEEPSEEK -> {}
    }
  }

  private void anthropic(LimitSnapshot admission, LimitSnapshot current) {
    Optional<LimitLevel> input = shortest(current, Dimension.INPUT);
    Optional<LimitLevel> output = shortest(current, Dimension.OUTPUT);
    Optional<LimitLevel> tokens = shortest(current, Dimension.TOKENS);
    shortest(admission, Dimension.REQUESTS)
        .ifPresent(
            seen ->
                anthropic(
                    "requests",
                    seen.limit().amount(),
                    seen.level(),
                    admission.at() + seen.untilFull()));
    input.ifPresent(seen -> tokens("input-tokens", current, seen));
    output.ifPresent(seen -> tokens("output-tokens", current, seen));
    if (tokens.isPresent()) {
      tokens("tokens", current, tokens.get());
    } else if (input.isPresent() && output.isPresent()) {
      anthropic(
          "tokens",
          input.get().limit().amount() + output.get().limit().amount(),
          rounded(input.get()) + rounded(output.get()),
          current.at() + Math.max(input.get().untilFull(), output.get().untilFull()));
    }
  }

  private void tokens(String family, LimitSnapshot snapshot, LimitLevel seen) {
    anthropic(family, seen.limit().amount(), rounded(seen), snapshot.at() + seen.untilFull());
  }

  /** To the nearest thousand, and within the limit. */
  private static long rounded(LimitLevel seen) {
    long nearest = Math.floorDiv(seen.level() + 500, 1_000) * 1_000;
    long most = Math.max(seen.limit().amount(), seen.limit().burst());
    return Math.clamp(nearest, 0, most);
  }

  private void anthropic(String family, long limit, long remaining, long fullAt) {
    boolean past = headers.has(Headers.Bug.PAST_RESET);
    boolean negative = headers.has(Headers.Bug.NEGATIVE);
    Instant reset = past ? clock.at(clock.micros()).minusSeconds(3) : clock.at(fullAt);
    String prefix = "anthropic-ratelimit-" + family;
    add(prefix + "-limit", Long.toString(limit));
    add(prefix + "-remaining", Long.toString(negative ? -1 : Math.max(0, remaining)));
    add(prefix + "-reset", reset.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private void family(String family, Optional<LimitLevel> found) {
    if (found.isEmpty()) {
      return;
    }
    LimitLevel seen = found.get();
    boolean negative = headers.has(Headers.Bug.NEGATIVE);
    long untilFull = headers.has(Headers.Bug.PAST_RESET) ? 0 : clock.real(seen.untilFull());
    String reset =
        style == ProviderStyle.AZURE
            ? Long.toString(Math.ceilDiv(untilFull, 1_000_000))
            : goDuration(untilFull);
    // Azure shows what fits into one part of the minute.
    long limit =
        seen.limit().kind() == Limit.Kind.SUBWINDOW ? seen.limit().burst() : seen.limit().amount();
    add("x-ratelimit-limit-" + family, Long.toString(limit));
    add(
        "x-ratelimit-remaining-" + family,
        Long.toString(negative ? -1 : Math.max(0, seen.level())));
    add("x-ratelimit-reset-" + family, negative ? "-1" : reset);
  }

  private void retryAfter(long wait) {
    long micros = clock.real(wait);
    long seconds = Math.max(1, Math.ceilDiv(micros, 1_000_000));
    if (headers.has(Headers.Bug.HTTP_DATE)) {
      add("retry-after", SimulatedClock.date(clock.at(clock.micros()).plusSeconds(seconds)));
    } else if (headers.has(Headers.Bug.DAY)) {
      add("retry-after", "86400");
    } else if (headers.has(Headers.Bug.ZERO)) {
      add("retry-after", "0");
    } else if (headers.has(Headers.Bug.FRACTION)) {
      add("retry-after", String.format(Locale.ROOT, "%.3f", Math.ceilDiv(micros, 1_000) / 1e3));
    } else if (style != ProviderStyle.GEMINI) {
      add("retry-after", Long.toString(seconds));
      boolean millis = style == ProviderStyle.OPENAI || style == ProviderStyle.AZURE;
      // Seconds are too coarse for a clock that goes faster than the caller's.
      if ((headers.mode() == Headers.Mode.FULL && millis) || clock.speed() > 1) {
        add("retry-after-ms", Long.toString(Math.max(1, Math.ceilDiv(micros, 1_000))));
      }
    }
  }

  private void add(String name, String value) {
    Header header = new Header(headers.has(Headers.Bug.MIXED_CASE) ? mixed(name) : name, value);
    written.add(header);
    if (headers.has(Headers.Bug.DUPLICATE)) {
      written.add(header);
    }
  }

  private static String mixed(String name) {
    StringBuilder mixed = new StringBuilder(name);
    for (int i = 0; i < mixed.length(); i++) {
      if (i == 0 || mixed.charAt(i - 1) == '-') {
        mixed.setCharAt(i, Character.toUpperCase(mixed.charAt(i)));
      }
    }
    return mixed.toString();
  }

  private static Optional<LimitLevel> shortest(LimitSnapshot snapshot, Dimension dimension) {
    return snapshot.all().stream().filter(of(dimension)).min(BY_PERIOD);
  }

  private static Optional<LimitLevel> longest(LimitSnapshot snapshot, Dimension dimension) {
    return snapshot.all().stream().filter(of(dimension)).max(BY_PERIOD);
  }

  private static final Comparator<LimitLevel> BY_PERIOD =
      Comparator.comparing(seen -> seen.limit().period());

  private static Predicate<LimitLevel> of(Dimension dimension) {
    return seen -> seen.limit().dimension() == dimension;
  }

  /** As Go writes a duration, in milliseconds: {@code 120ms}, {@code 1.574s}, {@code 6m0s}. */
  static String goDuration(long micros) {
    long millis = Math.ceilDiv(micros, 1_000);
    if (millis == 0) {
      return "0s";
    }
    if (millis < 1_000) {
      return millis + "ms";
    }
    StringBuilder text = new StringBuilder();
    long hours = millis / 3_600_000;
    long minutes = millis / 60_000 % 60;
    if (hours > 0) {
      text.append(hours).append('h');
    }
    if (hours > 0 || minutes > 0) {
      text.append(minutes).append('m');
    }
    text.append(millis / 1_000 % 60);
    if (millis % 1_000 > 0) {
      text.append(String.format(Locale.ROOT, ".%03d", millis % 1_000).replaceAll("0+$", ""));
    }
    return text.append('s').toString();
  }
}
