package dev.flyball.simulator;

import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.wire.Endpoint;
import dev.flyball.simulator.wire.RequestBody;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/** The sender of a request, as its headers show it. */
record Caller(HttpServerRequest request) {

  /** Why nothing can be done for whoever sends this; empty if something can. */
  Optional<RequestBody.Invalid> refused(Endpoint endpoint, ProviderStyle style) {
    if (endpoint == Endpoint.NONE) {
      return Optional.of(
          new RequestBody.Invalid(
              404, "not_found_error", "", "", "Not found: " + Server.path(request)));
    }
    String key = key();
    if (key.isEmpty()) {
      String advice =
          style == ProviderStyle.ANTHROPIC
              ? "x-api-key header is required"
              : "You didn't provide an API key.";
      return Optional.of(unauthorized(style, advice));
    }
    if (key.startsWith("invalid")) {
      return Optional.of(
          unauthorized(
              style,
              style == ProviderStyle.ANTHROPIC
                  ? "invalid x-api-key"
                  : "Incorrect API key provided."));
    }
    if (style == ProviderStyle.ANTHROPIC && request.getHeader("anthropic-version") == null) {
      return Optional.of(RequestBody.Invalid.because("", "anthropic-version: header is required"));
    }
    return Optional.empty();
  }

  private static RequestBody.Invalid unauthorized(ProviderStyle style, String message) {
    String type =
        style == ProviderStyle.ANTHROPIC ? "authentication_error" : "invalid_request_error";
    return new RequestBody.Invalid(401, type, "invalid_api_key", "", message);
  }

  /** Empty if there is none. */
  String key() {
    for (String name : List.of("x-api-key", "api-key", "x-goog-api-key")) {
      String key = request.getHeader(name);
      if (key != null) {
        return key;
      }
    }
    String bearer = request.getHeader("authorization");
    return bearer == null ? "" : bearer.replaceFirst("(?i)^Bearer\\s+", "");
  }

  Optional<Long> number(String header) {
    return Optional.ofNullable(request.getHeader(header))
        .filter(value -> value.matches("\\d{1,9}"))
        .map(Long::valueOf);
  }

  /** What the caller calls this request. */
  String id(RequestBody.Prompt prompt) {
    for (String name : List.of("x-sim-id", "x-client-request-id", "idempotency-key")) {
      String id = request.getHeader(name);
      if (id != null) {
        return id;
      }
    }
    return prompt.id();
  }
}
