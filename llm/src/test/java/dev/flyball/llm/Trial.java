package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Attempt;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.llm.reply.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;

/** The parts that the tests over the wire share. */
final class Trial {
  static final String SECRET = "sk-ant-trial-0123456789abcdefghijklmnop";
  static final Timeouts SHORT =
      new Timeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(9));
  static final String OK = "HTTP/1.1 200 OK\r\n";
  static final String JSON = "Content-Type: application/json\r\n";
  static final String EVENTS = "Content-Type: text/event-stream\r\n";
  static final String ANSWER =
      "{\"content\":[],\"usage\":{\"input_tokens\":11,\"output_tokens\":7}}";

  static final String STREAM = OK + EVENTS + "Transfer-Encoding: chunked\r\n\r\n";
  static final String START =
      "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":11}}}\n\n";
  static final String STOP = "data: {\"type\":\"message_stop\"}\n\n";

  private Trial() {}

  static HttpConnections http() {
    return http(SHORT);
  }

  static HttpConnections http(Timeouts timeouts) {
    return HttpConnections.of(timeouts, InstantSource.system(), Map.of());
  }

  static Provider to(HttpConnections http, URI root) {
    return http.provider(Endpoint.at("trial", root).inClear(true).key(ApiKey.of(SECRET)));
  }

  static ProviderRequest message(String said) {
    return new ProviderRequest(
        Dialect.ANTHROPIC, "/v1/messages", prompt(said, false), Map.of(), 42);
  }

  static ProviderRequest streamed(String said) {
    return new ProviderRequest(Dialect.ANTHROPIC, "/v1/messages", prompt(said, true), Map.of(), 42);
  }

  static ProviderRequest chat(String said) {
    return new ProviderRequest(
        Dialect.OPENAI, "/v1/chat/completions", prompt(said, false), Map.of(), 42);
  }

  static ProviderRequest streamedChat(String said) {
    return new ProviderRequest(
        Dialect.OPENAI, "/v1/chat/completions", prompt(said, true), Map.of(), 42);
  }

  static byte[] prompt(String said, boolean stream) {
    var more = stream ? "\"stream\":true,\"stream_options\":{\"include_usage\":true}," : "";
    return ("{\"model\":\"m\",\"max_tokens\":500,"
            + more
            + "\"messages\":[{\"role\":\"user\",\"content\":\""
            + said
            + "\"}]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A whole reply with its length. */
  static String reply(String head, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return head + "Content-Length: " + length + "\r\n\r\n" + body;
  }

  static String chunk(String text) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    return Integer.toHexString(length) + "\r\n" + text + "\r\n";
  }

  static Exchange exchange(Provider provider, ProviderRequest request) throws InterruptedException {
    return provider.exchange(request, new Sighted());
  }

  static Reply.Answered<ProviderAnswer> answered(Exchange exchange) {
    assertThat(exchange.reply()).isInstanceOf(Reply.Answered.class);
    return (Reply.Answered<ProviderAnswer>) exchange.reply();
  }

  static Reply.Broken<ProviderAnswer> broken(Exchange exchange) {
    assertThat(exchange.reply()).isInstanceOf(Reply.Broken.class);
    return (Reply.Broken<ProviderAnswer>) exchange.reply();
  }

  static Reply.CutShort<ProviderAnswer> cutShort(Exchange exchange) {
    assertThat(exchange.reply()).isInstanceOf(Reply.CutShort.class);
    return (Reply.CutShort<ProviderAnswer>) exchange.reply();
  }

  static Reply.Rejected<ProviderAnswer> rejected(Exchange exchange) {
    assertThat(exchange.reply()).isInstanceOf(Reply.Rejected.class);
    return (Reply.Rejected<ProviderAnswer>) exchange.reply();
  }

  /** Waits for what must happen soon. */
  static <T> T soon(CompletableFuture<T> future) {
    try {
      return future.get(5, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException never) {
      throw new AssertionError("it did not happen within 5 s", never);
    }
  }

  /** An attempt that keeps what it is told. */
  static final class Sighted implements Attempt {
    final List<Signals> signals = new CopyOnWriteArrayList<>();
    final CompletableFuture<Signals> first = new CompletableFuture<>();

    @Override
    public int number() {
      return 1;
    }

    @Override
    public LaneId lane() {
      return LaneId.of("trial", "model");
    }

    @Override
    public void sighted(Signals seen) {
      signals.add(seen);
      first.complete(seen);
    }
  }

  /** A sink that keeps what it is given. */
  static final class Kept implements AnswerSink {
    final List<ReplyHead> heads = new CopyOnWriteArrayList<>();
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void head(ReplyHead head) {
      heads.add(head);
    }

    @Override
    public void piece(byte[] piece, int length) {
      bytes.write(piece, 0, length);
    }
  }

  /** A connection that a clock has cut is given back by the clock's thread, a moment later. */
  static void assertNothingLeased(HttpConnections http) {
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (http.connections.getTotalStats().getLeased() > 0) {
      assertThat(System.nanoTime()).as("leased for ever").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  static Exchange heard(String reply) throws Exception {
    return heard(reply.getBytes(StandardCharsets.UTF_8), message("Hi"));
  }

  /** Hears one request, says this and hangs up. */
  static Exchange heard(byte[] reply, ProviderRequest request) throws Exception {
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(reply);
                });
        var http = http()) {
      var exchange = exchange(to(http, server.uri()), request);
      assertThat(server.requests()).hasSize(1);
      assertNothingLeased(http);
      return exchange;
    }
  }
}
