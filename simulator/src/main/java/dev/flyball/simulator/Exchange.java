package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** One admitted request while it is being answered, well or badly, at the right moments. */
final class Exchange {
  private final Vertx vertx;
  private final Clock clock;
  private final Provider provider;
  private final HttpServerResponse response;
  private final Runnable hangUp;
  private final Server.Manners manners;
  private final Serving serving;
  private final Wire.Reply reply;
  private final JsonNode body;

  Exchange(
      Vertx vertx,
      Clock clock,
      Provider provider,
      HttpServerResponse response,
      Runnable hangUp,
      Server.Manners manners,
      Serving serving,
      Wire.Reply reply,
      JsonNode body) {
    this.vertx = vertx;
    this.clock = clock;
    this.provider = provider;
    this.response = response;
    this.hangUp = hangUp;
    this.manners = manners;
    this.serving = serving;
    this.reply = reply;
    this.body = body;
  }

  void start() {
    response.closeHandler(gone -> provider.cut(serving, clock.micros()));
    Optional<Fault> fault = serving.fault();
    if (fault.isPresent() && fault.get().instead()) {
      // Refusals come at once; nobody has begun to think.
      complain(fault.get());
    } else if (struckBy(Fault.Kind.HANG)) {
      return;
    } else if (reply.prompt().stream()) {
      at(serving.producedAt(1), this::stream);
    } else {
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
    long wait = micros - clock.micros();
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
      manners.describe(response, serving, Meter.UNKNOWN, clock);
      response.setStatusCode(502).putHeader("content-type", "text/html");
      response.end("<html><head><title>502 Bad Gateway</title></head></html>");
      return;
    }
    Complaint complaint = Complaint.of(manners.about(serving.request(), reply), fault);
    manners.describe(response, serving, complaint.after(), clock);
    fault.retryAfter().ifPresent(wait -> response.putHeader("retry-after", wait));
    response.setStatusCode(complaint.status()).putHeader("content-type", "application/json");
    response.end(Wire.text(complaint.body()));
  }

  private void whole() {
    if (struckBy(Fault.Kind.CUT) && after() == 0) {
      hangUp();
      return;
    }
    provider.finish(serving, clock.micros());
    String text = Wire.text(Wire.whole(reply, body));
    manners.describe(response, serving, Meter.UNKNOWN, clock);
    response.putHeader("content-type", "application/json");
    Fault.Kind kind = serving.fault().map(Fault::kind).orElse(Fault.Kind.STATUS);
    switch (kind) {
      case CUT -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.putHeader("content-length", Integer.toString(bytes.length));
        response.write(Buffer.buffer(bytes).slice(0, Math.min(after(), bytes.length - 1)));
        hangUp.run();
      }
      case TRUNCATED -> response.end(text.substring(0, text.length() / 2));
      case MALFORMED -> response.end(text.replaceFirst(":", ""));
      case EMPTY -> response.end();
      case CONTENT_TYPE -> response.putHeader("content-type", "text/plain").end(text);
      case KEEP_ALIVE -> response.end("\n\n\n" + text);
      case GZIP -> response.putHeader("content-encoding", "gzip").end(Buffer.buffer(gzip(text)));
      default -> response.end(text);
    }
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void hangUp() {
    provider.cut(serving, clock.micros());
    hangUp.run();
  }

  private void stream() {
    if (struckBy(Fault.Kind.CUT) && after() == 0) {
      hangUp();
      return;
    }
    provider.begin(serving, clock.micros());
    manners.describe(response, serving, Meter.UNKNOWN, clock);
    response.putHeader("content-type", "text/event-stream; charset=utf-8");
    response.putHeader("cache-control", "no-cache");
    if (struckBy(Fault.Kind.EMPTY)) {
      provider.finish(serving, clock.micros());
      response.end();
      return;
    }
    response.setChunked(true);
    if (struckBy(Fault.Kind.KEEP_ALIVE)) {
      response.write(": keep-alive\n\n: keep-alive\n\n");
    }
    events(Wire.stream(reply), 0);
  }

  /** Writes what is due in one piece, and comes back for the rest. */
  private void events(List<Wire.Event> events, int from) {
    StringBuilder due = new StringBuilder();
    long now = clock.micros();
    for (int i = from; i < events.size(); i++) {
      Wire.Event event = events.get(i);
      if (event.tokens() > 0 && serving.producedAt(event.tokens()) > now) {
        int next = i;
        flush(due);
        at(serving.producedAt(event.tokens()), () -> events(events, next));
        return;
      }
      if (i == Math.max(1, after()) && breaks(due)) {
        return;
      }
      boolean malformed = struckBy(Fault.Kind.MALFORMED) && i == Math.max(1, after());
      due.append(malformed ? event.text().replaceFirst("\\{", "") : event.text());
    }
    if (struckBy(Fault.Kind.DOUBLE_END)) {
      due.append(events.getLast().text());
    }
    provider.finish(serving, clock.micros());
    response.end(due.toString());
  }

  private void flush(StringBuilder due) {
    if (!due.isEmpty()) {
      response.write(due.toString());
    }
  }

  /** Whether the stream goes no further than this. */
  private boolean breaks(StringBuilder due) {
    if (struckBy(Fault.Kind.STALL)) {
      flush(due);
      return true;
    }
    if (struckBy(Fault.Kind.CUT)) {
      // In the middle of an event, after all before it.
      response.write(due.append("event: con").toString()).onComplete(sent -> hangUp());
      return true;
    }
    if (struckBy(Fault.Kind.ERROR_EVENT)) {
      provider.cut(serving, clock.micros());
      response.end(due.append(Wire.errorEvent(reply.api())).toString());
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
