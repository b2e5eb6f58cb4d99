package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Reply;
import dev.flyball.llm.reply.ReplyHead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges that are ended from outside: by one of four clocks, or by an interrupt. */
class CutTest {
  private static final Duration BRIEF = Duration.ofMillis(150);
  private static final Duration AT_ONCE = Duration.ofSeconds(2);
  private static final String STREAM =
      Trial.OK + Trial.EVENTS + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String START =
      Trial.chunk(
          "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":11}}}\n\n");

  /** The point at which an exchange is cut. */
  enum Stage {
    /** The name of the host is looked up. */
    NAME,
    /** The connection is made secure. */
    HANDSHAKE,
    /** The proxy is asked for a connection. */
    TUNNEL,
    /** The reply's headers are waited for. */
    HEADERS,
    /** The body is on its way. */
    BODY,
    /** The body of an error is on its way. */
    ERROR
  }

  /** A provider with which every exchange comes to a stage and no further. */
  private static final class Stuck implements AutoCloseable {
    final CompletableFuture<Void> there = new CompletableFuture<>();
    final CountDownLatch over = new CountDownLatch(1);
    final RawServer server;
    final HttpConnections http;
    final Provider provider;

    Stuck(Stage stage, Timeouts timeouts) throws Exception {
      server = RawServer.playing(line -> play(stage, line));
      var proxy = Map.of("HTTPS_PROXY", server.uri().toString());
      http =
          HttpConnections.of(
              timeouts,
              InstantSource.system(),
              stage == Stage.TUNNEL ? proxy : Map.of(),
              host -> look(stage));
      var secure = stage == Stage.HANDSHAKE || stage == Stage.TUNNEL;
      provider =
          Trial.to(
              http,
              URI.create((secure ? "https" : "http") + "://api.example:" + server.port() + "/v1"));
    }

    private InetAddress[] look(Stage stage) {
      if (stage == Stage.NAME) {
        there.complete(null);
        try {
          over.await();
        } catch (InterruptedException never) {
          throw new IllegalStateException(never);
        }
      }
      return new InetAddress[] {InetAddress.getLoopbackAddress()};
    }

    private void play(Stage stage, RawServer.Line line) throws Exception {
      if (stage != Stage.HANDSHAKE) {
        line.hear();
      }
      switch (stage) {
        case BODY -> line.say(STREAM + START);
        case ERROR -> line.say("HTTP/1.1 529 Busy\r\nContent-Length: 99\r\n\r\n{\"err");
        case NAME, HANDSHAKE, TUNNEL, HEADERS -> {}
      }
      there.complete(null);
      line.awaitEnd();
    }

    @Override
    public void close() throws IOException {
      over.countDown();
      http.close();
      server.close();
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @ParameterizedTest
  @EnumSource(names = {"NAME", "HANDSHAKE", "TUNNEL"})
  void a_connection_that_does_not_stand_in_time_is_given_up_and_nothing_was_sent(Stage stage)
      throws Exception {
    try (var stuck = new Stuck(stage, Trial.SHORT.connect(BRIEF))) {
      long start = System.nanoTime();
      var broken = Trial.broken(Trial.exchange(stuck.provider, Trial.message("Hi")));

      assertThat(since(start)).isBetween(BRIEF, BRIEF.multipliedBy(40));
      assertThat(broken.message()).contains("within 150 ms");
      assertThat(broken.sent()).isFalse();
      Trial.assertNothingLeased(stuck.http);
    }
  }

  @Test
  void a_server_that_takes_no_connection_is_given_up() throws Exception {
    var waiting = new ArrayList<Socket>();
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var http = Trial.http(Trial.SHORT.connect(BRIEF))) {
      // Those who wait to be taken fill its queue, and then nobody is even heard.
      boolean heard = true;
      while (heard && waiting.size() < 100) {
        var socket = new Socket();
        waiting.add(socket);
        try {
          socket.connect(full.getLocalSocketAddress(), 50);
        } catch (SocketTimeoutException silence) {
          heard = false;
        }
      }
      var provider = Trial.to(http, URI.create("http://127.0.0.1:" + full.getLocalPort()));
      var broken = Trial.broken(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(broken.sent()).isFalse();
      assertThat(broken.message()).contains("connecting");
    } finally {
      for (var socket : waiting) {
        socket.close();
      }
    }
  }

  @Test
  void headers_that_do_not_come_in_time_are_not_waited_for() throws Exception {
    try (var stuck = new Stuck(Stage.HEADERS, Trial.SHORT.firstByte(BRIEF))) {
      long start = System.nanoTime();
      var exchange = Trial.exchange(stuck.provider, Trial.message("Hi"));

      assertThat(since(start)).isBetween(BRIEF, BRIEF.multipliedBy(40));
      assertThat(Trial.broken(exchange).message()).isEqualTo("had no first byte within 150 ms");
      assertThat(Trial.broken(exchange).sent()).isTrue();
      assertThat(exchange.head()).isEmpty();
      assertThat(stuck.server.requests()).hasSize(1);
    }
  }

  @Test
  void a_body_that_stands_still_is_cut() throws Exception {
    try (var stuck = new Stuck(Stage.BODY, Trial.SHORT.idle(BRIEF))) {
      long start = System.nanoTime();
      var cut = Trial.cutShort(Trial.exchange(stuck.provider, Trial.streamed("Hi")));

      assertThat(since(start)).isBetween(BRIEF, BRIEF.multipliedBy(40));
      assertThat(cut.message()).isEqualTo("stood still within 150 ms");
      assertThat(cut.usage().input()).isEqualTo(11);
      Trial.assertNothingLeased(stuck.http);
    }
  }

  @Test
  void an_error_whose_body_stands_still_is_still_that_error() throws Exception {
    try (var stuck = new Stuck(Stage.ERROR, Trial.SHORT.idle(BRIEF))) {
      var exchange = Trial.exchange(stuck.provider, Trial.message("Hi"));

      assertThat(exchange.reply()).isInstanceOf(Reply.Overloaded.class);
      Trial.assertNothingLeased(stuck.http);
    }
  }

  @Test
  void a_body_that_keeps_coming_is_cut_when_all_its_time_is_over_and_not_before() throws Exception {
    var timeouts = Trial.SHORT.idle(Duration.ofMillis(100)).total(Duration.ofMillis(400));
    var tick = new CompletableFuture<Void>();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(STREAM + START);
                  while (true) {
                    tick.copy()
                        .completeOnTimeout(null, 20, TimeUnit.MILLISECONDS)
                        .get(5, TimeUnit.SECONDS);
                    line.say(Trial.chunk(": still here\n\n"));
                  }
                });
        var http = Trial.http(timeouts)) {
      long start = System.nanoTime();
      var exchange = Trial.exchange(Trial.to(http, server.uri()), Trial.streamed("Hi"));

      assertThat(since(start)).isBetween(timeouts.total(), timeouts.total().multipliedBy(15));
      assertThat(Trial.cutShort(exchange).message()).isEqualTo("did not end within 400 ms");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HANDSHAKE", "HEADERS", "BODY"})
  void all_its_time_counts_at_every_stage(Stage stage) throws Exception {
    try (var stuck = new Stuck(stage, Trial.SHORT.total(BRIEF))) {
      var exchange = Trial.exchange(stuck.provider, Trial.streamed("Hi"));

      assertThat(exchange.reply().toString()).contains("did not end within 150 ms");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_interrupt_ends_an_exchange_at_once_on_a_virtual_thread(Stage stage) throws Exception {
    interrupted(stage, Thread.ofVirtual());
  }

  @ParameterizedTest
  @EnumSource
  void an_interrupt_ends_an_exchange_at_once_on_a_platform_thread(Stage stage) throws Exception {
    interrupted(stage, Thread.ofPlatform().daemon());
  }

  private static void interrupted(Stage stage, Thread.Builder threads) throws Exception {
    try (var stuck = new Stuck(stage, Trial.SHORT)) {
      var attempt = new Trial.Sighted();
      var thrown = new AtomicReference<Throwable>();
      var thread =
          threads.start(
              () -> {
                try {
                  stuck.provider.exchange(Trial.streamed("Hi"), attempt);
                } catch (InterruptedException | RuntimeException ended) {
                  thrown.set(ended);
                }
              });
      Trial.soon(stuck.there);
      if (stage == Stage.BODY) {
        Trial.soon(attempt.first);
      }

      long start = System.nanoTime();
      thread.interrupt();

      assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
      assertThat(since(start)).isLessThan(AT_ONCE);
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
      awaitNothingLeased(stuck.http);
    }
  }

  /** The thread behind a platform thread's exchange may end a moment after it. */
  private static void awaitNothingLeased(HttpConnections http) {
    long start = System.nanoTime();
    while (http.connections.getTotalStats().getLeased() > 0 || !http.timer.getQueue().isEmpty()) {
      assertThat(since(start)).isLessThan(Duration.ofSeconds(5));
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoever_was_interrupted_before_sends_nothing(boolean virtual) throws Exception {
    try (var stuck = new Stuck(Stage.HEADERS, Trial.SHORT)) {
      var thrown = new CompletableFuture<Exception>();
      var threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
      threads
          .start(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  stuck.provider.exchange(Trial.message("Hi"), new Trial.Sighted());
                } catch (InterruptedException ended) {
                  thrown.complete(ended);
                }
              })
          .join();

      assertThat(thrown).isCompleted();
      assertThat(stuck.server.connections()).isZero();
    }
  }

  @Test
  void after_an_interrupt_nothing_more_comes_to_a_sink() throws Exception {
    var first = new CompletableFuture<Void>();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(STREAM);
                  line.sayForever(START.getBytes(StandardCharsets.UTF_8));
                });
        var http = Trial.http()) {
      var over = new CompletableFuture<Void>();
      var late = new CompletableFuture<Void>();
      var sink =
          new AnswerSink() {
            @Override
            public void head(ReplyHead head) {}

            @Override
            public void piece(byte[] bytes, int length) {
              first.complete(null);
              if (over.isDone()) {
                late.complete(null);
              }
            }
          };
      var provider = Trial.to(http, server.uri());
      var thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      provider.exchange(Trial.streamed("Hi"), new Trial.Sighted(), sink);
                    } catch (InterruptedException ended) {
                      over.complete(null);
                    }
                  });
      Trial.soon(first);
      thread.interrupt();

      Trial.soon(over);
      awaitNothingLeased(http);
      assertThat(late).isNotDone();
    }
  }

  @Test
  void a_process_that_stood_still_cuts_nothing_that_was_on_its_way() throws Exception {
    var timer = new ScheduledThreadPoolExecutor(1);
    try {
      var go = new CountDownLatch(1);
      var held = new CompletableFuture<Void>();
      timer.execute(
          () -> {
            held.complete(null);
            try {
              go.await();
            } catch (InterruptedException never) {
              throw new IllegalStateException(never);
            }
          });
      Trial.soon(held);
      var cut = new CompletableFuture<Void>();
      try (var watch =
          new AttemptWatch(
              timer, Trial.SHORT.idle(Duration.ofMillis(40)), () -> cut.complete(null))) {
        watch.headersCame();
        new CompletableFuture<Void>()
            .completeOnTimeout(null, 120, TimeUnit.MILLISECONDS)
            .get(5, TimeUnit.SECONDS);
        var next = timer.submit(() -> watch.ranOut().isPresent());
        go.countDown();

        assertThat(next.get(5, TimeUnit.SECONDS)).isFalse();
        watch.pieceCame(1);
        Trial.soon(cut);
        assertThat(watch.ranOut()).contains("stood still within 40 ms");
      }
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void a_time_that_is_none_is_refused() {
    assertThatThrownBy(() -> Trial.SHORT.idle(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above 0");
  }
}
