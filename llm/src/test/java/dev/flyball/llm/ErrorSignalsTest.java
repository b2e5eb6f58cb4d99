package dev.flyball.llm;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.IN_FLIGHT;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.llm.reply.ReplyHeads;
import dev.flyball.llm.reply.SignalReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The wait that an error asks for, and the limit that it names. */
class ErrorSignalsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static Signals read(String headers, String body) {
    return SignalReader.read(ReplyHeads.of(429, headers), body.getBytes(UTF_8));
  }

  private static Signals says(String message) {
    return read("", "{\"error\":{\"message\":\"" + message + "\"}}");
  }

  // ---- waits ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retry-after-ms: 1500 | PT1.5S",
        "retry-after: 2 | PT2S",
        "retry-after: 0.25 | PT0.25S",
        "Retry-After: 7, 7 | PT7S",
        "retry-after: 86400 | PT24H",
        "retry-after: Sun, 15 Nov 2026 08:20:14 GMT | PT30S",
        "retry-after: 2026-11-15T08:20:14Z | PT30S",
        "retry-after: 1794730814 | PT30S",
      })
  void a_header_asks_to_wait(String header, String wait) {
    assertThat(SignalReader.read(ReplyHeads.of(429, header)).retryAfter())
        .contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retry-after: 0",
        "retry-after: -5",
        "retry-after: NaN",
        "retry-after: soon",
        "retry-after-ms: 0",
        "retry-after-ms: -100",
        "retry-after: Sun, 15 Nov 2026 08:19:00 GMT",
        "retry-after: Sun, 99 Nov 2026 08:19:00 GMT",
        "retry-after: 99999999",
        "retry-after: 1000000000",
        "retry-after: 11111111111111111111111111111",
        "retry-after: ",
      })
  void zero_negative_past_or_nonsense_asks_nothing(String header) {
    assertThat(SignalReader.read(ReplyHeads.of(429, header)).retryAfter()).isEmpty();
  }

  @Test
  void a_date_is_meant_against_the_servers_clock() {
    var headers = "date: Sun, 15 Nov 2026 09:00:00 GMT\nretry-after: Sun, 15 Nov 2026 09:00:03 GMT";
    assertThat(read(headers, "").retryAfter()).contains(Duration.ofSeconds(3));
  }

  @Test
  void milliseconds_come_before_seconds_and_headers_before_the_body() {
    var body = "{\"error\":{\"message\":\"Please try again in 9s.\"}}";
    assertThat(read("retry-after: 2\nretry-after-ms: 1500", body).retryAfter())
        .contains(Duration.ofMillis(1500));
    assertThat(read("retry-after: 2", body).retryAfter()).contains(Duration.ofSeconds(2));
    assertThat(read("retry-after: 0\nretry-after-ms: 0", body).retryAfter())
        .contains(Duration.ofSeconds(9));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Please try again in 18.642s. Visit us. | PT18.642S",
        "Please try again in 1m26.4s. Visit us. | PT1M26.4S",
        "Please try again in 9m38.016s. | PT9M38.016S",
        "Please try again in 120ms. | PT0.12S",
        "Please try again in 20s. | PT20S",
        "Please retry in 23.472316927s. | PT23.472316927S",
        "Please retry after 33 seconds. To increase | PT33S",
        "Please wait 52220 seconds before retrying. | PT14H30M20S",
        "Try again in 6 minutes. | PT6M",
        "Please wait for 500 milliseconds | PT0.5S",
        "Please try again in 900h. | PT900H",
      })
  void words_ask_to_wait(String message, String wait) {
    assertThat(says(message).retryAfter()).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Please try again later.",
        "Please retry after 2026-11-15 08:00",
        "Please try again in a moment",
        "Please try again in 0s."
      })
  void words_without_a_number_ask_nothing(String message) {
    assertThat(says(message).retryAfter()).isEmpty();
  }

  // ---- what was exceeded ----

  @ParameterizedTest
  @CsvSource({
    "30&#44;000 input tokens per minute,input_tokens",
    "8&#44;000 output tokens per minute,output_tokens",
    "50 requests per minute,requests",
  })
  void anthropic_names_the_dimension(String limit, String name) {
    var message =
        "This request would exceed your organization's rate limit of "
            + limit.replace("&#44;", ",")
            + " (org: 0-0, model: claude-sonnet-4-20250514). Please reduce the prompt length or the"
            + " maximum tokens requested, or try again later.";
    assertThat(says(message).exceeded()).contains(new Dimension(name, Dimension.MINUTE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "on tokens per min (TPM): | tokens | PT1M",
        "on requests per min (RPM): | requests | PT1M",
        "on requests per day (RPD): | requests | PT24H",
        "on tokens per day (TPD): | tokens | PT24H",
        "on tokens per minute (TPM): | tokens | PT1M",
        "on images per minute (IPM): | images | PT1M",
        "on input tokens per minute (ITPM): | input_tokens | PT1M",
        "your OTPM is spent | output_tokens | PT1M",
        "have exceeded token rate limit of your current OpenAI S0 pricing tier | tokens | PT1M",
        "have exceeded call rate limit of your current pricing tier | requests | PT1M",
        "Rate limit of 50 per 86400s exceeded for UserByModelByDay. | requests | PT24H",
        "You are past the per minute request limit, please wait | requests | PT1M",
        "trial token rate limit exceeded, limit is 100000 tokens per minute | tokens | PT1M",
        "Rate limit exceeded: free-models-per-day | requests | PT24H",
        "Rate limit exceeded: free-models-per-min | requests | PT1M",
        "Too many tokens, please wait before trying again. | tokens | PT1M",
        "Too many concurrent requests: the limit is 5. | in_flight | PT1M",
      })
  void a_message_names_the_dimension(String message, String name, String period) {
    assertThat(says(message).exceeded()).contains(new Dimension(name, Duration.parse(period)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Too many requests, please wait before trying again.",
        "Resource exhausted, please try again later.",
        "too many requests from your IPs",
        "Requests rate limit exceeded"
      })
  void a_message_that_names_none_blames_none(String message) {
    assertThat(says(message).exceeded()).isEmpty();
  }

  @Test
  void openai_s_numbers_are_a_sighting_where_headers_are_missing() {
    var signals =
        says(
            "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit"
                + " 30000, Used 14567, Requested 24754. Please try again in 18.642s.");
    assertThat(signals.sightings()).containsExactly(Sighting.of(TOKENS, 30000, 15433));
    assertThat(signals.retryAfter()).contains(Duration.ofMillis(18642));
  }

  @Test
  void debt_is_nothing_left() {
    var signals = says("on tokens per minute (TPM): Limit 5000, Used 5747, Requested 10.");
    assertThat(signals.sightings()).containsExactly(Sighting.of(TOKENS, 5000, 0));
  }

  @Test
  void headers_that_agree_with_the_body_are_kept_and_a_wrong_guess_is_not() {
    var body =
        "{\"error\":{\"message\":\"on requests per min (RPM): Limit 30, Used 30, Requested 1.\"}}";
    var agreeing =
        "x-ratelimit-limit-requests: 30\nx-ratelimit-remaining-requests: 0\n"
            + "x-ratelimit-reset-requests: 60s";
    var guessed = "x-ratelimit-limit-requests: 14400\nx-ratelimit-remaining-requests: 14399";

    assertThat(read(agreeing, body).sightings())
        .containsExactly(
            Sighting.of(REQUESTS, 30, 0)
                .resetIn(Duration.ofMinutes(1))
                .guessedFrom("x-ratelimit-requests"));
    assertThat(read(guessed, body).sightings()).containsExactly(Sighting.of(REQUESTS, 30, 0));
  }

  @Test
  void openai_s_type_names_the_dimension_where_the_words_do_not() {
    assertThat(read("", "{\"error\":{\"type\":\"tokens\",\"message\":\"no\"}}").exceeded())
        .contains(TOKENS);
  }

  @Test
  void gemini_asks_for_seconds_and_a_day_lasts_until_midnight_in_california() {
    var body =
        """
        {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 20, model: gemini-3.6-flash\\nPlease retry in 23.472316927s.",
         "details":[{"@type":"type.googleapis.com/google.rpc.Help","links":[]},
           {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"m","quotaId":"%s","quotaDimensions":{"location":"global"},"quotaValue":"20"}]},
           {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"57.238747106s"}]}}
        """;
    var daily = read("", body.formatted("GenerateRequestsPerDayPerProjectPerModel-FreeTier"));
    var minute = read("", body.formatted("GenerateContentInputTokensPerModelPerMinute"));

    // 08:19:44 UTC is 00:19:44 there.
    assertThat(daily.retryAfter()).contains(Duration.parse("PT23H40M16S"));
    assertThat(daily.exceeded()).contains(REQUESTS.per(DAY));
    assertThat(minute.retryAfter()).contains(Duration.parse("PT57.238747106S"));
    assertThat(minute.exceeded()).contains(INPUT_TOKENS);
  }

  @Test
  void an_error_may_come_as_an_array_or_be_cut_off() {
    var array = "[{\"error\":{\"code\":429,\"message\":\"Please retry in 3s.\"}}]";
    var cut =
        "{\"error\":{\"type\":\"tokens\",\"message\":\"on tokens per min. Please try again in 4s.";
    assertThat(read("", array).retryAfter()).contains(Duration.ofSeconds(3));
    assertThat(read("", cut).retryAfter()).contains(Duration.ofSeconds(4));
    assertThat(read("", cut).exceeded()).contains(TOKENS);
  }

  @Test
  void openrouter_writes_headers_into_the_body() {
    var body =
        """
        {"error":{"message":"Rate limit exceeded: free-models-per-day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1794787200000"}}}}
        """;
    assertThat(read("Date: Sun, 15 Nov 2026 08:19:44 GMT", body).sightings())
        .containsExactly(
            Sighting.of(REQUESTS.per(DAY), 50, 0)
                .resetIn(Duration.parse("PT15H40M16S"))
                .guessedFrom("x-ratelimit"));
  }

  // ---- acceleration ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"type\":\"rate_limit_error\",\"code\":\"slow_down\",\"message\":\"no\"}}",
        "{\"error_type\":\"dynamic_token_limited\",\"message\":\"no\"}",
        "{\"error\":{\"message\":\"... acceleration limit. Please ramp up your traffic"
            + " gradually.\"}}",
        "{\"error\":{\"message\":\"Requests are increasing too quickly.\"}}",
      })
  void acceleration_is_believed_when_it_is_said(String body) {
    assertThat(read("", body).acceleration()).isTrue();
  }

  @Test
  void a_429_with_something_left_is_not_acceleration_by_itself() {
    var left = "anthropic-ratelimit-requests-limit: 50\nanthropic-ratelimit-requests-remaining: 40";
    var body =
        "{\"error\":{\"message\":\"You have exceeded your rate limit. Please slow down and try"
            + " again later.\"}}";
    assertThat(read(left, body).acceleration()).isFalse();
  }

  @Test
  void dimensions_are_those_of_the_scheduler() {
    assertThat(says("output tokens per minute").exceeded()).contains(OUTPUT_TOKENS);
    assertThat(says("concurrency limit").exceeded()).contains(IN_FLIGHT);
  }
}
