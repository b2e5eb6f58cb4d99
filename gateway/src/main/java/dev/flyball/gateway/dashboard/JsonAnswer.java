package dev.flyball.gateway.dashboard;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** An answer of the page's own questions: never kept by anybody on the way. */
public final class JsonAnswer {
  private JsonAnswer() {}

  /** Gives it. */
  public static void give(HttpServerRequest request, JsonObject answer) {
    var response = request.response();
    if (!response.closed() && !response.headWritten()) {
      response
          .putHeader("content-type", "application/json")
          .putHeader("cache-control", "no-store")
          .putHeader("x-content-type-options", "nosniff")
          .end(answer.encode());
    }
  }
}
