package dev.flyball.llm.reply;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The meaning of an error for the attempt and its lane.
 *
 * <p>The body's codes decide before the status: a 429 may be an empty wallet, a 402 a matter of
 * seconds and a 400 a spend limit. Codes that say one thing only come first; those that providers
 * use for many things ({@code invalid_request_error} comes with a wrong key too) only decide where
 * there is no status, inside a stream. Words decide least, and only where they begin the message or
 * the status leaves room: a message may repeat what the user wrote.
 */
enum ErrorVerdict {
  /** A rate limit; waiting helps. */
  THROTTLED,
  /** Too much to do, or broken for now. */
  OVERLOADED,
  /** Nothing goes until somebody pays or a spend limit ends. */
  UNPAID,
  /** The plan has none of this model. */
  NOT_IN_PLAN,
  /** The key is wrong, or may not do this. */
  FORBIDDEN,
  /** No limit will ever hold this call. */
  TOO_LARGE,
  /** The model or the address is not there. */
  GONE,
  /** The request is wrong in itself. */
  WRONG;

  private static final Set<String> UNPAID_CODES =
      Set.of(
          "insufficient_quota",
          "credit_balance_exhausted",
          "organization_usage_limit_exceeded",
          "enforced_spend_limit_reached",
          "billing_error",
          "billing_not_active",
          "billing_hard_limit_reached",
          "payment_required",
          "insufficient_balance",
          "openrouter_credits",
          "openrouter_key_limit");
  private static final Set<String> TOO_LARGE_CODES =
      Set.of(
          "request_too_large",
          "context_length_exceeded",
          "string_above_max_length",
          "weight_exceeds_budget");
  private static final Set<String> WRONG_CODES =
      Set.of(
          "content_filter",
          "content_policy_violation",
          "invalid_prompt",
          "validationexception",
          "servicequotaexceededexception",
          "invalid_argument");
  private static final Set<String> FORBIDDEN_CODES =
      Set.of(
          "authentication_error",
          "permission_error",
          "invalid_api_key",
          "api_key_invalid",
          "account_deactivated",
          "unauthenticated",
          "permission_denied",
          "accessdeniedexception",
          "unrecognizedclientexception",
          "expiredtokenexception");
  private static final Set<String> GONE_CODES =
      Set.of("model_not_found", "not_found_error", "resourcenotfoundexception");
  private static final Set<String> OVERLOADED_CODES =
      Set.of(
          "overloaded_error",
          "engine_overloaded_error",
          "server_is_overloaded",
          "service_unavailable_error",
          "modelnotreadyexception",
          "serviceunavailableexception",
          "internalserverexception",
          "modeltimeoutexception",
          "modelstreamerrorexception");
  private static final Set<String> THROTTLED_CODES =
      Set.of(
          "rate_limit_error",
          "rate_limit_exceeded",
          "rate_limited",
          "ratelimitreached",
          "too_many_requests",
          "slow_down",
          "dynamic_request_limited",
          "dynamic_token_limited",
          "throttlingexception",
          "resource_exhausted");

  private static final Pattern UNPAID_WORDS =
      words("^you have reached your (?:specified|api usage)|^your credit balance is too low");
  private static final Pattern MONTH_WORDS = words("\\bcalls ?(?:/|per) ?month");
  private static final Pattern TOO_LARGE_WORDS =
      words("^request too large|prompt is too long|maximum context length");
  private static final Pattern FLAGGED_WORDS = words("\\bflagged\\b|\\bmoderation\\b");
  private static final Pattern BUSY_WORDS = words("experiencing high demand|\\bat capacity\\b");
  private static final Pattern NO_LIMIT =
      words("quota exceeded for metric: [^,]{1,200}+, limit: 0\\b");

  static ErrorVerdict of(ErrorBody error, int status, Optional<ExceededLimit> exceeded) {
    return special(error, status, exceeded)
        .or(() -> byCode(error, status))
        .orElseGet(() -> status >= 400 ? byStatus(status) : inStream(error, status));
  }

  boolean isFinal() {
    return this != THROTTLED && this != OVERLOADED;
  }

  /** Whether it is about the lane and not about one call. */
  boolean isWhole() {
    return this == UNPAID || this == NOT_IN_PLAN || this == FORBIDDEN;
  }

  private static Optional<ErrorVerdict> special(
      ErrorBody error, int status, Optional<ExceededLimit> exceeded) {
    var message = error.message();
    if (error.says("in_flight_budget_exhausted")) {
      return Optional.of(THROTTLED);
    }
    boolean limited = status == 429 || status < 300;
    if (limited && NO_LIMIT.matcher(message).find()) {
      return Optional.of(NOT_IN_PLAN);
    }
    if (status == 413
        || has(error, TOO_LARGE_CODES)
        || TOO_LARGE_WORDS.matcher(message).find()
        || exceeded.filter(ExceededLimit::tooLarge).isPresent()) {
      return Optional.of(TOO_LARGE);
    }
    boolean unpaid =
        status == 402
            || has(error, UNPAID_CODES)
            || error.codes().stream().anyMatch(code -> code.endsWith("_spend_limit_exceeded"))
            || UNPAID_WORDS.matcher(message).find()
            || (limited && MONTH_WORDS.matcher(message).find());
    return unpaid ? Optional.of(UNPAID) : Optional.empty();
  }

  private static Optional<ErrorVerdict> byCode(ErrorBody error, int status) {
    if (status == 403 && FLAGGED_WORDS.matcher(error.message()).find()) {
      return Optional.of(WRONG);
    }
    if (has(error, FORBIDDEN_CODES)) {
      return Optional.of(FORBIDDEN);
    }
    if (has(error, WRONG_CODES)) {
      return Optional.of(WRONG);
    }
    if (has(error, GONE_CODES)) {
      return Optional.of(GONE);
    }
    if (has(error, OVERLOADED_CODES)
        || (status >= 500 && error.says("slow_down"))
        || (status == 429 && BUSY_WORDS.matcher(error.message()).find())) {
      return Optional.of(OVERLOADED);
    }
    return has(error, THROTTLED_CODES) ? Optional.of(THROTTLED) : Optional.empty();
  }

  private static ErrorVerdict byStatus(int status) {
    return switch (status) {
      case 429 -> THROTTLED;
      case 401, 403 -> FORBIDDEN;
      case 404, 410 -> GONE;
      case 408, 409, 425, 498 -> OVERLOADED;
      case 501, 505 -> WRONG;
      default -> status >= 500 ? OVERLOADED : WRONG;
    };
  }

  /** No status: an error in a stream is the server's, unless it blames the request. */
  private static ErrorVerdict inStream(ErrorBody error, int status) {
    boolean redirect = status >= 300;
    return redirect || error.says("invalid_request_error") ? WRONG : OVERLOADED;
  }

  private static boolean has(ErrorBody error, Set<String> codes) {
    return error.codes().stream().anyMatch(codes::contains);
  }

  private static Pattern words(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }
}
