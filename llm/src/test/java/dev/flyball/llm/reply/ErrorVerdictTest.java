package dev.flyball.llm.reply;

import static dev.flyball.llm.reply.ErrorReplies.openai;
import static dev.flyball.llm.reply.ErrorReplies.rejected;
import static dev.flyball.llm.reply.ErrorReplies.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals that are not what their status says. */
class ErrorVerdictTest {
  private static final String QUOTA = "You exceeded your current quota, please check your plan.";

  private static String kind(int status, String headers, String body) {
    return reply(status, headers.replace(" & ", "\n"), body).getClass().getSimpleName();
  }

  // ---- a 429 that never recovers ----

  @ParameterizedTest
  @CsvSource({
    "access_terminated, closed",
    "account_deactivated, closed",
    "account_suspended, closed",
    "organization_disabled, closed",
    "exceeded_current_quota_error, credit",
    "insufficient_quota, credit",
    "quota_exceeded, credit",
    "insufficient_credits, credit",
    "billing_limit_reached, credit",
    "credit_exhausted, credit",
    "team_spend_limit_reached, credit",
    "Arrearage, credit",
  })
  void a_429_that_never_recovers_shuts_the_lane_and_says_what_to_do(String code, String advice) {
    for (var body :
        new String[] {
          openai(code, "null", "no"),
          openai("requests", code, "no"),
          "{\"error\":{\"message\":\"no\",\"type\":\"" + code + "\",\"code\":null}}",
          "{\"code\":\"" + code + "\",\"message\":\"no\"}",
        }) {
      var rejected = rejected(429, body);
      assertThat(rejected.whole()).isTrue();
      assertThat(rejected.advice()).contains(advice);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "access_terminated",
        "exceeded_current_quota_error",
        "credit_balance_exhausted",
        "billing_hard_limit_reached",
        "organization_spend_limit_exceeded",
        "enforced_spend_limit_reached",
        "organization_usage_limit_exceeded",
      })
  void money_and_closed_accounts_are_final_whatever_hint_comes_with_them(String code) {
    assertThat(kind(429, "retry-after: 20", openai("insufficient_quota", code, QUOTA)))
        .isEqualTo("Rejected");
    var link = QUOTA + " See https://example.com/error-code#token-limit";
    assertThat(kind(429, "", openai("insufficient_quota", code, link))).isEqualTo("Rejected");
  }

