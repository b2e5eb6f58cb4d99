package dev.flyball.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections on which no request is open, in a time that the test makes. */
@Timeout(60)
final class ConnectionWatchTest {
  private static final int MOST = 10;
  private static final String REQUEST = "GET /waits HTTP/1.1\r\nhost: localhost\r\n\r\n";

  private final AtomicLong now = new AtomicLong();
  private final ConnectionWatch watch = new ConnectionWatch(now::get, MOST);
  private final Vertx vertx = Vertx.builder().withTransport(watch).build();
  private final ConcurrentLinkedQueue<HttpServerRequest> waiting = new ConcurrentLinkedQueue<>();
  private int port;

  @BeforeEach
  void listen() {
    var waits = new Mount("/waits", Access.EVERYBODY, (request, caller) -> waiting.add(request));
    var routes =
        new HttpRoutes(
            List.of(waits), AccessCheck.NO_KEYS, new HostCheck(true), watch, () -> false);
    port =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(routes)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    watch.sweep();
  }

  private static void until(BooleanSupplier so) {
    while (!so.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void who_connects_and_says_nothing_is_closed() throws Exception {
    try (var socket = connect()) {
      until(() -> watch.connections() == 1);
      pass(Duration.ofSeconds(19));
      assertThat(watch.connections()).isEqualTo(1);
      pass(Duration.ofSeconds(2));
      assertThat(isClosed(socket)).isTrue();
      until(() -> watch.connections() == 0);
    }
  }

  @Test
  void a_head_that_drips_in_is_closed_however_often_it_drips() throws Exception {
    try (var socket = connect()) {
      until(() -> watch.connections() == 1);
      send(socket, "POST /waits HTTP/1.1\r\n");
      for (int i = 0; i < 30 && watch.connections() == 1; i++) {
        pass(Duration.ofSeconds(1));
        try {
          send(socket, "x-" + i + ": 1\r\n");
        } catch (SocketException closed) {
          break;
        }
      }
      assertThat(isClosed(socket)).isTrue();
      assertThat(waiting).isEmpty();
    }
  }

  @Test
  void a_request_may_wait_for_hours_and_then_its_connection_may_be_used_again() throws Exception {
    try (var socket = connect()) {
      for (int i = 0; i < 2; i++) {
        send(socket, REQUEST);
        until(() -> !waiting.isEmpty());
        pass(Duration.ofHours(5));
        waiting.remove().response().end("done");
        var line = new StringBuilder();
        while (line.indexOf("done") < 0) {
          line.append((char) socket.getInputStream().read());
        }
        assertThat(line).startsWith("HTTP/1.1 200");
        pass(Duration.ofSeconds(80));
      }
      pass(Duration.ofSeconds(20));
      assertThat(isClosed(socket)).isTrue();
    }
  }

  @Test
  void more_connections_than_there_is_room_for_are_closed_at_once() throws Exception {
    var sockets = new ArrayList<Socket>();
    for (int i = 0; i < MOST; i++) {
      sockets.add(connect());
    }
    until(() -> watch.connections() == MOST);
    try (var further = connect()) {
      assertThat(isClosed(further)).isTrue();
    }
    sockets.getFirst().close();
    until(() -> watch.connections() == MOST - 1);
    try (var next = connect()) {
      send(next, REQUEST);
      until(() -> !waiting.isEmpty());
    }
    for (var socket : sockets) {
      socket.close();
    }
  }
}
