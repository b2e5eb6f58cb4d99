package dev.flyball.gateway.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** An error of the gateway's own, in a shape that clients of either dialect understand. */
public final class JsonError {
  private JsonError() {}

  /** Answers with it, unless an answer was begun. */
  public static void answer(HttpServerRequest request, int status, String type, String message) {
    var response = request.response();
    if (response.headWritten() || response.closed()) {
      return;
    }
    var error = new JsonObject().put("type", type).put("message", message);
    response
        .setStatusCode(status)
        .putHeader("content-type", "application/json")
        .end(new JsonObject().put("type", "error").put("error", error).encode());
  }
}
