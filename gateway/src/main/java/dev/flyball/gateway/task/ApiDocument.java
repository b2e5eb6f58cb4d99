package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.RequestHandler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@code GET /openapi.json}: what can be asked of this server, and what it may answer. */
final class ApiDocument implements RequestHandler {
  private static final Buffer TEXT = read();

  private static Buffer read() {
    try (InputStream in = ApiDocument.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("openapi.json is not in the program");
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  @Override
  public void answer(HttpServerRequest request, Caller caller) {
    request
        .response()
        .putHeader("content-type", "application/json")
        .putHeader("cache-control", "max-age=300")
        .end(TEXT.copy());
  }
}
