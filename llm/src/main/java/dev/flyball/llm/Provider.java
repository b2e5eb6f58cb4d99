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
import java.net.URI;
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
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
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
  private static final int PIECE_SIZE = 8 << 10;
  private static final int LARGEST_ERROR = 64 << 10;

  private static final Set<String> COMPRESSION_HEADERS =
      Set.of("content-encoding", "content-length");
  private static final Duration SINK_TIMEOUT = Duration.ofMillis(100);

  private final HttpConnections http;
  private final Endpoint endpoint;

  /** Whether there was ever the head of a reply, and whether there was ever an answer. */
  private volatile boolean spoke;

  private volatile boolean answered;

  Provider(HttpConnections http, Endpoint endpoint) {
    this.http = http;
    this.endpoint = endpoint;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** One attempt, whose answer is kept whole. */
  public Exchange exchange(ProviderRequest request, Attempt attempt) throws InterruptedException {
    return exchange(request, attempt, null);
  }

  /** One attempt; a sink takes the answer while it comes, and then it is not kept. */
  public Exchange exchange(ProviderRequest request, Attempt attempt, @Nullable AnswerSink sink)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw interrupted();
    }
    if (Thread.currentThread().isVirtual()) {
      return send(request, attempt, sink);
    }
    var exchange = new CompletableFuture<Exchange>();
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                exchange.complete(send(request, attempt, sink));
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
      thread.join(SINK_TIMEOUT);
      throw interrupted;
    }
  }

  private Exchange send(ProviderRequest request, Attempt attempt, @Nullable AnswerSink sink)
      throws InterruptedException {
    URI address;
    try {
      address = endpoint.resolve(request.path());
    } catch (IllegalArgumentException none) {
      return new Exchange(
          Reply.rejected("there is no path '" + request.path() + "'", "correct it"),
          Optional.empty(),
          () -> {});
    }
    var post = new HttpPost(address);
    endpoint.headersFor(request.dialect()).forEach(post::setHeader);
    request.headers().forEach(post::setHeader);
    post.setEntity(new ByteArrayEntity(request.body(), ContentType.APPLICATION_JSON));
    var head = Optional.<ReplyHead>empty();
    var watch = http.watch(http.timeouts.of(request), post::cancel);
    var kept = http.room.buffer(request.longest());
    boolean ended = false;
    try {
      // Not closed: that would read what is left of it, however long that takes.
      var response = http.open(post, address, watch);
      head = Optional.of(head(response));
      spoke = true;
      watch.headersCame();
      var reply = reply(request, head.get(), response, attempt, new Taking(kept, sink, watch));
      answered |= reply instanceof Reply.Answered;
      ended = true;
      return new Exchange(reply, head, kept::close);
    } catch (IOException | RuntimeException failure) {
      if (Thread.interrupted()) {
        throw interrupted();
      }
      return new Exchange(broken(failure, watch, request), head, () -> {});
    } finally {
      http.ended(watch);
      if (!ended) {
        kept.close();
      }
      // Drops the connection, unless the reply was read to its end: then it is free already.
      post.cancel();
    }
  }

  /** Where a body goes. */
  private record Taking(ReplyRoom.Buffer kept, @Nullable AnswerSink sink, AttemptWatch watch) {}

  private InterruptedException interrupted() {
    return new InterruptedException("interrupted while waiting for " + endpoint.provider());
  }

  private ReplyHead head(ClassicHttpResponse response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (var header : response.getHeaders()) {
      if (!(isCompressed(response)
          && COMPRESSION_HEADERS.contains(header.getName().toLowerCase(Locale.ROOT)))) {
        headers.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
      }
    }
    return new ReplyHead(response.getCode(), headers, http.wall.instant());
  }

  private Reply<ProviderAnswer> reply(
      ProviderRequest request,
      ReplyHead head,
      ClassicHttpResponse response,
      Attempt attempt,
      Taking taking)
      throws IOException {
    if (head.status() < 200 || head.status() > 299) {
      taking.watch().errorCame();
      var body = error(response);
      return answered ? ErrorClassifier.classify(head, body) : ErrorClassifier.first(head, body);
    }
    var signals = SignalReader.read(head);
    attempt.sighted(signals);
    var type = head.first("content-type").orElse("").toLowerCase(Locale.ROOT);
    var meter = type.contains("event-stream") ? new StreamMeter() : null;
    return new Reading(request, head, signals, meter, taking).through(response);
  }

  /** As much as comes of an error's body: the status says most. */
  private static byte[] error(ClassicHttpResponse response) throws IOException {
    var kept = new ByteArrayOutputStream();
    try {
      var body = body(response);
      var piece = new byte[PIECE_SIZE];
      int length = 0;
      while (length >= 0 && kept.size() < LARGEST_ERROR) {
        kept.write(piece, 0, length);
        length = next(body, piece);
      }
    } catch (IOException cut) {
      if (Thread.currentThread().isInterrupted()) {
        throw cut;
      }
    }
    return kept.toByteArray();
  }

  /** A read that has not to wait does not hear an interrupt, and a fast stream never has to. */
  private static int next(InputStream body, byte[] piece) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException();
    }
    return body.read(piece);
  }

  private static long usefulBytes(byte[] piece, int length) {
    long count = 0;
    for (int i = 0; i < length; i++) {
      count += piece[i] < 0 || piece[i] > ' ' ? 1 : 0;
    }
    return count;
  }

  private static boolean isCompressed(ClassicHttpResponse response) {
    var entity = response.getEntity();
    return entity != null
        && String.valueOf(entity.getContentEncoding()).toLowerCase(Locale.ROOT).contains("gzip");
  }

  private static InputStream body(ClassicHttpResponse response) throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return InputStream.nullInputStream();
    }
    return isCompressed(response) ? new GZIPInputStream(entity.getContent()) : entity.getContent();
  }

  /**
   * The body of a success, on its way in. A plain answer is passed on once it is known to be one.
   */
  private record Reading(
      ProviderRequest request,
      ReplyHead head,
      Signals signals,
      @Nullable StreamMeter meter,
      Taking taking) {

    // Nothing relies on the yield; without it a flood only holds others up for longer.
    @SuppressWarnings("ThreadPriorityCheck")
    Reply<ProviderAnswer> through(ClassicHttpResponse response) throws IOException {
      var kept = taking.kept();
      var cutBy = Optional.<String>empty();
      try {
        if (meter != null) {
          passHead();
        }
        var body = body(response);
        if (response.getEntity() != null && (taking.sink() == null || meter == null)) {
          kept.expect(response.getEntity().getContentLength());
        }
        var piece = new byte[PIECE_SIZE];
        long useful = 0;
        for (int length; (length = next(body, piece)) >= 0; ) {
          if (meter != null) {
            meterAndPass(meter, piece, length);
          }
          if (taking.sink() == null || meter == null) {
            kept.add(piece, length, taking.watch());
          }
          useful = meter == null ? useful + usefulBytes(piece, length) : meter.useful();
          taking.watch().pieceCame(useful);
          // Whoever always has something to read would keep others from their turn.
          Thread.yield();
        }
        if (isCompressed(response)) {
          // What is behind it, if more than its end, is not waited for.
          response.getEntity().getContent().readNBytes(PIECE_SIZE);
        }
      } catch (ReplyRoom.TooLarge large) {
        return tooLarge(large, kept.size());
      } catch (IOException | RuntimeException cut) {
        if (Thread.currentThread().isInterrupted()) {
          throw cut;
        }
        if (cut instanceof NotTaken) {
          return cutShort(String.valueOf(cut.getMessage()));
        }
        cutBy =
            taking
                .watch()
                .ranOut()
                .or(() -> Optional.of(ConnectionFailure.of(cut, true, true).message()));
      }
      return meter == null ? plain(kept.whole(), cutBy) : streamed(meter, kept.whole(), cutBy);
    }

    /** It was made and will be on the bill, as long as it was asked for or as it came. */
    private Reply<ProviderAnswer> tooLarge(ReplyRoom.TooLarge large, int size) {
      var used = Usage.of(request.input(), request.longest().orElse(size / 4L));
      return new Reply.Rejected<>(
          String.valueOf(large.getMessage()), large.advice, false, Optional.empty(), used);
    }

    private void meterAndPass(StreamMeter meter, byte[] piece, int length) throws NotTaken {
      boolean before = meter.ended();
      meter.read(piece, length);
      if (meter.ended() && !before) {
        taking.watch().answerEnded();
      }
      pass(piece, length);
    }

    private void passHead() throws NotTaken {
      if (taking.sink() != null) {
        try {
          taking.sink().head(head);
        } catch (IOException | RuntimeException failed) {
          throw new NotTaken(failed);
        }
      }
    }

    private void pass(byte[] bytes, int length) throws NotTaken {
      if (taking.sink() != null) {
        try {
          taking.sink().piece(bytes, length);
        } catch (IOException | RuntimeException failed) {
          throw new NotTaken(failed);
        }
      }
    }

    /** What was whole before its connection broke is whole. */
    private Reply<ProviderAnswer> streamed(StreamMeter meter, byte[] body, Optional<String> cutBy) {
      meter.end();
      if (meter.error().isPresent()) {
        return ErrorClassifier.inStream(meter.error().get(), head, usage(meter.usage()));
      }
      return meter.ended() || (cutBy.isEmpty() && meter.finished())
          ? Reply.answered(new ProviderAnswer(head, body), usage(meter.usage()), signals)
          : cutShort(cutBy.orElse("the stream ended before its end"));
    }

    private Reply<ProviderAnswer> plain(byte[] body, Optional<String> cutBy) {
      UsageReader.Top top;
      try {
        top = UsageReader.plain(body);
      } catch (IOException garbled) {
        return cutShort(cutBy.orElse("the answer is not whole JSON"));
      }
      var said = top.usage().filter(usage -> usage.tokens() > 0).map(this::usage);
      if (top.failed()) {
        var error = new String(body, StandardCharsets.UTF_8);
        return ErrorClassifier.inStream(error, head, said.orElse(Usage.NONE));
      }
      var used = said.orElseGet(() -> Usage.of(request.input(), body.length / 4));
      try {
        passHead();
        pass(body, body.length);
      } catch (NotTaken left) {
        return new Reply.CutShort<>(String.valueOf(left.getMessage()), used, signals);
      }
      return Reply.answered(
          new ProviderAnswer(head, taking.sink() == null ? body : new byte[0]), used, signals);
    }

    private Reply<ProviderAnswer> cutShort(String reason) {
      var used = meter == null ? Usage.NONE : meter.usage();
      return new Reply.CutShort<>(reason, usage(used), signals);
    }

    private Usage usage(Usage said) {
      boolean silent = said.input() + said.cacheRead() + said.cacheWrite() == 0;
      return silent ? UsageReader.latest(said, Usage.of(request.input(), 0)) : said;
    }
  }

  /** The failure of a sink to take the answer, which is not the provider's fault. */
  private static final class NotTaken extends IOException {
    private static final long serialVersionUID = 1;

    NotTaken(Exception cause) {
      super("the answer was not taken: " + reason(cause), cause);
    }

    private static String reason(Exception cause) {
      return SafeMessage.of(String.valueOf(cause.getMessage()), cause.getClass().getSimpleName());
    }
  }

  private Reply<ProviderAnswer> broken(
      Exception failure, AttemptWatch watch, ProviderRequest request) {
    var why = ConnectionFailure.of(failure, watch.hasConnected(), spoke);
    if (watch.ranOut().isPresent() || why.remedy().isEmpty()) {
      return new Reply.Broken<>(watch.ranOut().orElse(why.message()), watch.hasConnected());
    }
    var used = Usage.of(request.input(), request.longest().orElse(0));
    return new Reply.Rejected<>(
        why.message(),
        why.remedy().get(),
        true,
        Optional.empty(),
        watch.hasConnected() ? used : Usage.NONE);
  }
}
