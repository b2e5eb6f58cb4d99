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

  /** The proxy through which it is reached, if any; whoever sends by other means needs it. */
  public Optional<URI> proxy() {
    return http.proxyFor(endpoint.resolve(""));
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
    var reader = ReplyReader.of(head, signals, request.input());
    return new Reading(request, head, signals, reader, taking).through(response);
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
      ProviderRequest request, ReplyHead head, Signals signals, ReplyReader reader, Taking taking) {

    // Nothing relies on the yield; without it a flood only holds others up for longer.
    @SuppressWarnings("ThreadPriorityCheck")
    Reply<ProviderAnswer> through(ClassicHttpResponse response) throws IOException {
      var kept = taking.kept();
      var cutBy = Optional.<String>empty();
      try {
        if (reader.isStream()) {
          passHead();
        }
        var body = body(response);
        if (response.getEntity() != null && (taking.sink() == null || !reader.isStream())) {
          kept.expect(response.getEntity().getContentLength());
        }
        var piece = new byte[PIECE_SIZE];
        for (int length; (length = next(body, piece)) >= 0; ) {
          readAndPass(piece, length);
          if (taking.sink() == null || !reader.isStream()) {
            kept.add(piece, length, taking.watch());
          }
          taking.watch().pieceCame(reader.useful());
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
          return reader.cutShort(String.valueOf(cut.getMessage()));
        }
        cutBy =
            taking
                .watch()
                .ranOut()
                .or(() -> Optional.of(ConnectionFailure.of(cut, true, true).message()));
      }
      return reader.isStream()
          ? reader.end(cutBy, new ProviderAnswer(head, kept.whole()))
          : plain(kept.whole(), cutBy);
    }

    /** It was made and will be on the bill, as long as it was asked for or as it came. */
    private Reply<ProviderAnswer> tooLarge(ReplyRoom.TooLarge large, int size) {
      var used = Usage.of(request.input(), request.longest().orElse(size / 4L));
      return new Reply.Rejected<>(
          String.valueOf(large.getMessage()), large.advice, false, Optional.empty(), used);
    }

    private void readAndPass(byte[] piece, int length) throws NotTaken {
      boolean before = reader.ended();
      reader.feed(piece, 0, length);
      if (reader.ended() && !before) {
        taking.watch().answerEnded();
      }
      if (reader.isStream()) {
        pass(piece, length);
      }
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

    /** Letters that are no UTF-8 take nothing from the rest, so it is looked at once more whole. */
    private Reply<ProviderAnswer> plain(byte[] body, Optional<String> cutBy) {
      var answer = new ProviderAnswer(head, taking.sink() == null ? body : new byte[0]);
      Reply<ProviderAnswer> reply = reader.end(cutBy, answer);
      if (!(reply instanceof Reply.Answered<ProviderAnswer>)) {
        try {
          var error = new String(body, StandardCharsets.UTF_8);
          reply = reader.plain(UsageReader.plain(body), error, answer);
        } catch (IOException garbled) {
          return reply;
        }
      }
      if (reply instanceof Reply.Answered<ProviderAnswer>(var whole, var used, var said)) {
        try {
          passHead();
          pass(body, body.length);
        } catch (NotTaken left) {
          return new Reply.CutShort<>(String.valueOf(left.getMessage()), used, said);
        }
      }
      return reply;
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
