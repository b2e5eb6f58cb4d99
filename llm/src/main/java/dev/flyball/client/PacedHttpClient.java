package dev.flyball.client;

import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.llm.reply.SignalReader;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's HTTP client behind a scheduler, for any code that takes one: a request goes when its
 * lane's limits have room, limits are read from the replies' headers, and 429s and overloads are
 * tried again. What comes back is a response as ever; the last one, where no try was answered.
 *
 * <p>It sees no tokens in a request, so it paces requests, and by tokens only as far as headers
 * tell.
 */
public final class PacedHttpClient extends HttpClient {
  private static final int BYTES_A_TOKEN = 4;

  private final HttpClient client;
  private final Flyball flyball;
  private final Function<HttpRequest, LaneId> lanes;
  private final Time time = Time.system();

  private PacedHttpClient(HttpClient client, Flyball flyball, Function<HttpRequest, LaneId> lanes) {
    this.client = client;
    this.flyball = flyball;
    this.lanes = lanes;
  }

  /** A client whose requests to one host share one lane. */
  public static PacedHttpClient of(HttpClient client, Flyball flyball) {
    return of(client, flyball, request -> LaneId.of(String.valueOf(request.uri().getHost()), ""));
  }

  /**
   * The same where a host has several limits.
   *
   * @param lanes the lane of a request
   */
  public static PacedHttpClient of(
      HttpClient client, Flyball flyball, Function<HttpRequest, LaneId> lanes) {
    return new PacedHttpClient(client, flyball, lanes);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    var last = new AtomicReference<@Nullable HttpResponse<T>>();
    Outcome<HttpResponse<T>> outcome =
        flyball.run(call(request), attempt -> reply(client.send(request, handler), attempt, last));
    return response(outcome, last);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    var last = new AtomicReference<@Nullable HttpResponse<T>>();
    Executor threads = client.executor().orElse(task -> Thread.ofVirtual().start(task));
    return new AsyncCalls(flyball, threads)
        .<HttpResponse<T>>run(
            call(request),
            attempt ->
                client
                    .sendAsync(request, handler)
                    .thenApply(response -> reply(response, attempt, last)))
        .thenCompose(
            outcome -> {
              try {
                return CompletableFuture.completedFuture(response(outcome, last));
              } catch (IOException failed) {
                return CompletableFuture.failedFuture(failed);
              }
            });
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    return sendAsync(request, handler);
  }

  private Call call(HttpRequest request) {
    long bytes = request.bodyPublisher().map(body -> body.contentLength()).orElse(0L);
    return Call.to(lanes.apply(request))
        .estimated(Estimate.of(Math.max(0, bytes) / BYTES_A_TOKEN, 0));
  }

  private <T> Reply<HttpResponse<T>> reply(
      HttpResponse<T> response, Attempt attempt, AtomicReference<@Nullable HttpResponse<T>> last) {
    last.set(response);
    var head = new ReplyHead(response.statusCode(), response.headers().map(), time.wall());
    var signals = SignalReader.read(head);
    attempt.sighted(signals);
    return response.statusCode() < 400
        ? Reply.answered(response, Usage.NONE, signals)
        : ErrorClassifier.classify(head, new byte[0]);
  }

  /** A response that says no is a response; only where there was none at all it failed. */
  private static <T> HttpResponse<T> response(
      Outcome<HttpResponse<T>> outcome, AtomicReference<@Nullable HttpResponse<T>> last)
      throws IOException {
    var response = last.get();
    return switch (outcome) {
      case Outcome.Done<HttpResponse<T>> done -> done.value();
      case Outcome.Refused<HttpResponse<T>> no when response == null ->
          throw new IOException(no.refusal().advice());
      case Outcome.GaveUp<HttpResponse<T>> gaveUp when response == null ->
          throw new IOException(gaveUp.why());
      case Outcome.Refused<HttpResponse<T>> no -> response;
      case Outcome.GaveUp<HttpResponse<T>> gaveUp -> response;
    };
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }
}
