package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.limit.Meter;
import dev.flyball.simulator.provider.Provider;
import dev.flyball.simulator.provider.Serving;
import dev.flyball.simulator.setting.Fault;
import dev.flyball.simulator.value.JsonText;
import dev.flyball.simulator.value.SimulatedClock;
import dev.flyball.simulator.wire.Complaint;
import dev.flyball.simulator.wire.GzipBody;
import dev.flyball.simulator.wire.ModelReply;
import dev.flyball.simulator.wire.ReplyBody;
import dev.flyball.simulator.wire.StreamEvent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One admitted request while it is being answered, well or badly, at the right moments. */
final class Exchange {
  private static final long BEAT = 1_000_000;

  private final Vertx vertx;
  private final SimulatedClock clock;
  private final Provider provider;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final ReplyWriter writer;
  private final Serving serving;
  private final ModelReply reply;
  private final JsonNode body;
  private @Nullable GzipBody gzip;

  Exchange(
      Vertx vertx,
      Provider provider,
      HttpServerRequest request,
      ReplyWriter writer,
      Serving serving,
      ModelReply reply,
      JsonNode body) {
    this.vertx = vertx;
    this.clock = writer.clock();
    this.provider = provider;
    this.request = request;
    this.response = request.response();
    this.writer = writer;
    this.serving = serving;
    this.reply = reply;
    this.body = body;
  }

  void start() {
    response.closeHandler(gone -> provider.cut(serving, clock.micros()));
    if (!serving.worked()) {
      // Refusals come at once; nobody has begun to think.
      serving.fault().ifPresent(this::complain);
    } else if (struckBy(Fault.Kind.HANG)) {
      return;
    } else if (reply.prompt().stream()) {
      keepAlive(serving.producedAt(1));
      at(serving.producedAt(1), this::stream);
    } else {
      keepAlive(serving.finishedAt());
      at(serving.finishedAt(), this::whole);
    }
  }

  private boolean struckBy(Fault.Kind kind) {
    return serving.struckBy(kind);
  }

  private int after() {
    return serving.fault().map(Fault::after).orElse(0);
  }

  private void at(long micros, Runnable then) {
    long wait = clock.real(micros - clock.micros());
    if (wait <= 0) {
      then.run();
    } else {
      vertx.setTimer(
          Math.ceilDiv(wait, 1_000),
          timer -> {
            if (!serving.over()) {
              then.run();
            }
          });
    }
  }

  private void complain(Fault fault) {
    provider.cut(serving, clock.micros());
    fault.shouldRetry().ifPresent(retry -> response.putHeader("x-should-retry", retry.toString()));
    if (fault.kind() == Fault.Kind.HTML) {
      writer.describe(response, serving, Meter.UNKNOWN);
      response.setStatusCode(502).putHeader("content-type", "text/html");
      response.end("<html><head><title>502 Bad Gateway</title></head></html>");
      return;
    }
    Complaint complaint =
        Complaint.of(writer.about(serving.request(), reply.prompt().model()), fault);
    boolean told = fault.retryAfter().isPresent();
    writer.describe(response, serving, told ? Meter.UNKNOWN : complaint.after());
    fault.retryAfter().ifPresent(wait -> response.putHeader("retry-after", wait));
    response.setStatusCode(complaint.status()).putHeader("content-type", "application/json");
    response.end(JsonText.of(complaint.body()));
  }

  /** Signs of life, from the first moment until the answer is there. */
  private void keepAlive(long until) {
    if (struckBy(Fault.Kind.KEEP_ALIVE)) {
      open();
      beat(clock.micros(), until);
    }
  }

  private void beat(long now, long until) {
    response.write(reply.prompt().stream() ? ": keep-alive\n\n" : "\n");
    if (now + BEAT < until) {
      at(now + BEAT, () -> beat(now + BEAT, until));
    }
  }

  /** The headers, once. */
  private void open() {
    if (response.headers().contains("content-type")) {
      return;
    }
    boolean stream = reply.prompt().stream();
    if (stream) {
      writer.describeStream(response, serving);
      response.putHeader("cache-control", "no-cache");
    } else {
      writer.describe(response, serving, Meter.UNKNOWN);
    }
    response.putHeader("content-type", contentType(stream));
    if (struckBy(Fault.Kind.GZIP)) {
      response.putHeader("content-encoding", "gzip");
    }
    if (stream || struckBy(Fault.Kind.KEEP_ALIVE)) {
      response.setChunked(true);
    }
  }

