package dev.flyball.llm.reply;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that the headers of every provider tell of. */
class SignalReaderTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** What is seen, but for the header that tells it where the period is a guess. */
  private static List<Sighting> seen(String headers) {
    return SignalReader.read(ReplyHeads.of(200, headers)).sightings().stream()
        .map(sighting -> sighting.guessedFrom(""))
        .toList();
  }

  private static Sighting of(Dimension dimension, long limit, long remaining, String reset) {
    return Sighting.of(dimension, limit, remaining).resetIn(Duration.parse(reset));
  }

  private static Sighting named(String name) {
    return Sighting.of(new Dimension(name, Dimension.MINUTE), 1, 1);
  }

  // ---- Anthropic ----

  @Test
  void anthropic_has_three_dimensions_and_their_sum_is_not_a_fourth() {
    assertThat(
            seen(
                """
                Date: Thu, 22 May 2025 19:22:44 GMT
                anthropic-ratelimit-requests-limit: 4000
                anthropic-ratelimit-requests-remaining: 3999
                anthropic-ratelimit-requests-reset: 2025-05-22T19:22:41Z
                anthropic-ratelimit-input-tokens-limit: 200000
                anthropic-ratelimit-input-tokens-remaining: 198000
                anthropic-ratelimit-input-tokens-reset: 2025-05-22T19:22:46Z
                anthropic-ratelimit-output-tokens-limit: 80000
                anthropic-ratelimit-output-tokens-remaining: 80000
                anthropic-ratelimit-output-tokens-reset: 2025-05-22T19:22:44Z
                anthropic-ratelimit-tokens-limit: 280000
                anthropic-ratelimit-tokens-remaining: 278000
                anthropic-ratelimit-tokens-reset: 2025-05-22T19:22:44Z
                request-id: req_011
                """))
        .containsExactly(
            of(REQUESTS, 4000, 3999, "PT0S").at(Snapshot.ADMISSION),
            of(INPUT_TOKENS, 200000, 198000, "PT2S").at(Snapshot.HEADERS).roundedTo(1000),
            of(OUTPUT_TOKENS, 80000, 80000, "PT0S").at(Snapshot.HEADERS).roundedTo(1000));
  }

  @Test
  void the_sum_of_tokens_counts_where_its_parts_are_missing() {
    assertThat(
            seen(
                """
                anthropic-ratelimit-tokens-limit: 280000
                anthropic-ratelimit-tokens-remaining: 278000
                anthropic-ratelimit-tokens-reset: 2026-11-15T08:19:54Z
                """))
        .containsExactly(of(TOKENS, 280000, 278000, "PT10S").at(Snapshot.HEADERS).roundedTo(1000));
  }

  @Test
  void priority_and_fast_mode_are_pools_of_their_own() {
    assertThat(
            seen(
                """
                anthropic-priority-input-tokens-limit: 10000
                anthropic-priority-input-tokens-remaining: 9000
                anthropic-fast-output-tokens-limit: 8000
                anthropic-fast-output-tokens-remaining: 8000
                """))
        .extracting(sighting -> sighting.dimension().name())
        .containsExactly("input_tokens_priority", "output_tokens_fast");
  }

  @Test
  void a_limit_of_nothing_does_not_close_the_lane() {
    assertThat(
            seen(
                """
                anthropic-fast-input-tokens-limit: 0
                anthropic-fast-input-tokens-remaining: 0
                """))
        .isEmpty();
  }

  @Test
  void a_subscription_has_other_limits_which_are_not_ours() {
    assertThat(seen("anthropic-ratelimit-unified-5h-reset: 1763193600")).isEmpty();
  }

  // ---- OpenAI and those who took over its names ----

  @Test
  void openai_writes_durations_as_go_does() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-requests: 500
                x-ratelimit-remaining-requests: 499
                x-ratelimit-reset-requests: 120ms
                x-ratelimit-limit-tokens: 30000
                x-ratelimit-remaining-tokens: 29996
                x-ratelimit-reset-tokens: 8ms
                x-ratelimit-limit-project-tokens: 15000
                x-ratelimit-remaining-project-tokens: 9000
                x-ratelimit-reset-project-tokens: 24s
                """))
        .containsExactly(
            of(REQUESTS, 500, 499, "PT0.12S"),
            of(TOKENS, 30000, 29996, "PT0.008S"),
            of(named("tokens_project").dimension(), 15000, 9000, "PT24S"));
  }

  @Test
  void groq_counts_requests_of_a_day_and_tokens_of_a_minute() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-requests: 14400
                x-ratelimit-remaining-requests: 14370
                x-ratelimit-reset-requests: 2m59.56s
                x-ratelimit-limit-tokens: 18000
                x-ratelimit-remaining-tokens: 17997
                x-ratelimit-reset-tokens: 7.66s
                """))
        .containsExactly(
            of(REQUESTS.per(DAY), 14400, 14370, "PT2M59.56S"), of(TOKENS, 18000, 17997, "PT7.66S"));
  }

  @Test
  void azure_counts_whole_seconds_and_sometimes_does_not_know() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-requests: 20
                x-ratelimit-remaining-requests: 19
                x-ratelimit-reset-requests: 10
                x-ratelimit-limit-tokens: -1
                x-ratelimit-remaining-tokens: -1
                x-ratelimit-reset-tokens: 0
                """))
        .containsExactly(of(REQUESTS, 20, 19, "PT10S"));
  }

  @Test
  void cerebras_names_its_windows() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-requests-day: 14400
                x-ratelimit-remaining-requests-day: 14399
                x-ratelimit-reset-requests-day: 33011.382867
                x-ratelimit-limit-requests-hour: 900
                x-ratelimit-remaining-requests-hour: 899
                x-ratelimit-limit-tokens-minute: 60000
                x-ratelimit-remaining-tokens-minute: 59000
                x-ratelimit-reset-tokens-minute: 11.38
                """))
        .containsExactlyInAnyOrder(
            of(REQUESTS.per(DAY), 14400, 14399, "PT9H10M11.382867S"),
            Sighting.of(REQUESTS.per(HOUR), 900, 899),
            of(TOKENS, 60000, 59000, "PT11.38S"));
  }

  @Test
  void mistral_says_req() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-req-minute: 60
                x-ratelimit-remaining-req-minute: 59
                x-ratelimit-limit-tokens-minute: 500000
                x-ratelimit-remaining-tokens-minute: 499000
                x-ratelimit-tokens-query-cost: 1000
                """))
        .containsExactlyInAnyOrder(
            Sighting.of(REQUESTS, 60, 59), Sighting.of(TOKENS, 500000, 499000));
  }

  @Test
  void together_means_seconds() {
    assertThat(
            seen(
                """
                x-ratelimit-limit: 10
                x-ratelimit-remaining: 9
                x-ratelimit-reset: 1
                x-tokenlimit-limit: 3000
                x-tokenlimit-remaining: 2500
                x-ratelimit-limit-dynamic: 7
                x-ratelimit-remaining-dynamic: 6
                """))
        .containsExactlyInAnyOrder(
            of(REQUESTS.per(SECOND), 10, 9, "PT1S"),
            Sighting.of(TOKENS.per(SECOND), 3000, 2500),
            Sighting.of(named("requests_dynamic").dimension().per(SECOND), 7, 6));
  }

  @Test
  void fireworks_counts_tokens_of_a_second() {
    assertThat(
            seen(
                """
                X-Ratelimit-Limit-Tokens-Prompt: 60000
                X-Ratelimit-Limit-Tokens-Cache-Adjusted-Prompt: 15000
                X-Ratelimit-Limit-Tokens-Generated: 600
                x-ratelimit-over-limit: no
                """))
        .extracting(Sighting::dimension)
        .containsExactlyInAnyOrder(
            named("input_tokens_total").dimension().per(SECOND),
            INPUT_TOKENS.per(SECOND),
            OUTPUT_TOKENS.per(SECOND));
  }

  @Test
  void cohere_shows_the_minute_of_a_trial_key() {
    assertThat(
            seen(
                """
                x-endpoint-monthly-call-limit: 1000
                x-trial-endpoint-call-limit: 20
                x-trial-endpoint-call-remaining: 19
                """))
        .containsExactly(Sighting.of(REQUESTS, 20, 19));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1794787200", "1794787200000"})
  void a_reset_may_be_unix_time_in_seconds_or_milliseconds(String reset) {
    assertThat(
            seen(
                """
                Date: Sun, 15 Nov 2026 08:19:44 GMT
                X-RateLimit-Limit: 50
                X-RateLimit-Remaining: 0
                X-RateLimit-Reset: %s
                """
                    .formatted(reset)))
        .containsExactly(of(REQUESTS.per(DAY), 50, 0, "PT15H40M16S"));
  }

  @Test
  void of_an_envoy_or_kong_the_window_is_in_the_name_too() {
    assertThat(seen("X-RateLimit-Limit-Minute: 5\nX-RateLimit-Remaining-Minute: 4"))
        .containsExactly(Sighting.of(REQUESTS, 5, 4));
  }

  // ---- traps ----

  @Test
  void names_have_no_case_and_of_two_values_the_first_counts() {
    assertThat(
            seen(
                """
                X-RATELIMIT-LIMIT-REQUESTS: 500
                x-ratelimit-limit-requests: 900
                X-Ratelimit-Remaining-Requests: 499, 499
                """))
        .singleElement()
        .matches(sighting -> sighting.remaining().getAsLong() == 499);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "NaN",
        "",
        "unlimited",
        "1e9",
        "Infinity",
        "99999999999999999999999999",
        "999999999999999",
        "0x10",
        "½"
      })
  void a_count_that_makes_no_sense_is_not_seen(String value) {
    assertThat(
            seen(
                """
                x-ratelimit-limit-requests: %s
                x-ratelimit-remaining-requests: %s
                x-ratelimit-reset-requests: 1s
                """
                    .formatted(value, value)))
        .allMatch(sighting -> sighting.limit().isEmpty() && sighting.remaining().isEmpty());
  }

  @Test
  void commas_and_fractions_are_understood() {
    assertThat(
            seen(
                """
                x-ratelimit-limit-tokens: 30,000
                x-ratelimit-remaining-tokens: 12,345.7
                x-ratelimit-reset-tokens: 35.31s
                """))
        .containsExactly(of(TOKENS, 30000, 12345, "PT35.31S"));
  }

  @Test
  void no_more_remains_than_there_is() {
    assertThat(seen("x-ratelimit-limit-tokens: 100\nx-ratelimit-remaining-tokens: 900"))
        .containsExactly(Sighting.of(TOKENS, 100, 100));
  }

  @Test
  void the_servers_own_date_decides_how_far_away_a_reset_is() {
    var behind =
        seen(
            """
            Date: Sun, 15 Nov 2026 08:00:00 GMT
            anthropic-ratelimit-requests-limit: 50
            anthropic-ratelimit-requests-remaining: 49
            anthropic-ratelimit-requests-reset: 2026-11-15T08:00:01Z
            """);
    assertThat(behind).containsExactly(of(REQUESTS, 50, 49, "PT1S").at(Snapshot.ADMISSION));
  }

  @Test
  void a_reply_without_headers_says_nothing() {
    assertThat(SignalReader.read(ReplyHeads.of(200))).isEqualTo(Signals.NONE);
  }
}
