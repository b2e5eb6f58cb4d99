package dev.flyball.llm.reply;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resets that make no sense, that come alone, and limits that are told twice. */
class ResetsTest {
  private static final Duration DAY = Duration.ofDays(1);

  /** What is seen, but for the header that tells it where the period is a guess. */
  private static List<Sighting> seen(String headers) {
    return SignalReader.read(ReplyHeads.of(200, headers)).sightings().stream()
        .map(sighting -> sighting.guessedFrom(""))
        .toList();
  }

  private static Signals refused(int status, String headers) {
    return SignalReader.read(ReplyHeads.of(status, headers), "".getBytes(UTF_8));
  }

  private static Optional<Duration> reset(String headers) {
    return seen(headers).getFirst().reset();
  }

  private static String anthropic(long remaining, String reset) {
    return """
    anthropic-ratelimit-requests-limit: 50
    anthropic-ratelimit-requests-remaining: %d
    anthropic-ratelimit-requests-reset: %s
    """
        .formatted(remaining, reset);
  }

  // ---- a reset that makes no sense ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2030-01-01T00:00:00Z",
        "2026-11-15T09:19:45Z",
        "2026-11-15T08:22:00Z",
        "2026-11-17T08:19:44Z",
        "999999999",
        "4102444800",
        "120",
      })
  void where_something_is_left_a_minute_s_limit_is_full_within_a_minute(String reset) {
    assertThat(seen(anthropic(49, reset))).singleElement().isNotNull();
    assertThat(reset(anthropic(49, reset))).isEmpty();
    assertThat(seen(anthropic(49, reset)).getFirst().dimension()).isEqualTo(REQUESTS);
  }

  @ParameterizedTest
  @CsvSource({"49, PT1M2S", "0, PT1M30S", "0, PT4M"})
  void rounding_and_debt_make_sense(long remaining, String reset) {
    assertThat(reset(anthropic(remaining, reset))).contains(Duration.parse(reset));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-15T09:19:45Z", "3600", "86400"})
  void no_debt_of_a_minute_s_limit_lasts_for_an_hour(String reset) {
    assertThat(reset(anthropic(0, reset))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2030-01-01T00:00:00Z", "999999999", "4102444800", "2026-11-18T00:00:00Z"})
  void where_the_name_has_no_period_a_reset_is_at_most_about_a_day_away(String reset) {
    var headers = "x-ratelimit-limit: 50\nx-ratelimit-remaining: 49\nx-ratelimit-reset: " + reset;
    assertThat(seen(headers)).containsExactly(Sighting.of(REQUESTS, 50, 49));
    var ietf = "RateLimit-Limit: 50\nRateLimit-Remaining: 49\nRateLimit-Reset: " + reset;
    assertThat(seen(ietf)).containsExactly(Sighting.of(REQUESTS, 50, 49));
  }

  @ParameterizedTest
  @CsvSource({"1794730844, PT1M", "1794730845, PT1M1S", "1794730846, PT1M2S"})
  void a_unix_time_rounded_up_against_a_date_rounded_down_is_still_of_a_minute(
      String reset, String left) {
    var headers =
        "Date: Sun, 15 Nov 2026 08:19:44 GMT\nx-ratelimit-limit: 200\n"
            + "x-ratelimit-remaining: 199\nx-ratelimit-reset: ";
    assertThat(seen(headers + reset))
        .containsExactly(Sighting.of(REQUESTS, 200, 199).resetIn(Duration.parse(left)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1794730784L + 3_600, 1794730784L - 3_600})
  void without_a_date_a_clock_that_is_an_hour_off_tells_no_reset(long reset) {
    var plain = "x-ratelimit-limit: 50\nx-ratelimit-remaining: 49\nx-ratelimit-reset: " + reset;
    assertThat(seen(plain)).containsExactly(Sighting.of(REQUESTS, 50, 49));
    var dated = "Date: Sun, 15 Nov 2026 08:19:44 GMT\n" + plain;
    assertThat(reset(dated)).isPresent();
  }

  @Test
  void a_header_without_a_period_is_known_by_its_name() {
    var told =
        SignalReader.read(
                ReplyHeads.of(
                    200,
                    """
                    x-ratelimit-limit-requests: 500
                    x-ratelimit-remaining-requests: 3
                    x-ratelimit-limit-tokens-minute: 900
                    x-ratelimit-remaining-tokens-minute: 800
                    RateLimit-Limit: 60
                    RateLimit-Remaining: 50
                    RateLimit-Reset: 30
                    """))
            .sightings();
    // Neither of the two is the tighter one: the first has less left, the other has less in all.
    assertThat(told)
        .extracting(Sighting::header)
        .containsExactlyInAnyOrder("x-ratelimit-requests", "", "ratelimit-requests");
  }

  @Test
  void a_window_that_is_stated_bounds_its_reset() {
    var policy = "RateLimit-Policy: \"a\";q=50;w=10\nRateLimit: \"a\";r=49;t=";
    assertThat(reset(policy + "9")).contains(Duration.ofSeconds(9));
    assertThat(reset(policy + "900")).isEmpty();
  }

  @Test
  void a_day_s_limit_may_reset_in_a_day() {
    var day = "x-ratelimit-limit-requests-day: 9\nx-ratelimit-remaining-requests-day: 8\n";
    assertThat(reset(day + "x-ratelimit-reset-requests-day: 86399")).isPresent();
    assertThat(reset(day + "x-ratelimit-reset-requests-day: 8760h")).isEmpty();
  }

  // ---- a reset alone ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x-ratelimit-reset-requests: 12s | PT12S",
        "x-ratelimit-reset-requests: 12s & x-ratelimit-reset-tokens: 7.5s | PT7.5S",
        "x-ratelimit-reset: 1794730814 | PT30S",
        "x-ratelimit-reset: 2026-11-15T08:20:14 | PT30S",
        "x-ratelimit-reset-tokens-minute: 11.38 | PT11.38S",
        "ratelimit-reset: 9 | PT9S",
        "anthropic-ratelimit-input-tokens-reset: 2026-11-15T08:19:54Z | PT10S",
        "anthropic-ratelimit-unified-reset: 1794730814 | PT30S",
        "x-ratelimit-limit-requests: 5 & x-ratelimit-reset-requests: 12s | PT12S",
        "x-ratelimit-reset-requests: 12s & retry-after: 3 | PT3S",
        "x-ratelimit-reset-requests: 0s & x-ratelimit-reset-tokens: 4s | PT4S",
        "x-ratelimit-reset-tokens-day: 40000 | PT11H6M40S",
      })
  void of_a_refusal_the_shortest_reset_is_a_hint_where_there_is_no_other(
      String headers, String wait) {
    assertThat(refused(429, headers.replace(" & ", "\n")).retryAfter())
        .contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-ratelimit-reset-requests: 2030-01-01T00:00:00Z",
        "anthropic-ratelimit-requests-reset: 2026-11-15T12:00:00Z",
        "x-ratelimit-reset: -1",
        "x-ratelimit-limit: 50 & x-ratelimit-remaining: 20 & x-ratelimit-reset: 30",
      })
  void no_hint_is_a_reset_that_makes_no_sense_or_of_something_that_is_left(String headers) {
    assertThat(refused(429, headers.replace(" & ", "\n")).retryAfter()).isEmpty();
  }

  @Test
  void a_reset_alone_is_no_sighting_and_nothing_where_nothing_was_refused() {
    assertThat(seen("x-ratelimit-reset-requests: 12s")).isEmpty();
    assertThat(refused(429, "x-ratelimit-reset-requests: 12s").sightings()).isEmpty();
    assertThat(refused(500, "x-ratelimit-reset-requests: 12s").retryAfter()).isEmpty();
  }

  // ---- names ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ratelimitbysize-limit: 500000 & ratelimitbysize-remaining: 499000"
            + " & ratelimitbysize-reset: 42",
        "x-ratelimitbysize-limit-minute: 500000 & x-ratelimitbysize-remaining-minute: 499000"
            + " & x-ratelimitbysize-reset-minute: 42",
        "X-RateLimitBySize-Limit: 500000 & X-RateLimitBySize-Remaining: 499000"
            + " & X-RateLimitBySize-Reset: 42",
      })
  void mistral_counts_tokens_of_a_minute_by_size(String headers) {
    assertThat(seen(headers.replace(" & ", "\n")))
        .containsExactly(Sighting.of(TOKENS, 500000, 499000).resetIn(Duration.ofSeconds(42)));
  }

  // ---- one limit, told twice ----

  @Test
  void of_two_limits_for_the_same_the_tighter_counts_whichever_family_tells_it() {
    var provider = "x-ratelimit-limit-requests: 500\nx-ratelimit-remaining-requests: 499\n";
    var gateway = "RateLimit-Limit: 60\nRateLimit-Remaining: 12\nRateLimit-Reset: 30\n";
    assertThat(seen(provider + gateway))
        .containsExactly(Sighting.of(REQUESTS, 60, 12).resetIn(Duration.ofSeconds(30)));
    var tight = "x-ratelimit-limit-requests: 20\nx-ratelimit-remaining-requests: 19\n";
    // The one has less in all, the other has less left: both hold.
    assertThat(seen(tight + gateway))
        .containsExactly(
            Sighting.of(REQUESTS, 20, 19),
            Sighting.of(REQUESTS, 60, 12).resetIn(Duration.ofSeconds(30)));
    var plain = "x-ratelimit-limit: 10\nx-ratelimit-remaining: 9\n";
    assertThat(seen(provider + plain)).containsExactly(Sighting.of(REQUESTS, 10, 9));
  }

  @Test
  void of_two_policies_for_the_same_the_tighter_counts() {
    assertThat(
            seen(
                "RateLimit-Policy: \"a\";q=100;w=60, \"b\";q=30;w=60\n"
                    + "RateLimit: \"a\";r=80;t=5, \"b\";r=7;t=9"))
        .containsExactly(Sighting.of(REQUESTS, 30, 7).resetIn(Duration.ofSeconds(9)));
  }

  @Test
  void the_same_limit_told_twice_is_told_with_its_reset() {
    assertThat(
            seen(
                """
                X-RateLimit-Limit-Minute: 5
                X-RateLimit-Remaining-Minute: 4
                RateLimit-Limit: 5
                RateLimit-Remaining: 4
                RateLimit-Reset: 30
                """))
        .containsExactly(Sighting.of(REQUESTS, 5, 4).resetIn(Duration.ofSeconds(30)));
  }

  @Test
  void limits_over_other_periods_are_other_limits() {
    var names = "x-ratelimit-limit-requests-%s: %d\nx-ratelimit-remaining-requests-%s: 1\n";
    assertThat(seen(names.formatted("minute", 5, "minute") + names.formatted("day", 9, "day")))
        .extracting(Sighting::dimension)
        .containsExactlyInAnyOrder(REQUESTS, REQUESTS.per(DAY));
  }

  // ---- a day's limit is not a minute's ----

  @ParameterizedTest
  @CsvSource({"14400, 14399, 6s", "10000, 9999, 8.64s", "200000, 199900, 43.2s"})
  void numbers_that_fit_a_day_exactly_are_of_a_day(long limit, long remaining, String reset) {
    var headers =
        """
        x-ratelimit-limit-requests: %d
        x-ratelimit-remaining-requests: %d
        x-ratelimit-reset-requests: %s
        """
            .formatted(limit, remaining, reset);
    assertThat(seen(headers))
        .extracting(Sighting::dimension)
        .containsExactly(new Dimension("requests", DAY));
  }
}
