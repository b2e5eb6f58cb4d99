package dev.flyball.gateway.proxy;

import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.llm.Provider;
import dev.flyball.llm.ReplyReader;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.llm.reply.SignalReader;
import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a provider, on one event loop. It tells its owner what comes, and nothing any more
 * once it is cancelled or over.
 */
final class ProviderExchange {
  private static final int LARGEST_ERROR = 1 << 20;
  private static final int SMALL = 64 << 10;

  /** Whoever makes the attempt. */
  interface Owner {
    /** The provider answers, and nothing of its body was read yet. */
    void answers(int status, MultiMap headers, ReplyHead head, Signals signals, boolean sightNow);

    /** A piece of the answer; the last one if that is known. */
    void piece(Buffer piece, boolean last);

    /** It came to its end, or was cut by something. */
    void ended(Optional<String> cutBy);

    /** The provider refuses. */
    void refuses(int status, MultiMap headers, ReplyHead head, byte[] body);

    /** There was no reply. */
    void broke(String message, boolean sent);
  }

  private final Loop loop;
  private final Owner owner;
  private final Supplier<Instant> wall;
  private final long input;
  private @Nullable HttpClientRequest request;
  private @Nullable HttpClientResponse response;
  private @Nullable ReplyReader reader;
  private boolean reused;
  private boolean over;
  private long expected = -1;
  private long came;

  ProviderExchange(Loop loop, Owner owner, Supplier<Instant> wall, long input) {
    this.loop = loop;
    this.owner = owner;
    this.wall = wall;
    this.input = input;
  }

  void start(
      Upstream upstream,
      Provider under,
      HttpMethod method,
      String uri,
      MultiMap fromClient,
      Buffer body) {
    var address = upstream.address(under, method, uri);
    loop.client(address)
        .request(address)
        .onComplete(made -> connected(made, upstream, under, fromClient, body));
  }

  private void connected(
      AsyncResult<HttpClientRequest> made,
      Upstream upstream,
      Provider under,
      MultiMap fromClient,
      Buffer body) {
    if (made.failed()) {
      breaks("not reached: " + words(made.cause()), false);
      return;
    }
    var ready = made.result();
    // What fails is told by the response.
    ready.exceptionHandler(failed -> {});
    if (over) {
      ready.reset();
      return;
    }
    request = ready;
    reused = loop.reuses(ready);
    WireHeaders.toProvider(fromClient, ready.headers());
    for (var header : upstream.headers(under)) {
      // A client may ask for another version of an API, but not under another key.
      boolean theirs =
          header.getKey().equals("anthropic-version")
              && ready.headers().contains("anthropic-version");
      if (!theirs) {
        ready.headers().set(header.getKey(), header.getValue());
      }
    }
    ready.putHeader("accept-encoding", "identity");
    ready.response().onComplete(this::answered);
    if (body.length() == 0) {
      ready.end();
    } else {
      ready.end(body);
    }
  }

  private void answered(AsyncResult<HttpClientResponse> came) {
    if (over) {
      return;
    }
    if (came.failed()) {
      // A server may close a connection that it kept open just as the next request goes there.
      breaks("no reply: " + words(came.cause()), !reused);
      return;
    }
    var here = came.result();
    response = here;
    var head = WireHeaders.head(here.statusCode(), here.headers(), wall.get());
    if (here.statusCode() < 200 || here.statusCode() > 299) {
      collect(here, head);
      return;
    }
    var signals = SignalReader.read(head);
    var reading = ReplyReader.of(head, signals, input);
    reader = reading;
    expected = length(here.headers());
    boolean soon = !reading.isStream() && expected >= 0 && expected <= SMALL;
    owner.answers(here.statusCode(), here.headers(), head, signals, !soon);
    here.handler(this::piece);
    here.endHandler(end -> ends(Optional.empty()));
    here.exceptionHandler(failed -> ends(Optional.of("cut off: " + words(failed))));
  }

  static long length(MultiMap headers) {
    var said = headers.get("content-length");
    try {
      return said == null ? -1 : Long.parseLong(said);
    } catch (NumberFormatException garbled) {
      return -1;
    }
  }

  private void collect(HttpClientResponse here, ReplyHead head) {
    var body = Buffer.buffer();
    here.handler(
        piece -> {
          if (body.length() < LARGEST_ERROR) {
            body.appendBuffer(piece);
          }
        });
    here.endHandler(end -> refused(here, head, body));
    here.exceptionHandler(failed -> refused(here, head, body));
  }

  private void refused(HttpClientResponse here, ReplyHead head, Buffer body) {
    if (!over) {
      over = true;
      owner.refuses(here.statusCode(), here.headers(), head, body.getBytes());
    }
  }

  private void piece(Buffer piece) {
    if (over || reader == null) {
      return;
    }
    came += piece.length();
    feed(reader, piece);
    boolean last = came == expected;
    owner.piece(piece, last);
    if (last) {
      ends(Optional.empty());
    }
  }

  /** Shows bytes to a reader where they are. */
  private static void feed(ReplyReader reader, Buffer piece) {
    ByteBuf bytes = ((BufferInternal) piece).getByteBuf();
    if (bytes.hasArray()) {
      int from = bytes.arrayOffset() + bytes.readerIndex();
      reader.feed(bytes.array(), from, from + bytes.readableBytes());
    } else {
      reader.feed(piece.getBytes(), 0, piece.length());
    }
  }

  private void ends(Optional<String> cutBy) {
    if (!over) {
      over = true;
      owner.ended(cutBy);
    }
  }

  private void breaks(String message, boolean sent) {
    if (!over) {
      over = true;
      owner.broke(message, sent);
    }
  }

  /** What the reply was, if the provider had begun to answer. */
  <T> Reply<T> reply(Optional<String> cutBy, T value) {
    return reader == null
        ? new Reply.Broken<>(cutBy.orElse("no reply"), true)
        : reader.end(cutBy, value);
  }

  /** What it has used by now. */
  Usage soFar() {
    return reader == null ? Usage.of(input, 0) : reader.soFar();
  }

  boolean wasSent() {
    return request != null;
  }

  void pause() {
    if (response != null) {
      response.pause();
    }
  }

  void resume() {
    if (response != null) {
      response.resume();
    }
  }

  /** Drops the connection; nothing more is told. */
  void cancel() {
    over = true;
    if (request != null) {
      request.reset();
    }
  }

  private static String words(@Nullable Throwable failure) {
    var message = failure == null ? null : failure.getMessage();
    return message == null ? "the connection failed" : message.replaceAll("\\s+", " ");
  }
}
