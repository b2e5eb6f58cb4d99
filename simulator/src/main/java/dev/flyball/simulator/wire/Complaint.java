package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.Meter;
import dev.flyball.simulator.limit.Rate;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.setting.Fault;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.SimulatedClock;
import java.util.Locale;

/**
 * A refusal or an error in the words of a provider.
 *
 * @param after microseconds to say in headers; {@link Meter#UNKNOWN} for none
 */
public record Complaint(int status, ObjectNode body, long after) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** The request that a complaint is about, and whether details are told. */
  public record Case(
      ProviderStyle style,
      String request,
      String model,
      String organization,
      boolean hints,
      SimulatedClock clock) {
    /** A wait in seconds of the caller's clock. */
    double seconds(long micros) {
      return clock.real(micros) / 1e6;
    }
  }

  public static Complaint invalid(ProviderStyle style, String request, RequestBody.Invalid why) {
    return style == ProviderStyle.ANTHROPIC
        ? anthropic(why.status(), why.type(), why.message(), request, Meter.UNKNOWN)
        : openai(why.status(), why.type(), why.code(), why.param(), why.message(), Meter.UNKNOWN);
  }

  private static Complaint anthropic(
      int status, String type, String message, String request, long wait) {
    ObjectNode body = JSON.objectNode().put("type", "error");
    body.putObject("error").put("type", type).put("message", message);
    return new Complaint(status, body.put("request_id", request), wait);
  }

  private static Complaint openai(
      int status, String type, String code, String param, String message, long wait) {
    ObjectNode body = JSON.objectNode();
    ObjectNode error = body.putObject("error").put("message", message).put("type", type);
    error.set("param", param.isEmpty() ? JSON.nullNode() : JSON.textNode(param));
    error.set("code", code.isEmpty() ? JSON.nullNode() : JSON.textNode(code));
    return new Complaint(status, body, wait);
  }

  public static Complaint of(Case about, Rejection why) {
    return switch (why) {
      case Rejection.OverLimit over -> overLimit(about, over);
      case Rejection.TooLarge large -> tooLarge(about, large);
      case Rejection.SpendCap cap -> spendCap(about);
      case Rejection.Accelerating accelerating -> accelerating(about);
    };
  }

  private static Complaint overLimit(Case about, Rejection.OverLimit over) {
    Limit limit = over.limit();
    if (!about.hints()) {
      String message = "You have exceeded your rate limit. Please slow down and try again later.";
      return about.style() == ProviderStyle.ANTHROPIC
          ? anthropic(429, "rate_limit_error", message, about.request(), over.after())
          : openai(429, "rate_limit_error", "rate_limit_exceeded", "", message, over.after());
    }
    if (limit.kind() == Limit.Kind.CONCURRENCY && about.style() != ProviderStyle.ANTHROPIC) {
      return openai(
          429,
          "rate_limit_error",
          "rate_limit_exceeded",
          "",
          "Too many concurrent requests: the limit is " + limit.amount() + ".",
          Meter.UNKNOWN);
    }
    return switch (about.style()) {
      case ANTHROPIC ->
          anthropic(
              429,
              "rate_limit_error",
              String.format(
                  Locale.ROOT,
                  "This request would exceed your organization's rate limit of %,d %s%s (org: %s,"
                      + " model: %s). You can see the response headers for current usage.",
                  limit.amount(),
                  limit.dimension().noun(),
                  limit.kind() == Limit.Kind.CONCURRENCY ? "" : " per " + limit.per(),
                  about.organization(),
                  about.model()),
              about.request(),
              over.after());
      case AZURE -> azure(about, over);
      case GEMINI -> gemini(about, over);
      case DEEPSEEK, ANY, OPENAI, GROQ ->
          openai(
              429,
              limit.dimension() == Dimension.REQUESTS ? "requests" : "tokens",
              "rate_limit_exceeded",
              "",
              "Rate limit reached for %s in organization %s on %s: Limit %d, Used %d, Requested %d. Please try again in %s."
                  .formatted(
                      about.model(),
                      about.organization(),
                      named(limit),
                      limit.amount(),
                      limit.amount() - over.level(),
                      over.requested(),
                      RateHeaders.goDuration(lawful(over, about.clock()))),
              over.after());
    };
  }

  /** The wait that follows from the numbers in the sentence, in which parts of a unit are gone. */
  private static long lawful(Rejection.OverLimit over, SimulatedClock clock) {
    Limit limit = over.limit();
    if (limit.kind() != Limit.Kind.BUCKET) {
      return clock.real(over.after());
    }
    long missing = over.requested() - over.level();
    double millis = (double) missing * limit.period().toMillis() / limit.amount() / clock.speed();
    return Math.round(millis) * 1_000;
  }

  /** {@code tokens per min (TPM)}. */
  private static String named(Limit limit) {
    String per = limit.per().equals("minute") ? "min" : limit.per();
    char first = Character.toUpperCase(limit.dimension().noun().charAt(0));
    char last = Character.toUpperCase(per.charAt(0));
    return "%s per %s (%cP%c)".formatted(limit.dimension().noun(), per, first, last);
  }

  private static Complaint azure(Case about, Rejection.OverLimit over) {
    String what = over.limit().dimension() == Dimension.REQUESTS ? "call" : "token";
    ObjectNode body = JSON.objectNode();
    body.putObject("error")
        .put("code", "429")
        .put(
            "message",
            "Requests to the operation on deployment %s have exceeded %s rate limit of your current pricing tier. Please retry after %d seconds."
                .formatted(
                    about.model(),
                    what,
                    Math.max(1, Math.round(Math.ceil(about.seconds(over.after()))))));
    return new Complaint(429, body, over.after());
  }

  private static Complaint gemini(Case about, Rejection.OverLimit over) {
    Limit limit = over.limit();
    boolean day = limit.per().equals("day");
    // A real one names seconds for a day's quota too.
    double seconds = day ? 23.5 : about.seconds(over.after());
    return gemini(about, limit.dimension().noun(), limit.amount(), day, seconds, over.after());
  }

  private static Complaint gemini(
      Case about, String what, long amount, boolean day, double seconds, long wait) {
    String unit = what.equals("requests") ? "requests" : "input_token_count";
    String metric = "generativelanguage.googleapis.com/generate_content_paid_tier_" + unit;
    String delay = String.format(Locale.ROOT, "%.9fs", seconds);
    ObjectNode body = JSON.objectNode();
    ObjectNode error =
        body.putObject("error")
            .put("code", 429)
            .put("status", "RESOURCE_EXHAUSTED")
            .put(
                "message",
                "You exceeded your current quota. * Quota exceeded for metric: %s, limit: %d, model: %s\nPlease retry in %s."
                    .formatted(metric, amount, about.model(), delay));
    ObjectNode failure =
        error
            .putArray("details")
            .addObject()
            .put("@type", "type.googleapis.com/google.rpc.QuotaFailure");
    failure
        .putArray("violations")
        .addObject()
        .put("quotaMetric", metric)
        .put(
            "quotaId",
            "Generate%sPer%sPerProjectPerModel"
                .formatted(
                    unit.equals("requests") ? "Requests" : "ContentInputTokens",
                    day ? "Day" : "Minute"))
        .put("quotaValue", Long.toString(amount));
    error
        .withArray("details")
        .addObject()
        .put("@type", "type.googleapis.com/google.rpc.RetryInfo")
        .put("retryDelay", delay);
    return new Complaint(429, body, wait);
  }

  private static Complaint tooLarge(Case about, Rejection.TooLarge large) {
    Limit limit = large.limit();
    if (about.style() == ProviderStyle.ANTHROPIC) {
      long whole = OptionText.micros(limit.period());
      return overLimit(about, new Rejection.OverLimit(limit, 0, large.requested(), whole));
    }
    String message =
        "Request too large for %s in organization %s on %s: Limit %d, Requested %d. The input or output tokens must be reduced in order to run successfully."
            .formatted(
                about.model(),
                about.organization(),
                named(limit),
                limit.burst(),
                large.requested());
    int status = about.style() == ProviderStyle.GROQ ? 413 : 429;
    return openai(status, "tokens", "rate_limit_exceeded", "", message, Meter.UNKNOWN);
  }

  private static Complaint spendCap(Case about) {
    if (about.style() != ProviderStyle.ANTHROPIC) {
      return openai(
          429,
          "insufficient_quota",
          "credit_balance_exhausted",
          "",
          "You exceeded your current quota, please check your plan and billing details.",
          Meter.UNKNOWN);
    }
    Complaint complaint =
        anthropic(
            429,
            "rate_limit_error",
            "You have reached your API usage limits: the monthly spend limit. You will regain"
                + " access on 2099-01-01 at 00:00 UTC.",
            about.request(),
            Meter.UNKNOWN);
    complaint
        .body()
        .withObject("/error")
        .putObject("details")
        .put("error_code", "enforced_spend_limit_reached");
    return complaint;
  }

  private static Complaint accelerating(Case about) {
    return about.style() == ProviderStyle.ANTHROPIC
        ? anthropic(
            429,
            "rate_limit_error",
            "This request would exceed your organization's acceleration limit. Please ramp up your"
                + " traffic gradually.",
            about.request(),
            10_000_000)
        : openai(
            429,
            "rate_limit_error",
            "slow_down",
            "",
            "Requests are increasing too quickly. Please ramp up gradually.",
            10_000_000);
  }

  /** The words for a fault that takes the place of an answer. */
  public static Complaint of(Case about, Fault fault) {
    Limit any = Limit.of(new Rate(Dimension.REQUESTS, 50, Rate.period("min")));
    return switch (fault.kind()) {
      case SPEND_CAP -> spendCap(about);
      case SLOW_DOWN -> accelerating(about);
      case TOO_LARGE -> tooLarge(about, new Rejection.TooLarge(any, 1_000_000));
      case DAILY -> daily(about);
      case STATUS ->
          fault.status() == 429
              ? overLimit(about, new Rejection.OverLimit(any, 0, 1, 1_200_000))
              : status(about, fault.status());
      default -> throw new IllegalStateException("no words stand for " + fault.word());
    };
  }

  private static Complaint daily(Case about) {
    Limit day = Limit.of(new Rate(Dimension.REQUESTS, 1_000, Rate.period("day")));
    Rejection.OverLimit over = new Rejection.OverLimit(day, 0, 1, 14 * 3_600_000_000L);
    return about.style() == ProviderStyle.GEMINI
        ? gemini(about, "requests", day.amount(), true, 23.5, Meter.UNKNOWN)
        : overLimit(about, over);
  }

  private static Complaint status(Case about, int status) {
    String type =
        switch (status) {
          case 400, 422 -> "invalid_request_error";
          case 401 -> "authentication_error";
          case 402 -> "billing_error";
          case 403 -> "permission_error";
          case 404, 410 -> "not_found_error";
          case 409 -> "conflict_error";
          case 413 -> "request_too_large";
          case 504 -> "timeout_error";
          case 529 -> "overloaded_error";
          default -> about.style() == ProviderStyle.ANTHROPIC ? "api_error" : "server_error";
        };
    String message = status == 529 ? "Overloaded" : "A fault that was asked for: " + status;
    if (about.style() == ProviderStyle.ANTHROPIC) {
      return anthropic(status, type, message, about.request(), Meter.UNKNOWN);
    }
    boolean full = status == 503 || status == 529;
    return openai(
        status,
        full ? "service_unavailable_error" : type,
        full ? "server_is_overloaded" : status == 401 ? "invalid_api_key" : "",
        "",
        message,
        Meter.UNKNOWN);
  }
}
