package dev.flyball.gateway.proxy;

import dev.flyball.gateway.http.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The body of a request: read part by part, outlined while it comes, bounded, and held as it came
 * until nobody needs it any more. On the event loop of its request alone.
 */
final class RequestBody {
  /** How long, and how many bytes, a refused request may still be sending. */
  private static final Duration LINGERS = Duration.ofSeconds(5);

  private static final long MOST_DROPPED = 64L << 20;

  /** The request that it belongs to. */
  interface Owner {
    /** Whether nobody needs it any more. */
    boolean isOver();

    /** It is refused, and what still comes of it is dropped. */
    void tooMuch(RefusalReply why);

    /** All of it is here. */
    void whole();
  }

  private final ModelProxy proxy;
  private final Loop loop;
  private final HttpServerRequest request;
  private final Caller caller;
  private final Owner owner;
  private final RequestOutline outline = new RequestOutline();
  private final List<Buffer> parts = new ArrayList<>(2);
  private long size;
  private long held;

  RequestBody(ModelProxy proxy, Loop loop, HttpServerRequest request, Caller caller, Owner owner) {
    this.proxy = proxy;
    this.loop = loop;
    this.request = request;
    this.caller = caller;
    this.owner = owner;
  }

  /** Begins to read. */
  void read() {
    long length = ProviderExchange.length(request.headers());
    if (length > proxy.rules().maxBody()) {
      tooLarge();
    } else if (holds(Math.max(0, length))) {
      request.handler(this::part);
      request.endHandler(end -> owner.whole());
    }
  }

  private boolean holds(long bytes) {
    if (bytes > held) {
      if (!proxy.room().hold(caller, bytes - held)) {
        owner.tooMuch(RefusalReply.noRoom(proxy::jittered));
        passOver();
        return false;
      }
      held = bytes;
    }
    return true;
  }

  private void part(Buffer part) {
    if (owner.isOver()) {
      return;
    }
    size += part.length();
    if (size > proxy.rules().maxBody()) {
      tooLarge();
    } else if (holds(size)) {
      parts.add(part);
      var bytes = bytes(part);
      if (bytes.hasArray()) {
        int from = bytes.arrayOffset() + bytes.readerIndex();
        outline.feed(bytes.array(), from, from + bytes.readableBytes());
      } else {
        outline.feed(part.getBytes(), 0, part.length());
      }
    }
  }

  private void tooLarge() {
    owner.tooMuch(RefusalReply.tooLarge(proxy.rules().maxBody()));
    passOver();
  }

  /**
   * Drops what a refused request still sends. Closing at once would lose the refusal to a reset,
   * and on HTTP/2 every other request of the connection; taking it without end would be a hold on
   * us.
   */
  void passOver() {
    if (request.isEnded()) {
      return;
    }
    var vertx = loop.context().owner();
    long timer = vertx.setTimer(LINGERS.toMillis(), end -> hangUp());
    size = 0;
    request.handler(
        part -> {
          size += part.length();
          if (size > MOST_DROPPED) {
            hangUp();
          }
        });
    request.endHandler(end -> vertx.cancelTimer(timer));
  }

  private void hangUp() {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else {
      request.connection().close();
    }
  }

  RequestOutline outline() {
    return outline;
  }

  long size() {
    return size;
  }

  /** The parts one behind the other, and not copied; with another model's name if that is asked. */
  Buffer with(Optional<String> model) {
    var other = model.filter(name -> !name.equals(outline.model()));
    if (other.isEmpty() || outline.modelFrom() < 0) {
      if (parts.size() == 1) {
        return parts.getFirst();
      }
      var all = parts.stream().map(RequestBody::bytes).toArray(ByteBuf[]::new);
      return BufferInternal.buffer(Unpooled.wrappedBuffer(all.length + 1, all));
    }
    var whole = Buffer.buffer((int) size);
    parts.forEach(whole::appendBuffer);
    return Buffer.buffer()
        .appendBuffer(whole.slice(0, (int) outline.modelFrom()))
        .appendString(other.get().replace("\\", "\\\\").replace("\"", "\\\""))
        .appendBuffer(whole.slice((int) outline.modelTo(), whole.length()));
  }

  private static ByteBuf bytes(Buffer part) {
    return ((BufferInternal) part).getByteBuf();
  }

  /** Nobody needs it any more. */
  void drop() {
    parts.clear();
    proxy.room().giveBack(caller, held);
    held = 0;
  }
}
