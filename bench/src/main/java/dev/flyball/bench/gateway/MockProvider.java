package dev.flyball.bench.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * A provider with one plain answer, one stream of fifty pieces, and one account that is used up for
 * the next minute, hour after hour.
 */
final class MockProvider implements AutoCloseable {
  static final int PIECES = 50;

  private static final String ANSWER =
      "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"model\":\"gpt-5.4\",\"choices\":[{\"index\":0,"
          + "\"message\":{\"role\":\"assistant\",\"content\":\""
          + "word ".repeat(100)
          + "\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":100,"
          + "\"total_tokens\":300}}";
  private static final String PIECE =
      "data:"
          + " {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"gpt-5.4\",\"service_tier\":\"default\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
          + " some words\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n";
  private static final String PLENTY = "1000000000";

  private final Vertx vertx = Vertx.vertx();
  private final int port;

  MockProvider() {
    port =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(this::answer)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
  }

  int port() {
    return port;
  }

  private void answer(HttpServerRequest request) {
    boolean streams = "stream".equals(request.getHeader("x-bench"));
    boolean usedUp = "used-up".equals(request.getHeader("x-bench"));
    var response = request.response();
    response.putHeader("content-type", streams ? "text/event-stream" : "application/json");
    response.putHeader("x-ratelimit-limit-requests", usedUp ? "1" : PLENTY);
    response.putHeader("x-ratelimit-remaining-requests", usedUp ? "0" : PLENTY);
    response.putHeader("x-ratelimit-reset-requests", usedUp ? "60s" : "1ms");
    response.putHeader("x-ratelimit-limit-tokens", "1000000000000");
    response.putHeader("x-ratelimit-remaining-tokens", "1000000000000");
    response.putHeader("x-request-id", "req_0123456789");
    response.putHeader("openai-processing-ms", "3");
    request.endHandler(
        end -> {
          if (streams) {
            response.setChunked(true);
            piece(request, PIECES);
          } else {
            response.end(ANSWER);
          }
        });
    request.handler(part -> {});
  }

  private void piece(HttpServerRequest request, int left) {
    if (left == 0) {
      request.response().end("data: [DONE]\n\n");
    } else {
      // One after the other, each with its own way through the network.
      request
          .response()
          .write(PIECE)
          .onSuccess(written -> vertx.runOnContext(next -> piece(request, left - 1)));
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
