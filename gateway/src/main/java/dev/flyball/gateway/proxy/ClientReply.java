package dev.flyball.gateway.proxy;

import dev.flyball.llm.Dialect;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * The client's side of a request. A stream that waits long is opened before the provider has
 * answered; what its headers would have said comes as comments then, and an error as an event.
 */
final class ClientReply {
  private static final String EVENTS = "text/event-stream; charset=utf-8";

  private final HttpServerResponse response;
  private final Dialect dialect;
  private boolean opened;
  private boolean begun;
  private boolean over;
  private int status;
  private long bytes;

  ClientReply(HttpServerResponse response, Dialect dialect) {
    this.response = response;
    this.dialect = dialect;
  }

  /** Whether it was opened while the request waited. */
  boolean isOpened() {
    return opened;
  }

  /** Whether a provider's answer has begun to go on to the client. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether nobody is there any more, or all has been said. */
  boolean isOver() {
    return over || response.closed() || response.ended();
  }

  /** Whether all has been said that is to be said. */
  boolean hasEnded() {
    return over;
  }

  int status() {
    return status;
  }

  long bytes() {
    return bytes;
  }

  MultiMap headers() {
    return response.headers();
  }

  /** Opens a stream that still waits. */
  void open() {
    if (!opened && !isOver()) {
      opened = true;
      status = 200;
      response
          .setStatusCode(status)
          .setChunked(true)
          .putHeader("content-type", EVENTS)
          .putHeader("cache-control", "no-cache");
      response.writeHead();
    }
  }

  /** Says something beside the stream, if it is one that we have opened. */
  void comment(String words) {
    if (opened && !isOver()) {
      write(Buffer.buffer(": " + words + "\n\n"));
    }
  }

  /** The provider's answer begins. */
  void begin(int code, MultiMap from, long length) {
    begun = true;
    if (opened) {
      return;
    }
    status = code;
    response.setStatusCode(code);
    WireHeaders.toClient(from, response.headers());
    if (length >= 0) {
      response.putHeader("content-length", Long.toString(length));
    } else {
      response.setChunked(true);
    }
  }

  void write(Buffer piece) {
    if (!isOver()) {
      bytes += piece.length();
      response.write(piece);
    }
  }

  /** Ends it, with a last piece. */
  void end(Buffer last) {
    if (!isOver()) {
      over = true;
      bytes += last.length();
      response.end(last);
    }
  }

  void end() {
    if (!isOver()) {
      over = true;
      response.end();
    }
  }

  /** Passes a provider's error on as it came. */
  void fail(int code, MultiMap from, byte[] body) {
    if (isOver()) {
      return;
    }
    if (opened) {
      end(Buffer.buffer(event(code, body)));
      return;
    }
    status = code;
    response.setStatusCode(code);
    WireHeaders.toClient(from, response.headers());
    end(Buffer.buffer(body));
  }

  private String event(int code, byte[] body) {
    try {
      var json = new JsonObject(Buffer.buffer(body)).encode();
      return (dialect == Dialect.ANTHROPIC ? "event: error\n" : "") + "data: " + json + "\n\n";
    } catch (DecodeException | ClassCastException none) {
      return ErrorShape.event(dialect, code, "the provider answered with status " + code);
    }
  }

  /** Answers with an error of ours. */
  void refuse(RefusalReply why) {
    if (isOver()) {
      return;
    }
    if (opened) {
      end(Buffer.buffer(ErrorShape.event(dialect, why.status(), why.message())));
      return;
    }
    status = why.status();
    response.setStatusCode(status).putHeader("content-type", "application/json");
    if (why.after().isPresent()) {
      long millis = Math.max(1, why.after().get().toMillis());
      response.putHeader("retry-after", Long.toString(Math.ceilDiv(millis, 1_000)));
      response.putHeader("retry-after-ms", Long.toString(millis));
    }
    if (!why.again()) {
      response.putHeader("x-should-retry", "false");
    }
    end(ErrorShape.of(dialect, status, why.message()).toBuffer());
  }

  /** Breaks it off, so that a client does not take half an answer for a whole one. */
  void cut() {
    if (!isOver()) {
      over = true;
      response.reset();
    }
  }

  boolean isFull() {
    return response.writeQueueFull();
  }

  void whenDrained(Runnable goOn) {
    response.drainHandler(drained -> goOn.run());
  }
}
