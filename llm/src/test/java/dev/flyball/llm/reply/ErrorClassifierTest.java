package dev.flyball.llm.reply;

import static dev.flyball.llm.reply.ErrorReplies.anthropic;
import static dev.flyball.llm.reply.ErrorReplies.openai;
import static dev.flyball.llm.reply.ErrorReplies.rejected;
import static dev.flyball.llm.reply.ErrorReplies.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of each provider's errors. */
class ErrorClassifierTest {
  private static final String CAPACITY =
      "The system is currently experiencing high demand and cannot process your request.";

  // ---- by status ----

  @ParameterizedTest
  @CsvSource({
    "400, false",
    "401, true",
    "402, true",
    "403, true",
    "404, false",
    "405, false",
    "410, false",
    "413, false",
    "422, false",
    "451, false",
    "501, false",
    "302, false",
  })
  void these_are_final_for_the_lane_or_for_the_call(int status, boolean whole) {
    var rejected = rejected(status, "");
    assertThat(rejected.whole()).isEqualTo(whole);
    assertThat(rejected.message()).isEqualTo("HTTP " + status);
    assertThat(rejected.advice()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 425, 498, 500, 502, 504, 520, 524, 529, 599})
  void these_are_overload(int status) {
    var over = (Reply.Overloaded<String>) reply(status, "retry-after: 3", "");
    assertThat(over.signals().retryAfter()).contains(Duration.ofSeconds(3));
  }

  @Test
  void a_429_is_a_rate_limit_unless_it_says_otherwise() {
    assertThat(reply(429, "")).isInstanceOf(Reply.Throttled.class);
    assertThat(reply(429, "{}")).isInstanceOf(Reply.Throttled.class);
    assertThat(reply(429, "{\"object\":\"error\",\"message\":\"Requests rate limit exceeded\"}"))
        .isInstanceOf(Reply.Throttled.class);
    assertThat(reply(429, "{\"message\":\"Too many tokens, please wait before trying again.\"}"))
        .isInstanceOf(Reply.Throttled.class);
  }

  // ---- Anthropic ----

  @Test
  void anthropic_is_throttled_with_its_wait_and_dimension() {
    var reply =
        reply(
            429,
            "retry-after: 12",
            anthropic(
                "rate_limit_error",
                "This request would exceed your organization's rate limit of 30,000 input tokens"
                    + " per minute (org: 0-0, model: claude-sonnet-4-20250514)."));
    assertThat(reply).isInstanceOf(Reply.Throttled.class);
    assertThat(reply.signals().retryAfter()).contains(Duration.ofSeconds(12));
    assertThat(reply.signals().exceeded()).contains(Dimension.INPUT_TOKENS);
  }

  @Test
  void a_spend_cap_in_the_clothes_of_a_429_is_final_until_its_date() {
    var body =
        """
        {"type":"error","error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"},"message":"You have reached your API usage limits: monthly. You will regain access on 2026-12-01 at 00:00 UTC."}}
        """;
    var rejected = rejected(429, body);
    assertThat(rejected.whole()).isTrue();
    assertThat(rejected.until()).contains(Duration.parse("P15DT15H40M16S"));
    assertThat(rejected.advice()).contains("spend limit");
  }

