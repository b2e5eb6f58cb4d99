package dev.flyball.gateway.proxy;

import dev.flyball.llm.Dialect;
import io.vertx.core.json.JsonObject;

/** An error of ours as the provider would have written it, so that every client understands it. */
final class ErrorShape {
  private ErrorShape() {}

  static JsonObject of(Dialect dialect, int status, String message) {
    return dialect == Dialect.ANTHROPIC
        ? new JsonObject()
            .put("type", "error")
            .put("error", new JsonObject().put("type", type(status)).put("message", message))
        : new JsonObject()
            .put(
                "error",
                new JsonObject()
                    .put("message", message)
                    .put("type", status == 429 ? "rate_limit_error" : kind(status))
                    .putNull("param")
                    .put("code", code(status)));
  }

  /** The same as an event of a stream that has begun. */
  static String event(Dialect dialect, int status, String message) {
    var json = of(dialect, status, message).encode();
    return (dialect == Dialect.ANTHROPIC ? "event: error\n" : "") + "data: " + json + "\n\n";
  }

  private static String type(int status) {
    return switch (status) {
      case 400 -> "invalid_request_error";
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 408, 504 -> "timeout_error";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_error";
      case 529 -> "overloaded_error";
      default -> "api_error";
    };
  }

  private static String kind(int status) {
    return status < 500 ? "invalid_request_error" : "server_error";
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "invalid_api_key";
      case 404 -> "not_found";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_exceeded";
      case 503 -> "service_unavailable";
      default -> status < 500 ? "invalid_request" : "server_error";
    };
  }
}