  // ---- a quota that is a rate ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retry-after: 20 | Throttled",
        "retry-after-ms: 900 | Throttled",
        "retry-after: 3600 | Throttled",
        "retry-after: 7200 | Rejected",
        "retry-after: 0 | Rejected",
        "x-ratelimit-reset-tokens: 42s | Throttled",
        "x-ratelimit-limit-tokens: 9 & x-ratelimit-remaining-tokens: 0"
            + " & x-ratelimit-reset-tokens: 42s | Throttled",
        "x-ratelimit-limit-tokens: 9 & x-ratelimit-remaining-tokens: 8"
            + " & x-ratelimit-reset-tokens: 7s | Rejected",
        "x-ratelimit-reset: 2030-01-01T00:00:00Z | Rejected",
        "x-nothing: 1 | Rejected",
      })
  void a_quota_that_is_back_within_the_hour_is_a_rate_limit(String headers, String kind) {
    assertThat(kind(429, headers, openai("insufficient_quota", "insufficient_quota", QUOTA)))
        .isEqualTo(kind);
  }

  @Test
  void a_quota_that_says_when_it_is_back_is_waited_for() {
    var body = openai("quota_exceeded", "quota_exceeded", QUOTA);
    assertThat(kind(429, "retry-after: 20", body)).isEqualTo("Throttled");
    assertThat(kind(429, "x-ratelimit-reset-requests: 20s", body)).isEqualTo("Throttled");
    assertThat(reply(429, "retry-after: 172800", body)).isInstanceOf(Reply.Throttled.class);
    assertThat(kind(429, "", body)).isEqualTo("Rejected");
  }

  @Test
  void dashscope_s_link_tells_its_rate_limit_from_an_empty_wallet() {
    var link = "https://help.aliyun.com/zh/model-studio/error-code#";
    var limited = QUOTA + " For details, see: " + link;
    assertThat(
            kind(
                429,
                "",
                openai("insufficient_quota", "insufficient_quota", limited + "token-limit")))
        .isEqualTo("Throttled");
    assertThat(
            kind(
                429,
                "",
                openai("insufficient_quota", "insufficient_quota", limited + "overdue-payment")))
        .isEqualTo("Rejected");
    assertThat(kind(429, "", "{\"code\":\"Throttling.AllocationQuota\",\"message\":\"no\"}"))
        .isEqualTo("Throttled");
    assertThat(kind(400, "", "{\"code\":\"Throttling.RateQuota\",\"message\":\"no\"}"))
        .isEqualTo("Throttled");
  }

  @Test
  void a_quota_that_is_back_much_later_is_final_until_then() {
    var body = openai("insufficient_quota", "insufficient_quota", QUOTA);
    var rejected = (Reply.Rejected<String>) reply(429, "retry-after: 7200", body);
    assertThat(rejected.until()).contains(Duration.ofHours(2));
    var money = openai("x", "credit_balance_exhausted", QUOTA);
    assertThat(((Reply.Rejected<String>) reply(429, "retry-after: 5", money)).until()).isEmpty();
  }

  @Test
  void an_empty_wallet_with_its_own_status_is_not_waited_for() {
    assertThat(kind(402, "retry-after: 20", openai("x", "insufficient_quota", QUOTA)))
        .isEqualTo("Rejected");
  }

  // ---- a 403 or a 503 that means a rate ----

  @ParameterizedTest
  @ValueSource(ints = {403, 503})
  void a_refusal_with_a_wait_a_level_of_zero_or_words_of_rates_is_a_rate_limit(int status) {
    assertThat(kind(status, "retry-after: 3", "")).isEqualTo("Throttled");
    assertThat(kind(status, "retry-after-ms: 300", "")).isEqualTo("Throttled");
    assertThat(kind(status, "x-ratelimit-reset: 3", "")).isEqualTo("Throttled");
    assertThat(kind(status, "", "{\"retry_after\":3}")).isEqualTo("Throttled");
    assertThat(kind(status, "x-ratelimit-limit: 60 & x-ratelimit-remaining: 0", ""))
        .isEqualTo("Throttled");
    assertThat(kind(status, "RateLimit: \"a\";r=0;t=9", "")).isEqualTo("Throttled");
    for (var words :
        new String[] {
          "You have exceeded a secondary rate limit. Please wait a few minutes.",
          "API rate limit exceeded for user ID 1.",
          "Rate-limited: too many calls",
          "Too many requests",
          "Request was throttled.",
          "Quota exceeded for the current window",
          "Request limit exceeded",
        }) {
      assertThat(kind(status, "", "{\"message\":\"" + words + "\"}"))
          .as(words)
          .isEqualTo("Throttled");
      assertThat(kind(status, "", words)).as(words).isEqualTo("Throttled");
    }
    assertThat(kind(status, "", "<html><title>Rate limited | Example</title></html>"))
        .isEqualTo("Throttled");
  }

  @Test
  void the_wait_of_such_a_refusal_is_kept() {
    assertThat(reply(503, "retry-after: 3", "").signals().retryAfter())
        .contains(Duration.ofSeconds(3));
  }

  @Test
  void a_503_without_any_of_that_is_overload() {
    assertThat(kind(503, "", "")).isEqualTo("Overloaded");
    assertThat(kind(503, "", "<html><title>503 Service Temporarily Unavailable</title></html>"))
        .isEqualTo("Overloaded");
    assertThat(kind(503, "x-ratelimit-limit: 60 & x-ratelimit-remaining: 7", ""))
        .isEqualTo("Overloaded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"type\":\"service_unavailable_error\",\"message\":\"no\"}}",
        "{\"error\":{\"code\":\"server_is_overloaded\",\"message\":\"no\"}}",
        "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\",\"message\":\"no\"}}",
        "{\"message\":\"The model is overloaded. Please try again later.\"}",
        "{\"error\":\"Model x is currently loading\"}",
      })
  void a_503_that_speaks_of_overload_is_overload_even_with_a_wait(String body) {
    assertThat(kind(503, "retry-after: 3", body)).isEqualTo("Overloaded");
  }

  @Test
  void a_403_about_the_key_or_the_input_is_final_whatever_comes_with_it() {
    assertThat(kind(403, "", "")).isEqualTo("Rejected");
    assertThat(kind(403, "x-ratelimit-limit: 60 & x-ratelimit-remaining: 7", ""))
        .isEqualTo("Rejected");
    assertThat(kind(403, "retry-after: 3", openai("permission_error", "x", "no")))
        .isEqualTo("Rejected");
    assertThat(kind(403, "retry-after: 3", "{\"message\":\"your input was flagged\"}"))
        .isEqualTo("Rejected");
  }

  // ---- the type of an error in a header ----

  @ParameterizedTest
  @CsvSource({
    "ThrottlingException, 400, Throttled",
    "ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/, 400, Throttled",
    "com.amazon.bedrock#ThrottlingException, 400, Throttled",
    "TooManyRequestsException, 400, Throttled",
    "ProvisionedThroughputExceededException, 400, Throttled",
    "ServiceUnavailableException, 400, Overloaded",
    "AccessDeniedException, 400, Rejected",
    "ValidationException, 429, Rejected",
  })
  void amazon_may_name_the_error_in_a_header_only(String type, int status, String kind) {
    assertThat(kind(status, "x-amzn-errortype: " + type, "{\"message\":\"no\"}")).isEqualTo(kind);
  }
}
