package dev.flyball.gateway.http;

import io.vertx.core.http.HttpServerRequest;

/** Whoever answers requests. Called on the request's event loop; it must not block there. */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Answers.
   *
   * @param request nothing of its body was read yet; set a handler before this returns
   * @param caller who it is from; {@link Caller#ANYBODY} where everybody may ask
   */
  void answer(HttpServerRequest request, Caller caller);

  /** Turns somebody away, in the shape that clients of this path know. */
  default void turnedAway(HttpServerRequest request, AccessCheck.TurnedAway why) {
    var type =
        switch (why.status()) {
          case 401 -> "authentication_error";
          case 403 -> "permission_error";
          default -> "api_error";
        };
    JsonError.answer(request, why.status(), type, why.message());
  }
}
