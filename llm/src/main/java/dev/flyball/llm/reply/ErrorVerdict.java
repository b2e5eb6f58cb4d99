package dev.flyball.llm.reply;

import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The meaning of an error for the attempt and its lane.
 *
 * <p>The body's codes decide before the status: a 429 may be an empty wallet, a 402 a matter of
 * seconds and a 400 a spend limit. A wait or a level of zero decides between a quota and a rate,
 * and makes a rate of a bare 403 or 503. Codes that say one thing only come first; those that
 * providers use for many things ({@code invalid_request_error} comes with a wrong key too) only
 * decide where there is no status, inside a stream. Words decide least, and only where they begin
 * the message or the status leaves room: a message may repeat what the user wrote.
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
  /** The account is closed. */
  CLOSED,
  /** The key is wrong, or may not do this. */
  FORBIDDEN,
  /** No limit will ever hold this call. */
  TOO_LARGE,
  /** The model or the address is not there. */
  GONE,
  /** The request is wrong in itself. */
  WRONG;

  private static final Duration YEAR = Duration.ofDays(366);

  /** What a wallet is called; no hint makes it a rate. */
  private static final Pattern UNPAID_CODE =
      Pattern.compile(
          "^(?:billing|credit)_|_spend_limit_|^insufficient_(?:balance|credits?|funds)$"
              + "|^exceeded_current_quota_error$|^organization_usage_limit_exceeded$"
              + "|^payment_required$|^arrearage$|^openrouter_(?:credits|key_limit)$");

  /** A wallet's, or with a wait a rate's. */
  private static final Set<String> QUOTA_CODES = Set.of("insufficient_quota", "quota_exceeded");

  private static final Pattern CLOSED_CODE =
      Pattern.compile(
          "^(?:access|account|organization|project|user|team)_"
              + "(?:terminated|deactivated|suspended|disabled|closed|blocked|banned)$");
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
          "unavailable",
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
          "ratelimitexceeded",
          "userratelimitexceeded",
          "too_many_requests",
          "toomanyrequestsexception",
          "provisionedthroughputexceededexception",
          "slow_down",
          "dynamic_request_limited",
          "dynamic_token_limited",
          "resource_exhausted");

  private static final Pattern UNPAID_WORDS =
      words("^you have reached your (?:specified|api usage)|^your credit balance is too low");
  private static final Pattern MONTH_WORDS = words("\\bcalls ?(?:/|per) ?month");
  private static final Pattern TOO_LARGE_WORDS =
      words("^request too large|prompt is too long|maximum context length");
  private static final Pattern FLAGGED_WORDS = words("\\bflagged\\b|\\bmoderation\\b");
  private static final Pattern BUSY_WORDS =
      words("experiencing high demand|\\bat capacity\\b|\\boverloaded\\b|\\bcurrently loading\\b");
  private static final Pattern RATE_WORDS =
      words(
          "\\brate[ -]?limit|\\btoo many (?:requests|calls|tokens)\\b|\\bthrottl(?:ed|ing)\\b"
              + "|\\b(?:quota|(?:request|call)s? limit) (?:exceeded|reached)\\b");

  /** DashScope's link to what a quota means, which is a rate for this one. */
  private static final Pattern RATE_LINK = words("error-code#(?:token|rate)-limit\\b");

  private static final Pattern NO_LIMIT =
      words("quota exceeded for metric: [^,]{1,200}+, limit: 0\\b");

  static ErrorVerdict of(
      ErrorBody error, int status, Optional<ExceededLimit> exceeded, Signals signals) {
    return special(error, status, exceeded)
        .or(() -> byAccount(error, status, signals))
        .or(() -> byCode(error, status))
        .orElseGet(
            () -> status >= 400 ? byStatus(status, error, signals) : inStream(error, status));
  }

  boolean isFinal() {
    return this != THROTTLED && this != OVERLOADED;
  }

  /** Whether it is about the lane and not about one call. */
  boolean isWhole() {
    return this == UNPAID || this == NOT_IN_PLAN || this == CLOSED || this == FORBIDDEN;
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
    return Optional.empty();
  }

  /** Whether there is an account, with money in it. */
  private static Optional<ErrorVerdict> byAccount(ErrorBody error, int status, Signals signals) {
    if (has(error, CLOSED_CODE)) {
      return Optional.of(CLOSED);
    }
    boolean limited = status == 429 || status < 300;
    boolean unpaid =
        status == 402
            || has(error, UNPAID_CODE)
            || UNPAID_WORDS.matcher(error.message()).find()
            || (limited && MONTH_WORDS.matcher(error.message()).find());
    if (unpaid) {
      return Optional.of(UNPAID);
    }
    if (has(error, QUOTA_CODES)) {
      boolean rate =
          RATE_LINK.matcher(error.message()).find()
              || isBackWithin(error.says("insufficient_quota") ? LimitPeriod.HOUR : YEAR, signals);
      return Optional.of(rate ? THROTTLED : UNPAID);
    }
    return Optional.empty();
  }

  private static boolean isBackWithin(Duration time, Signals signals) {
    var empty = signals.sightings().stream().filter(ErrorVerdict::isEmpty);
    return Stream.concat(
            signals.retryAfter().stream(), empty.flatMap(seen -> seen.reset().stream()))
        .anyMatch(wait -> wait.isPositive() && wait.compareTo(time) <= 0);
  }

  private static boolean isEmpty(Sighting seen) {
    return seen.remaining().orElse(1) == 0;
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
        || ((status == 429 || status == 503) && BUSY_WORDS.matcher(error.message()).find())) {
      return Optional.of(OVERLOADED);
    }
    boolean throttled =
        has(error, THROTTLED_CODES)
            || error.codes().stream().anyMatch(code -> code.startsWith("throttling"));
    return throttled ? Optional.of(THROTTLED) : Optional.empty();
  }

  private static ErrorVerdict byStatus(int status, ErrorBody error, Signals signals) {
    return switch (status) {
      case 429 -> THROTTLED;
      case 403 -> meansRate(error, signals) ? THROTTLED : FORBIDDEN;
      case 503 -> meansRate(error, signals) ? THROTTLED : OVERLOADED;
      case 401 -> FORBIDDEN;
      case 404, 410 -> GONE;
      case 408, 409, 425, 498 -> OVERLOADED;
      case 501, 505 -> WRONG;
      default -> status >= 500 ? OVERLOADED : WRONG;
    };
  }

  /** Many who limit rates, gateways above all, say so with a status that means something else. */
  private static boolean meansRate(ErrorBody error, Signals signals) {
    return signals.retryAfter().isPresent()
        || signals.sightings().stream().anyMatch(ErrorVerdict::isEmpty)
        || RATE_WORDS.matcher(error.message()).find();
  }

  /** No status: an error in a stream is the server's, unless it blames the request. */
  private static ErrorVerdict inStream(ErrorBody error, int status) {
    boolean redirect = status >= 300;
    return redirect || error.says("invalid_request_error") ? WRONG : OVERLOADED;
  }

  private static boolean has(ErrorBody error, Set<String> codes) {
    return error.codes().stream().anyMatch(codes::contains);
  }

  private static boolean has(ErrorBody error, Pattern code) {
    return error.codes().stream().anyMatch(each -> code.matcher(each).find());
  }

  private static Pattern words(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }
}