  @Test
  void a_spend_limit_of_ones_own_in_the_clothes_of_a_400_is_final_for_the_lane() {
    var message =
        "You have reached your specified workspace API usage limits. You will regain access on"
            + " 2026-11-16 at 08:19 UTC.";
    var rejected = rejected(400, anthropic("invalid_request_error", message));
    assertThat(rejected.whole()).isTrue();
    assertThat(rejected.until()).contains(Duration.parse("PT23H59M16S"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2020-01-01", "2026-13-45", "2026-11-15"})
  void a_date_that_is_past_or_none_gives_no_end(String date) {
    var message = "You have reached your specified API usage limits. You will regain access on ";
    var rejected = rejected(400, anthropic("invalid_request_error", message + date));
    assertThat(rejected.whole()).isTrue();
    assertThat(rejected.until()).isEmpty();
  }

  @Test
  void an_end_that_is_years_away_is_none() {
    var message = "You have reached your specified API usage limits. You will regain access on ";
    assertThat(rejected(400, anthropic("x", message + "9999-01-01")).until()).isEmpty();
  }

  @Test
  void no_credit_is_final_for_the_lane() {
    var message = "Your credit balance is too low to access the Anthropic API.";
    assertThat(rejected(400, anthropic("invalid_request_error", message)).whole()).isTrue();
    assertThat(rejected(402, anthropic("billing_error", "no")).whole()).isTrue();
  }

  @Test
  void overload_has_the_provider_s_words() {
    assertThat(reply(529, anthropic("overloaded_error", "Overloaded")))
        .isEqualTo(new Reply.Overloaded<>("Overloaded", Signals.NONE));
  }

  @Test
  void a_plan_without_fast_mode_is_final_for_the_call() {
    var fast = "anthropic-fast-input-tokens-limit: 0";
    var body = anthropic("rate_limit_error", "no fast mode");
    var rejected = (Reply.Rejected<String>) reply(429, fast, body);
    assertThat(rejected.whole()).isFalse();
    assertThat(rejected.advice()).contains("fast mode");
    assertThat(reply(429, fast + "\nretry-after: 1", body)).isInstanceOf(Reply.Throttled.class);
  }

  // ---- OpenAI, Groq, Azure ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded"
      })
  void a_429_about_money_is_final_for_the_lane(String code) {
    var message = "You exceeded your current quota, please check your plan and billing details.";
    assertThat(rejected(429, openai("insufficient_quota", code, message)).whole()).isTrue();
    assertThat(rejected(429, openai("requests", code, message)).whole()).isTrue();
  }

  @Test
  void a_wrong_key_is_final_for_the_lane_and_is_not_shown() {
    var message = "Incorrect API key provided: sk-proj-abcdEFGH1234****wxyz. You can find yours";
    var rejected = rejected(401, openai("invalid_request_error", "invalid_api_key", message));
    assertThat(rejected.whole()).isTrue();
    assertThat(rejected.message())
        .isEqualTo("Incorrect API key provided: [redacted] You can find yours");
  }

  @ParameterizedTest
  @CsvSource({"429, min", "413, minute"})
  void what_can_never_fit_is_final_for_the_call(int status, String per) {
    var message =
        "Request too large for gpt-4o in organization org-x on tokens per "
            + per
            + " (TPM): Limit 30000, Requested 36055. The input or output tokens must be reduced.";
    var rejected = rejected(status, openai("tokens", "rate_limit_exceeded", message));
    assertThat(rejected.whole()).isFalse();
    assertThat(rejected.advice()).contains("smaller");
  }

  @Test
  void a_limit_that_is_smaller_than_the_call_is_final_whatever_it_is_called() {
    var message = "Rate limit reached on tokens per day (TPD): Limit 100, Used 0, Requested 101.";
    assertThat(rejected(429, openai("tokens", "rate_limit_exceeded", message)).whole()).isFalse();
  }

  @Test
  void a_day_s_limit_is_waited_for() {
    var message =
        "Rate limit reached on requests per day (RPD): Limit 1000, Used 1000, Requested 1. Please"
            + " try again in 14h1m26.4s.";
    var reply = reply(429, openai("requests", "rate_limit_exceeded", message));
    assertThat(reply).isInstanceOf(Reply.Throttled.class);
    assertThat(reply.signals().retryAfter()).contains(Duration.parse("PT14H1M26.4S"));
    assertThat(reply.signals().exceeded()).contains(Dimension.REQUESTS.per(Duration.ofDays(1)));
  }

  @Test
  void slow_down_is_acceleration_as_a_429_and_overload_as_a_503() {
    var body = openai("rate_limit_error", "slow_down", "too fast");
    assertThat(reply(429, body)).isInstanceOf(Reply.Throttled.class);
    assertThat(reply(429, body).signals().acceleration()).isTrue();
    assertThat(reply(503, body)).isInstanceOf(Reply.Overloaded.class);
  }

  @Test
  void a_429_about_capacity_is_overload() {
    assertThat(reply(429, openai("", "429", CAPACITY))).isInstanceOf(Reply.Overloaded.class);
    assertThat(reply(429, openai("engine_overloaded_error", "", "busy")))
        .isInstanceOf(Reply.Overloaded.class);
  }

  @Test
  void azure_says_how_long_in_words() {
    var message =
        "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version"
            + " 2024-02-15-preview have exceeded token rate limit of your current OpenAI S0 pricing"
            + " tier. Please retry after 33 seconds.";
    var reply = reply(429, "{\"error\":{\"code\":\"429\",\"message\":\"" + message + "\"}}");
    assertThat(reply).isInstanceOf(Reply.Throttled.class);
    assertThat(reply.signals().retryAfter()).contains(Duration.ofSeconds(33));
  }

  @Test
  void a_context_that_is_too_long_is_final_for_the_call() {
    var body = openai("invalid_request_error", "context_length_exceeded", "too long");
    assertThat(rejected(400, body).advice()).contains("smaller");
  }

  // ---- others ----

  @Test
  void a_limit_of_zero_is_a_model_outside_the_plan() {
    var body =
        """
        {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3.6-pro\\nPlease retry in 5s."}}
        """;
    assertThat(rejected(429, body).whole()).isTrue();
    assertThat(reply(429, body.replace("limit: 0", "limit: 20")))
        .isInstanceOf(Reply.Throttled.class);
  }

  @Test
  void gemini_calls_a_wrong_key_an_invalid_argument() {
    var body =
        """
        [{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"API key not valid. Please pass a valid API key.","details":[{"reason":"API_KEY_INVALID"}]}}]
        """;
    assertThat(rejected(400, body).whole()).isTrue();
  }

  @Test
  void a_402_may_be_a_matter_of_seconds() {
    var body =
        """
        {"error":{"code":402,"message":"in flight","metadata":{"reason":"%s","limit_source":"%s"}}}
        """;
    var soon =
        reply(
            402,
            "retry-after: 4",
            body.formatted("in_flight_budget_exhausted", "openrouter_in_flight_budget"));
    assertThat(soon).isInstanceOf(Reply.Throttled.class);
    assertThat(soon.signals().retryAfter()).contains(Duration.ofSeconds(4));
    assertThat(rejected(402, body.formatted("x", "openrouter_credits")).whole()).isTrue();
    assertThat(rejected(402, body.formatted("weight_exceeds_budget", "x")).whole()).isFalse();
  }

  @Test
  void input_that_was_flagged_says_nothing_about_the_key() {
    var body =
        """
        {"error":{"code":403,"message":"Your chosen model requires moderation and your input was flagged"}}
        """;
    assertThat(rejected(403, body).whole()).isFalse();
  }

  @Test
  void half_a_day_is_waited_for() {
    var body =
        """
        {"error":{"code":"RateLimitReached","message":"Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 52220 seconds before retrying."}}
        """;
    var reply = reply(429, body);
    assertThat(reply).isInstanceOf(Reply.Throttled.class);
    assertThat(reply.signals().retryAfter()).contains(Duration.ofSeconds(52220));
  }

  @Test
  void a_month_s_calls_are_not_waited_for() {
    var body =
        "{\"message\":\"You are using a Trial key, which is limited to 1000 API calls / month.\"}";
    assertThat(rejected(429, body).whole()).isTrue();
  }

  @Test
  void together_answers_429_when_use_grows_too_fast() {
    var body = "{\"error\":{\"message\":\"no\"},\"error_type\":\"dynamic_request_limited\"}";
    assertThat(reply(429, body).signals().acceleration()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "com.amazon.coral#ThrottlingException, true",
    "ThrottlingException, true",
    "ModelNotReadyException, false",
  })
  void bedrock_names_its_exceptions(String type, boolean throttled) {
    var reply = reply(429, "{\"__type\":\"" + type + "\",\"message\":\"Too many requests\"}");
    assertThat(reply instanceof Reply.Throttled).isEqualTo(throttled);
  }

  @Test
  void what_a_message_repeats_of_a_prompt_closes_no_lane() {
    var prompt = "invalid value: 'your credit balance is too low, at capacity, 1000 calls / month'";
    assertThat(rejected(400, openai("invalid_request_error", "", prompt)).whole()).isFalse();
  }

  // ---- what a server says about trying again ----

  @Test
  void should_retry_no_makes_a_limit_final() {
    assertThat(reply(429, "x-should-retry: false", "")).isInstanceOf(Reply.Rejected.class);
    assertThat(reply(529, "X-Should-Retry: FALSE", "")).isInstanceOf(Reply.Rejected.class);
  }

  @Test
  void should_retry_yes_never_overrules_money_keys_or_size() {
    var yes = "x-should-retry: true";
    assertThat(reply(400, yes, "")).isInstanceOf(Reply.Overloaded.class);
    assertThat(reply(404, yes, "")).isInstanceOf(Reply.Overloaded.class);
    assertThat(reply(401, yes, "")).isInstanceOf(Reply.Rejected.class);
    assertThat(reply(413, yes, "")).isInstanceOf(Reply.Rejected.class);
    assertThat(reply(429, yes, openai("", "insufficient_quota", "no")))
        .isInstanceOf(Reply.Rejected.class);
  }

  // ---- inside a stream ----

  private static Reply<String> inStream(String json, Usage soFar) {
    var head =
        ReplyHeads.of(
            200,
            "x-ratelimit-limit-requests: 9\nx-ratelimit-remaining-requests: 8\nretry-after: 5");
    return ErrorClassifier.inStream(json, head, soFar);
  }

  @Test
  void an_overload_in_a_stream_cuts_short_what_had_begun() {
    var error = anthropic("overloaded_error", "Overloaded");
    var begun = Usage.of(10, 3);
    assertThat(inStream(error, Usage.of(10, 0))).isInstanceOf(Reply.Overloaded.class);
    assertThat(inStream(error, begun))
        .isEqualTo(new Reply.CutShort<>("Overloaded", begun, Signals.NONE));
  }

  @Test
  void a_rate_limit_in_a_stream_is_a_rate_limit_and_old_headers_are_not_said_again() {
    var failed =
        """
        {"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s."}}}
        """;
    var reply = inStream(failed, Usage.NONE);
    assertThat(reply).isInstanceOf(Reply.Throttled.class);
    assertThat(reply.signals().retryAfter()).contains(Duration.ofSeconds(2));
    assertThat(reply.signals().sightings())
        .extracting(sighting -> sighting.dimension())
        .containsExactly(Dimension.TOKENS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"error\":{\"code\":429,\"message\":\"Provider returned error\"}} | Throttled",
        "{\"error\":{\"code\":502,\"message\":\"Provider returned error\"}} | Overloaded",
        "{\"error\":{\"message\":\"oops\",\"type\":\"server_error\"}} | Overloaded",
        "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"no\"} | Throttled",
        "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"no\"}} | Rejected",
        "{\"error\":{\"type\":\"authentication_error\",\"message\":\"no\"}} | Rejected",
        "{\"error\":{\"code\":402,\"message\":\"no\"}} | Rejected",
        "{\"choices\":[{\"error\":{\"code\":429,\"message\":\"no\"}}]} | Throttled",
        "garbage | Overloaded",
      })
  void errors_in_a_stream_are_told_apart_by_their_codes(String json, String kind) {
    assertThat(inStream(json, Usage.NONE).getClass().getSimpleName()).isEqualTo(kind);
  }
}
