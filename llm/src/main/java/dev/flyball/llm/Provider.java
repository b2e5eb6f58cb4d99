package dev.flyball.llm;

import dev.flyball.call.Attempt;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * A vendor's API under one key, over HTTP. Each exchange is one attempt and is never repeated here.
 *
 * <p>It blocks: on a virtual thread right there, and from any other thread through one, because
 * only there an interrupt ends a read.
 */
public final class Provider {
  private static final int MOST_OF_AN_ERROR = 1 << 20;
  private static final int MOST_OF_AN_ANSWER = 256 << 20;

  private final Http http;
  private final Endpoint endpoint;

  Provider(Http http, Endpoint endpoint) {
    this.http = http;
    this.endpoint = endpoint;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** One attempt, whose answer is kept whole. */
  public Exchange exchange(Ask ask, Attempt attempt) throws InterruptedException {
    return exchange(ask, attempt, null);
  }

  /** One attempt; a sink takes the answer while it comes, and then it is not kept. */
  public Exchange exchange(Ask ask, Attempt attempt, @Nullable Sink sink)
      throws InterruptedException {
    if (Thread.currentThread().isVirtual()) {
      return send(ask, attempt, sink);
    }
    var exchange = new CompletableFuture<Exchange>();
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                exchange.complete(send(ask, attempt, sink));
              } catch (InterruptedException | RuntimeException | Error thrown) {
                exchange.completeExceptionally(thrown);
              }
            });
    try {
      return exchange.get();
    } catch (ExecutionException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (InterruptedException interrupted) {
      thread.interrupt();
      throw interrupted;
    }
  }

  private Exchange send(Ask ask, Attempt attempt, @Nullable Sink sink) throws InterruptedException {
    var address = endpoint.resolve(ask.path());
    var post = new HttpPost(address);
    endpoint.headersFor(ask.dialect()).forEach(post::setHeader);
    ask.headers().forEach(post::setHeader);
    post.setEntity(new ByteArrayEntity(ask.body(), ContentType.APPLICATION_JSON));
    var head = Optional.<Head>empty();
    try (var watch = new Watch(http.timer, http.timeouts, post::cancel)) {
      try (var response = http.client.executeOpen(HttpHost.create(address), post, null)) {
        head = Optional.of(head(response));
        watch.headersCame();
        return new Exchange(reply(ask, head.get(), response, attempt, sink, watch), head);
      } catch (IOException | RuntimeException failure) {
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while waiting for " + endpoint.provider());
        }
        var why = watch.ranOut().orElseGet(() -> because(failure));
        return new Exchange(new Reply.Broken<>(why, !neverSent(failure)), head);
      }
    }
  }

  private Head head(ClassicHttpResponse response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (var header : response.getHeaders()) {
      headers.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
    }
    return new Head(response.getCode(), headers, http.wall.instant());
  }

  private static Reply<Answer> reply(
      Ask ask,
      Head head,
      ClassicHttpResponse response,
      Attempt attempt,
      @Nullable Sink sink,
      Watch watch)
      throws IOException {
    try (var body = body(response)) {
      if (head.status() < 200 || head.status() > 299) {
        return Classifier.classify(head, body.readNBytes(MOST_OF_AN_ERROR));
      }
      var signals = SignalReader.read(head);
      attempt.sighted(signals);
      boolean events = head.first("content-type").orElse("").contains("event-stream");
      var reading = new Reading(ask, head, signals, events ? new StreamMeter() : null);
      return reading.through(body, sink, watch);
    }
  }

  private static InputStream body(ClassicHttpResponse response) throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return new ByteArrayInputStream(new byte[0]);
    }
    boolean gzip = String.valueOf(entity.getContentEncoding()).contains("gzip");
    return gzip ? new GZIPInputStream(entity.getContent()) : entity.getContent();
  }

  /** The body of a success, on its way in. */
  private record Reading(Ask ask, Head head, Signals signals, @Nullable StreamMeter meter) {

    Reply<Answer> through(InputStream body, @Nullable Sink sink, Watch watch) throws IOException {
      var kept = new ByteArrayOutputStream(4_096);
      try {
        if (sink != null) {
          sink.head(head);
        }
        var piece = new byte[8_192];
        for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
          watch.pieceCame();
          if (meter != null) {
            meter.read(piece, length);
          }
          if (sink != null) {
            sink.piece(piece, length);
          }
          if (sink == null || meter == null) {
            kept.write(piece, 0, length);
          }
          if (kept.size() > MOST_OF_AN_ANSWER) {
            return Reply.rejected("the answer is larger than 256 MiB", "ask for less");
          }
        }
      } catch (IOException | RuntimeException cut) {
        if (Thread.currentThread().isInterrupted()) {
          throw cut;
        }
        return cutShort(watch.ranOut().orElseGet(() -> because(cut)));
      }
      return whole(kept.toByteArray(), sink != null);
    }

    private Reply<Answer> whole(byte[] body, boolean passedOn) {
      if (meter == null) {
        return plain(body, passedOn);
      }
      if (meter.error().isPresent()) {
        return Classifier.inStream(meter.error().get(), head, usage(meter.usage()));
      }
      return meter.ended()
          ? Reply.answered(new Answer(head, body), usage(meter.usage()), signals)
          : cutShort("the stream ended before its end");
    }

    private Reply<Answer> plain(byte[] body, boolean passedOn) {
      try {
        var top = Usages.plain(body);
        if (top.error() && top.usage().isEmpty()) {
          return Classifier.inStream(
              new String(body, java.nio.charset.StandardCharsets.UTF_8), head, Usage.NONE);
        }
        var used = top.usage().orElseGet(() -> Usage.of(ask.input(), body.length / 4));
        return Reply.answered(new Answer(head, passedOn ? new byte[0] : body), used, signals);
      } catch (IOException garbled) {
        return cutShort("the answer is not whole JSON");
      }
    }

    private Reply<Answer> cutShort(String why) {
      var used = meter == null ? Usage.NONE : meter.usage();
      return new Reply.CutShort<>(why, usage(used), signals);
    }

    private Usage usage(Usage said) {
      boolean silent = said.input() + said.cacheRead() + said.cacheWrite() == 0;
      return silent ? Usages.latest(said, Usage.of(ask.input(), 0)) : said;
    }
  }

  private static boolean neverSent(Exception failure) {
    return failure instanceof ConnectException
        || failure instanceof ConnectTimeoutException
        || failure instanceof UnknownHostException
        || failure instanceof NoRouteToHostException
        || failure instanceof SSLException;
  }

  private static String because(Exception failure) {
    return switch (failure) {
      case UnknownHostException unknown -> "there is no host " + unknown.getMessage();
      case ConnectTimeoutException slow -> "the connection did not stand in time";
      case ConnectException refused -> "the connection was refused";
      case SSLException tls -> "the secure connection failed: " + tls.getMessage();
      default -> "the connection broke: " + failure.getMessage();
    };
  }
}
