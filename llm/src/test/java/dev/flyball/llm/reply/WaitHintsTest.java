package dev.flyball.llm.reply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The many ways in which providers and what stands before them ask to wait. */
class WaitHintsTest {
  private static Optional<Duration> asked(String headers, String body) {
    var head = ReplyHeads.of(429, headers);
    return WaitHints.read(head, ErrorBody.of(body.getBytes(UTF_8)), new ServerTime(head));
  }

  private static Optional<Duration> said(String message) {
    return asked("", "{\"error\":{\"message\":\"" + message + "\"}}");
  }

  // ---- headers ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 15 Nov 2026 08:20:14 GMT",
        "Sun, 15 Nov 2026 08:20:14 UTC",
        "Sun, 15 Nov 2026 08:20:14 +0000",
        "Sun, 15 Nov 2026 10:20:14 +0200",
        "Sunday, 15-Nov-26 08:20:14 GMT",
        "Sunday, 15-Nov-26 08:20:14 UTC",
        "Sun, 15-Nov-2026 08:20:14 GMT",
        "Sun Nov 15 08:20:14 2026",
        "Mon, 15 Nov 2026 08:20:14 GMT",
        "2026-11-15T08:20:14Z",
        "2026-11-15T08:20:14",
        "2026-11-15 08:20:14",
        "2026-11-15 08:20:14 UTC",
        "2026-11-15T08:20:14.000+0000",
        "2026-11-15T10:20:14+02:00",
        "PT30S",
        "30S",
        "30s",
        "30",
      })
  void a_wait_of_half_a_minute_in_every_spelling(String value) {
    assertThat(asked("retry-after: " + value, "")).contains(Duration.ofSeconds(30));
  }

  @Test
  void a_day_of_one_digit_has_a_blank_before_it_in_old_dates() {
    var headers = "date: Sun Nov  1 09:00:00 2026\nretry-after: Sun Nov  1 09:00:03 2026";
    assertThat(asked(headers, "")).contains(Duration.ofSeconds(3));
    var rfc850 =
        "date: Sunday, 01-Nov-26 09:00:00 GMT\nretry-after: Sunday, 01-Nov-26 09:00:04 GMT";
    assertThat(asked(rfc850, "")).contains(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun Nov 31 08:49:37 2026",
        "Sunday, 15-Foo-26 08:20:14 GMT",
        "Sun, 15 Nov 2026 25:20:14 UTC",
        "Sun, 15 Nov 2026 08:20:14 XYZ",
        "PT-30S",
        "P",
      })
  void what_is_past_or_no_date_asks_nothing(String value) {
    assertThat(asked("retry-after: " + value, "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x-ms-retry-after-ms: 1500 | PT1.5S",
        "x-ms-retry-after-ms: 0 & retry-after: 2 | PT2S",
        "retry-after-ms: 900 & x-ms-retry-after-ms: 1500 | PT0.9S",
        "x-ms-retry-after-ms: 1500 & retry-after: 1 | PT1.5S",
      })
  void azure_may_have_a_name_of_its_own_for_milliseconds(String headers, String wait) {
    assertThat(asked(headers.replace(" & ", "\n"), "")).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @CsvSource({"86401, PT24H0M1S", "604800, P7D", "2592000, P30D"})
  void more_than_a_day_is_waited_for_as_it_is(String value, String wait) {
    assertThat(asked("retry-after: " + value, "")).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999", "999999999", "2030-01-01T00:00:00Z", "4102444800", "9999d"})
  void years_are_as_if_they_had_not_been_said(String value) {
    assertThat(asked("retry-after: " + value, "")).isEmpty();
  }

  // ---- the fields of a body ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"retry_after\":7}",
        "{\"retry_after\":7.0}",
        "{\"retry_after\":\"7\"}",
        "{\"retry_after\":\"7s\"}",
        "{\"retryAfter\":7}",
        "{\"retry-after\":7}",
        "{\"retry_after_seconds\":7}",
        "{\"retry_after_ms\":7000}",
        "{\"retryAfterMs\":\"7000\"}",
        "{\"message\":\"no\",\"error\":{\"message\":\"no\",\"retry_after\":7}}",
        "{\"detail\":{\"retry_after\":\"7\"}}",
        "{\"error\":{\"details\":{\"retry_after\":7}}}",
        "{\"error\":{\"details\":[{\"retry_after\":7}]}}",
        "{\"error\":{\"metadata\":{\"retry_after\":7}}}",
        "{\"ok\":false,\"parameters\":{\"retry_after\":7}}",
        "{\"errors\":[{\"retry_after\":7}]}",
        "{\"error\":{\"retry_after\":\"2026-11-15T08:19:51Z\"}}",
        "{\"error\":{\"retry_after\":7,\"message\":\"cut o",
      })
  void a_body_may_have_a_field_for_it(String body) {
    assertThat(asked("", body)).contains(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"retry_after\":null}",
        "{\"retry_after\":0}",
        "{\"retry_after\":-7}",
        "{\"retry_after\":\"soon\"}",
        "{\"retry_after\":true}",
        "{\"retry_after\":{\"a\":7}}",
        "{\"retry_after\":999999999}",
      })
  void a_field_that_makes_no_sense_asks_nothing(String body) {
    assertThat(asked("", body)).isEmpty();
  }

  @Test
  void headers_come_before_fields_and_fields_before_words() {
    var body = "{\"error\":{\"message\":\"Please try again in 9s.\",\"retry_after\":7}}";
    assertThat(asked("retry-after: 2", body)).contains(Duration.ofSeconds(2));
    assertThat(asked("", body)).contains(Duration.ofSeconds(7));
  }

  // ---- words ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max RPM: 3, please try again after 1 seconds | PT1S",
        "Please try again after 20s. | PT20S",
        "try again after about 2 minutes. | PT2M",
        "Please try again in 1 hour 30 minutes. | PT1H30M",
        "Please try again in 1 hour and 30 minutes | PT1H30M",
        "Try again in 1 hour, 30 minutes, and 5 seconds! | PT1H30M5S",
        "Please wait 2 minutes and 5 seconds before retrying. | PT2M5S",
        "Please wait for another 2 mins 5 secs. | PT2M5S",
        "Please try again in 1h 30m. | PT1H30M",
        "Please try again in 1h30m5.5s. | PT1H30M5.5S",
        "retry in 1 day 2 hours | P1DT2H",
        "Please retry after 1 min, then see our pages. | PT1M",
        "Please try again in 52,220 seconds. | PT14H30M20S",
        "Please try again in 37 hours. | P1DT13H",
        "Your quota will reset after 2h13m4s. | PT2H13M4S",
        "Limit resets in 3 hours. | PT3H",
        "Retry after: 30 seconds | PT30S",
        "Please try again in 5 seconds and 3 requests will be free | PT5S",
        "Please try again in 12. | PT12S",
      })
  void words_ask_to_wait(String message, String wait) {
    assertThat(said(message)).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Please try again after some time.",
        "Please try again 3 times",
        "Please try again after 2026-11-15 08:00",
        "Please try again in 10:30",
        "retry in 0 minutes and 0 seconds",
        "wait 5sx",
      })
  void words_without_a_time_ask_nothing(String message) {
    assertThat(said(message)).isEmpty();
  }
}
