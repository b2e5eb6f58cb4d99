package dev.flyball.llm;

import dev.flyball.call.Attempt;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.llm.reply.SafeMessage;
import dev.flyball.llm.reply.SignalReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * A vendor's API under one key, over HTTP. Each exchange is one attempt and is never repeated here.
 *
 * <p>It blocks: on a virtual thread right there, and from any other thread through one, because
 * only there an interrupt ends a read.
 */
public final class Provider {
  private static final int PIECE = 8 << 10;
  private static final int MOST_OF_AN_ERROR = 1 << 20;
  private static final int MOST_OF_AN_ANSWER = 256 << 20;

  private static final Set<String> OF_PACKED = Set.of("content-encoding", "content-length");
  private static final Duration SOON = Duration.ofMillis(100);

  private final HttpConnections http;
  private final Endpoint endpoint;

  Provider(HttpConnections http, Endpoint endpoint) {
    this.http = http;
    this.endpoint = endpoint;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** One attempt, whose answer is kept whole. */
  public Exchange exchange(ProviderRequest ask, Attempt attempt) throws InterruptedException {
    return exchange(ask, attempt, null);
  }

  /** One attempt; a sink takes the answer while it comes, and then it is not kept. */
  public Exchange exchange(ProviderRequest ask, Attempt attempt, @Nullable AnswerSink sink)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw interrupted();
    }
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
      throw thrown.getCause() instanceof RuntimeException broken
          ? broken
          : new IllegalStateException(thrown.getCause());
    } catch (InterruptedException interrupted) {
      thread.interrupt();
      // So that nothing comes to a sink whose owner has gone on.
      thread.join(SOON);
      throw interrupted;
    }
  }

  private Exchange send(ProviderRequest ask, Attempt attempt, @Nullable AnswerSink sink)
      throws InterruptedException {
    URI address;
    try {
      address = endpoint.resolve(ask.path());
    } catch (IllegalArgumentException none) {
      return new Exchange(
          Reply.rejected("there is no path '" + ask.path() + "'", "correct it"), Optional.empty());
    }
    var post = new HttpPost(address);
    endpoint.headersFor(ask.dialect()).forEach(post::setHeader);
    ask.headers().forEach(post::setHeader);
    post.setEntity(new ByteArrayEntity(ask.body(), ContentType.APPLICATION_JSON));
    var head = Optional.<ReplyHead>empty();
    var timeouts = ask.within().map(http.timeouts::total).orElse(http.timeouts);
    try (var watch = new AttemptWatch(http.timer, timeouts, post::cancel)) {
      try {
        // Not closed: that would read what is left of it, however long that takes.
        var response = http.open(post, address, watch);
        head = Optional.of(head(response));
        watch.headersCame();
        return new Exchange(reply(ask, head.get(), response, attempt, sink, watch), head);
      } catch (IOException | RuntimeException failure) {
        if (Thread.interrupted()) {
          throw interrupted();
        }
        return new Exchange(broken(failure, watch), head);
      }
    } finally {
      // Drops the connection, unless the reply was read to its end: then it is free already.
      post.cancel();
    }
  }

  private InterruptedException interrupted() {
    return new InterruptedException("interrupted while waiting for " + endpoint.provider());
  }

  private ReplyHead head(ClassicHttpResponse response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (var header : response.getHeaders()) {
      if (!(isPacked(response) && OF_PACKED.contains(header.getName().toLowerCase(Locale.ROOT)))) {
        headers.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
      }
    }
    return new ReplyHead(response.getCode(), headers, http.wall.instant());
  }

  private static Reply<ProviderAnswer> reply(
      ProviderRequest ask,
      ReplyHead head,
      ClassicHttpResponse response,
      Attempt attempt,
      @Nullable AnswerSink sink,
      AttemptWatch watch)
      throws IOException {
    if (head.status() < 200 || head.status() > 299) {
      return ErrorClassifier.classify(head, error(response, watch));
    }
    var signals = SignalReader.read(head);
    attempt.sighted(signals);
    var type = head.first("content-type").orElse("").toLowerCase(Locale.ROOT);
    var meter = type.contains("event-stream") ? new StreamMeter() : null;
    return new Reading(ask, head, signals, meter, sink, watch).through(response);
  }

  /** As much as comes of an error's body: the status says most. */
  private static byte[] error(ClassicHttpResponse response, AttemptWatch watch) throws IOException {
    var kept = new ByteArrayOutputStream();
    try {
      var body = body(response);
      var piece = new byte[PIECE];
      int length = 0;
      while (length >= 0 && kept.size() < MOST_OF_AN_ERROR) {
        kept.write(piece, 0, length);
        length = next(body, piece, watch);
      }
    } catch (IOException cut) {
      if (Thread.currentThread().isInterrupted()) {
        throw cut;
      }
    }
    return kept.toByteArray();
  }

  /** A read that has not to wait does not hear an interrupt, and a fast stream never has to. */
  private static int next(InputStream body, byte[] piece, AttemptWatch watch) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException();
    }
    int length = body.read(piece);
    watch.pieceCame();
    return length;
  }

  private static boolean isPacked(ClassicHttpResponse response) {
    var entity = response.getEntity();
    return entity != null
        && String.valueOf(entity.getContentEncoding()).toLowerCase(Locale.ROOT).contains("gzip");
  }

  private static InputStream body(ClassicHttpResponse response) throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return InputStream.nullInputStream();
    }
    return isPacked(response) ? new GZIPInputStream(entity.getContent()) : entity.getContent();
  }

  /**
   * The body of a success, on its way in. A plain answer is passed on once it is known to be one.
   */
  private record Reading(
      ProviderRequest ask,
      ReplyHead head,
      Signals signals,
      @Nullable StreamMeter meter,
      @Nullable AnswerSink sink,
      AttemptWatch watch) {

    Reply<ProviderAnswer> through(ClassicHttpResponse response) throws IOException {
      var kept = new ByteArrayOutputStream(4_096);
      var broke = Optional.<String>empty();
      try {
        if (meter != null) {
          passHead();
        }
        var body = body(response);
        var piece = new byte[PIECE];
        for (int length; (length = next(body, piece, watch)) >= 0; ) {
          if (meter != null) {
            meterAndPass(meter, piece, length);
          }
          if (sink == null || meter == null) {
            kept.write(piece, 0, length);
          }
          if (kept.size() > MOST_OF_AN_ANSWER) {
            return Reply.rejected("the answer is larger than 256 MiB", "ask for less");
          }
        }
        if (isPacked(response)) {
          response.getEntity().getContent().transferTo(OutputStream.nullOutputStream());
        }
      } catch (IOException | RuntimeException cut) {
        if (Thread.currentThread().isInterrupted()) {
          throw cut;
        }
        if (cut instanceof NotTaken) {
          return cutShort(because(cut));
        }
        broke = watch.ranOut().or(() -> Optional.of(because(cut)));
      }
      return meter == null
          ? plain(kept.toByteArray(), broke)
          : streamed(meter, kept.toByteArray(), broke);
    }

    private void meterAndPass(StreamMeter meter, byte[] piece, int length) throws NotTaken {
      boolean before = meter.ended();
      meter.read(piece, length);
      if (meter.ended() && !before) {
        watch.lastWordsCame();
      }
      pass(piece, length);
    }

    private void passHead() throws NotTaken {
      if (sink != null) {
        try {
          sink.head(head);
        } catch (IOException | RuntimeException failed) {
          throw new NotTaken(failed);
        }
      }
    }

    private void pass(byte[] bytes, int length) throws NotTaken {
      if (sink != null) {
        try {
          sink.piece(bytes, length);
        } catch (IOException | RuntimeException failed) {
          throw new NotTaken(failed);
        }
      }
    }

    /** What was whole before its connection broke is whole. */
    private Reply<ProviderAnswer> streamed(StreamMeter meter, byte[] body, Optional<String> broke) {
      meter.end();
      if (meter.error().isPresent()) {
        return ErrorClassifier.inStream(meter.error().get(), head, usage(meter.usage()));
      }
      return meter.ended() || (broke.isEmpty() && meter.finished())
          ? Reply.answered(new ProviderAnswer(head, body), usage(meter.usage()), signals)
          : cutShort(broke.orElse("the stream ended before its end"));
    }

    private Reply<ProviderAnswer> plain(byte[] body, Optional<String> broke) {
      UsageReader.Top top;
      try {
        top = UsageReader.plain(body);
      } catch (IOException garbled) {
        return cutShort(broke.orElse("the answer is not whole JSON"));
      }
      var said = top.usage().filter(usage -> usage.tokens() > 0).map(this::usage);
      if (top.failed()) {
        var error = new String(body, StandardCharsets.UTF_8);
        return ErrorClassifier.inStream(error, head, said.orElse(Usage.NONE));
      }
      var used = said.orElseGet(() -> Usage.of(ask.input(), body.length / 4));
      try {
        passHead();
        pass(body, body.length);
      } catch (NotTaken left) {
        return new Reply.CutShort<>(because(left), used, signals);
      }
      return Reply.answered(
          new ProviderAnswer(head, sink == null ? body : new byte[0]), used, signals);
    }

    private Reply<ProviderAnswer> cutShort(String why) {
      var used = meter == null ? Usage.NONE : meter.usage();
      return new Reply.CutShort<>(why, usage(used), signals);
    }

    private Usage usage(Usage said) {
      boolean silent = said.input() + said.cacheRead() + said.cacheWrite() == 0;
      return silent ? UsageReader.latest(said, Usage.of(ask.input(), 0)) : said;
    }
  }

  /** Whoever takes the answer could not; that is not the provider's fault. */
  private static final class NotTaken extends IOException {
    private static final long serialVersionUID = 1;

    NotTaken(Exception cause) {
      super(cause.getMessage(), cause);
    }
  }

  private static Reply<ProviderAnswer> broken(Exception failure, AttemptWatch watch) {
    var why = watch.ranOut().orElseGet(() -> because(failure));
    return new Reply.Broken<>(why, watch.hasStood());
  }

  private static String because(Exception failure) {
    var said = String.valueOf(failure.getMessage());
    var message = SafeMessage.of(said, failure.getClass().getSimpleName());
    return switch (failure) {
      case NotTaken left -> "the answer was not taken: " + message;
      case UnknownHostException unknown -> "there is no host " + message;
      case ConnectionRequestTimeoutException busy -> "no connection was free in time";
      case ConnectTimeoutException slow -> "the connection did not stand in time";
      case ConnectException refused -> "the connection was refused";
      case SSLException tls -> "the secure connection failed: " + message;
      default -> "the connection broke: " + message;
    };
  }
}