  private String contentType(boolean stream) {
    if (struckBy(Fault.Kind.CONTENT_TYPE)) {
      return "text/plain";
    }
    return stream ? "text/event-stream; charset=utf-8" : "application/json";
  }

  private void whole() {
    if (struckBy(Fault.Kind.CUT)) {
      partly(after(), true);
    } else if (struckBy(Fault.Kind.STALL)) {
      partly(after(), false);
    } else {
      provider.finish(serving, clock.micros());
      open();
      String text = text();
      switch (serving.fault().map(Fault::kind).orElse(Fault.Kind.STATUS)) {
        case TRUNCATED -> response.end(text.substring(0, text.length() / 2));
        case MALFORMED -> response.end(text.replaceFirst(":", ""));
        case EMPTY -> response.end();
        case GZIP -> response.end(compressed(text, true));
        default -> response.end(text);
      }
    }
  }

  private String text() {
    JsonNode whole = ReplyBody.whole(reply, body);
    boolean filtered = struckBy(Fault.Kind.FILTERED);
    return JsonText.of(
        filtered || struckBy(Fault.Kind.REFUSAL)
            ? ReplyBody.declined(whole, reply.endpoint(), filtered)
            : whole);
  }

  /** So many bytes of an answer that says it has more, and then the end or nothing at all. */
  private void partly(int bytes, boolean cut) {
    if (cut) {
      provider.cut(serving, clock.micros());
    }
    if (bytes == 0 && cut) {
      request.connection().close();
      return;
    }
    open();
    byte[] all = text().getBytes(StandardCharsets.UTF_8);
    response.putHeader("content-length", Integer.toString(all.length));
    response
        .write(Buffer.buffer(all).slice(0, Math.min(bytes, all.length - 1)))
        .onComplete(
            sent -> {
              if (cut) {
                request.connection().close();
              }
            });
  }

  private void hangUp() {
    provider.cut(serving, clock.micros());
    request.connection().close();
  }

  private void stream() {
    if (struckBy(Fault.Kind.CUT) && after() == 0) {
      hangUp();
      return;
    }
    open();
    if (struckBy(Fault.Kind.EMPTY)) {
      provider.finish(serving, clock.micros());
      response.end();
      return;
    }
    events(ReplyBody.stream(reply), 0);
  }

  /** Writes what is due in one piece, and comes back for the rest. */
  private void events(List<StreamEvent> events, int from) {
    StringBuilder due = new StringBuilder();
    long now = clock.micros();
    for (int i = from; i < events.size(); i++) {
      StreamEvent event = events.get(i);
      if (event.tokens() > 0 && serving.producedAt(event.tokens()) > now) {
        int next = i;
        flush(due);
        at(serving.producedAt(event.tokens()), () -> events(events, next));
        return;
      }
      boolean here = i == Math.max(1, after());
      if (here && breaks(due, event)) {
        return;
      }
      boolean malformed = here && struckBy(Fault.Kind.MALFORMED);
      due.append(malformed ? event.text().replaceFirst("\\{", "") : event.text());
    }
    if (struckBy(Fault.Kind.DOUBLE_END)) {
      due.append(events.getLast().text());
    }
    provider.finish(serving, clock.micros());
    response.end(encoded(due, true));
  }

  private void flush(StringBuilder due) {
    if (!due.isEmpty()) {
      response.write(encoded(due, false));
    }
  }

  private Buffer compressed(String text, boolean last) {
    GzipBody to = gzip == null ? new GzipBody() : gzip;
    gzip = to;
    return to.part(text, last);
  }

  private Buffer encoded(StringBuilder text, boolean last) {
    return struckBy(Fault.Kind.GZIP)
        ? compressed(text.toString(), last)
        : Buffer.buffer(text.toString());
  }

  /** Whether the stream goes no further than this event. */
  private boolean breaks(StringBuilder due, StreamEvent event) {
    if (struckBy(Fault.Kind.STALL)) {
      flush(due);
      return true;
    }
    if (struckBy(Fault.Kind.CUT)) {
      String half = event.text().substring(0, event.text().length() / 2);
      response.write(due.append(half).toString()).onComplete(sent -> hangUp());
      return true;
    }
    if (struckBy(Fault.Kind.ERROR_EVENT)) {
      provider.cut(serving, clock.micros());
      response.end(due.append(ReplyBody.errorEvent(reply.endpoint())).toString());
      return true;
    }
    if (struckBy(Fault.Kind.TRUNCATED)) {
      provider.cut(serving, clock.micros());
      response.end(due.toString());
      return true;
    }
    return false;
  }
}
