package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews over server-sent events, with a real server and real clients. */
final class ReviewStreamTest {
  private final ScriptedWork work = new ScriptedWork();
  private final List<ServedReviews> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(ServedReviews::close);
  }

  private ServedReviews server(TaskSettings settings) throws IOException {
    var server = ServedReviews.of(settings, work);
    open.add(server);
    return server;
  }

  private static TaskSettings room(int limit, int queued) {
    return TaskSettings.USUAL.room(
        new TaskSettings.Room(new TaskLimit(limit), queued, OptionalInt.empty()));
  }

  private static TaskSettings impatient(TaskSettings settings, Duration client, Duration quiet) {
    var usual = settings.times();
    return settings.times(
        new TaskSettings.Times(usual.task(), usual.queue(), client, usual.settle(), quiet));
  }

  private static String code(ServedReviews.Answer answer) throws IOException {
    return answer.json().path("error").path("code").asText();
  }

  @Test
  void a_review_is_a_stream_of_events_that_ends_with_done() throws Exception {
    var server = server(room(1, 0));
    try (var answer = server.post(ServedReviews.patch("x"))) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("content-type").orElse("")).startsWith("text/event-stream");
      var piece = work.next();
      assertThat(answer.header("x-flyball-task-id")).contains(piece.taskId);
      piece.says("one");
      assertThat(answer.until("unit").data().path("text").asText()).isEqualTo("one");
      assertThat(server.part().counts().room().inFlight()).isEqualTo(1);
      piece.completes();
      answer.until("complete");
      assertThat(answer.until("done").data().path("missedEvents").asInt()).isZero();
      assertThat(answer.next()).isEmpty();
      assertThat(server.part().counts().room().inFlight()).as("when done is said").isZero();
    }
  }

  @Test
  void a_full_server_refuses_with_status_header_and_body() throws Exception {
    var server = server(room(1, 0));
    try (var first = server.post(ServedReviews.patch("x"))) {
      assertThat(first.status()).isEqualTo(200);
      var away = server.post(ServedReviews.patch("y"));
      work.next();
      assertThat(away.status()).isEqualTo(429);
      assertThat(away.header("retry-after")).contains("30");
      var error = away.json().path("error");
      assertThat(error.path("reason").asText()).isEqualTo("AT_CAPACITY");
      assertThat(error.path("retryAfterMs").asLong()).isEqualTo(30_000);
      assertThat(error.path("taskId").asText())
          .isEqualTo(away.header("x-flyball-task-id").orElse(""));
      assertThat(work.begun).hasSize(1);
    }
    server.untilFree();
    try (var again = server.post(ServedReviews.patch("y"))) {
      assertThat(again.status()).as("the slot of who left is free").isEqualTo(200);
    }
  }

  @Test
  void a_limit_is_never_passed_however_many_come_at_once() throws Exception {
    var server = server(room(3, 0));
    var answers = new ArrayList<CompletableFuture<HttpResponse<Void>>>();
    for (int i = 0; i < 60; i++) {
      var request =
          HttpRequest.newBuilder(server.at("/v1/reviews"))
              .header("content-type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(ServedReviews.patch("p" + i)))
              .build();
      answers.add(
          server.client.sendAsync(request, head -> HttpResponse.BodySubscribers.replacing(null)));
    }
    ServedReviews.until(
        () -> server.part().counts().shed().getOrDefault(TaskReason.AT_CAPACITY, 0L) == 57);
    ServedReviews.until(() -> work.begun.size() == 3);
    assertThat(server.part().counts().room().inFlight()).isEqualTo(3);
    work.begun.forEach(ScriptedWork.Piece::completes);
    long let = answers.stream().filter(answer -> answer.join().statusCode() == 200).count();
    assertThat(let).isEqualTo(3);
    server.untilFree();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "", "[1]", "{\"patch\":\"x\"} x", "{\"patch\":\"\\ud800\"", "nul"})
  void a_malformed_body_is_400_and_takes_no_slot_even_where_there_is_none(String body)
      throws Exception {
    var server = server(room(1, 0));
    try (var first = server.post(ServedReviews.patch("x"))) {
      assertThat(first.status()).isEqualTo(200);
      work.next();
      var answer = server.post(body);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(code(answer)).isEqualTo("MALFORMED_JSON");
      assertThat(work.begun).hasSize(1);
    }
  }

  @Test
  void the_same_review_runs_once_at_a_time_and_names_the_one_that_runs() throws Exception {
    var server = server(room(5, 0));
    try (var first = server.post(ServedReviews.patch("x"))) {
      var twin = server.post(ServedReviews.patch("x"));
      assertThat(twin.status()).isEqualTo(409);
      var error = twin.json().path("error");
      assertThat(error.path("code").asText()).isEqualTo("TASK_ALREADY_RUNNING");
      assertThat(error.path("recoverable").asBoolean()).isTrue();
      assertThat(error.path("runningTaskId").asText())
          .isEqualTo(first.header("x-flyball-task-id").orElse(""));
      work.next().completes();
      first.until("done");
      try (var again = server.post(ServedReviews.patch("x"))) {
        assertThat(again.status()).as("at once after done").isEqualTo(200);
      }
    }
  }

  @Test
  void what_is_wrong_in_the_head_is_refused_by_the_head() throws Exception {
    var server = server(room(5, 0).largestBody(2_000));
    var get =
        server.client.send(
            HttpRequest.newBuilder(server.at("/v1/reviews")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("allow")).contains("POST");
    var body = HttpRequest.BodyPublishers.ofString(ServedReviews.patch("x"));
    assertThat(server.post(body, "text/plain").status()).isEqualTo(415);
    assertThat(server.post(body, "application/json", "content-encoding", "gzip").status())
        .isEqualTo(415);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(head(socket, "content-length: 999999999999")).startsWith("HTTP/1.1 413");
    }
    assertThat(work.begun).isEmpty();
  }

  /** Sends the head of a request alone, and returns what comes until the server hangs up. */
  private static String head(Socket socket, String more) throws IOException {
    socket.setSoTimeout(60_000);
    socket
        .getOutputStream()
        .write(
            ("POST /v1/reviews HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
                    + more
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void a_body_that_does_not_say_its_size_is_cut_when_it_is_too_large() throws Exception {
    var server = server(room(5, 0).largestBody(10_000));
    var endless =
        HttpRequest.BodyPublishers.ofInputStream(
            () -> new ByteArrayInputStream("x".repeat(200_000).getBytes(StandardCharsets.UTF_8)));
    try {
      var answer = server.post(endless, "application/json");
      assertThat(answer.status()).isEqualTo(413);
    } catch (IOException closed) {
      // It was still sending when the server hung up; it was not read all the same.
    }
    try (var fine = server.post(ServedReviews.patch("x"))) {
      assertThat(fine.status()).isEqualTo(200);
      work.next();
    }
    assertThat(work.begun).hasSize(1);
  }

  @Test
  void a_full_server_does_not_read_a_large_body() throws Exception {
    var server = server(room(1, 0));
    try (var first = server.post(ServedReviews.patch("x"));
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(first.status()).isEqualTo(200);
      assertThat(head(socket, "content-length: 5000000")).startsWith("HTTP/1.1 429");
    }
  }

  @Test
  void a_body_that_does_not_come_is_not_waited_for() throws Exception {
    var server = server(impatient(room(5, 0), Duration.ofMillis(200), Duration.ofSeconds(15)));
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(head(socket, "content-length: 100")).startsWith("HTTP/1.1 408");
    }
    assertThat(work.begun).isEmpty();
  }

  @Test
  void a_client_that_leaves_ends_its_review() throws Exception {
    var server = server(room(1, 0));
    var answer = server.post(ServedReviews.patch("x"));
    var piece = work.next();
    answer.close();
    piece.awaitCancelled();
    server.untilFree();
    assertThat(server.part().counts().ended().get(TaskReason.CANCELLED)).isEqualTo(1);
  }

  @Test
  void a_client_that_leaves_the_queue_is_not_waited_for() throws Exception {
    var server = server(room(1, 2));
    try (var first = server.post(ServedReviews.patch("x"))) {
      var waits = server.post(ServedReviews.patch("y"));
      assertThat(waits.until("queued").data().path("position").asInt()).isEqualTo(1);
      var behind = server.post(ServedReviews.patch("z"));
      assertThat(behind.until("queued").data().path("position").asInt()).isEqualTo(2);
      waits.close();
      assertThat(behind.until("queued").data().path("position").asInt()).isEqualTo(1);
      work.next().completes();
      first.until("done");
      work.next().completes();
      behind.until("complete");
    }
    assertThat(work.begun).hasSize(2);
  }

  @Test
  void a_client_that_reads_slowly_costs_little_and_misses_only_what_the_result_repeats()
      throws Exception {
    var server = server(room(1, 0));
    try (var answer = server.post(ServedReviews.patch("x"))) {
      var piece = work.next();
      var text = "x".repeat(10_000);
      for (int i = 0; i < 20_000; i++) {
        piece.says(text);
      }
      piece.completes();
      answer.until("complete");
      long missed = answer.until("done").data().path("missedEvents").asLong();
      assertThat(missed).as("of 200 MB").isGreaterThan(15_000);
    }
  }

  @Test
  void a_client_that_reads_nothing_is_given_up() throws Exception {
    var server = server(impatient(room(1, 0), Duration.ofMillis(400), Duration.ofMillis(100)));
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(4_096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      var body = ServedReviews.patch("x");
      socket
          .getOutputStream()
          .write(
              ("POST /v1/reviews HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
                      + "content-length: %d\r\n\r\n%s".formatted(body.length(), body))
                  .getBytes(StandardCharsets.US_ASCII));
      var piece = work.next();
      var text = "x".repeat(100_000);
      for (int i = 0; i < 60_000 && !piece.told.await(1, TimeUnit.MILLISECONDS); i++) {
        piece.says(text);
      }
      piece.awaitCancelled();
      server.untilFree();
      assertThat(server.part().counts().ended().get(TaskReason.CANCELLED)).isEqualTo(1);
    }
  }

  @Test
  void a_quiet_stream_shows_that_it_lives() throws Exception {
    var server = server(impatient(room(1, 0), Duration.ofSeconds(30), Duration.ofMillis(50)));
    try (var answer = server.post(ServedReviews.patch("x"))) {
      for (var line = answer.reader().readLine();
          !": alive".equals(line);
          line = answer.reader().readLine()) {
        assertThat(line).isNotNull();
      }
    }
  }

  @Test
  void a_server_that_ends_takes_nothing_new_and_finishes_what_runs() throws Exception {
    var server = server(room(1, 1));
    try (var runs = server.post(ServedReviews.patch("x"));
        var waits = server.post(ServedReviews.patch("y"))) {
      waits.until("queued");
      server.drain();
      var error = waits.until("error").data().path("error");
      assertThat(error.path("reason").asText()).isEqualTo("DRAINING");
      waits.until("done");
      var late = server.post(ServedReviews.patch("z"));
      assertThat(late.status()).isEqualTo(503);
      assertThat(late.header("retry-after")).isPresent();
      work.next().completes();
      runs.until("complete");
      runs.until("done");
    }
    server.untilFree();
  }

  @Test
  void a_server_that_is_closed_tells_those_who_run() throws Exception {
    var server = server(room(1, 1));
    try (var runs = server.post(ServedReviews.patch("x"))) {
      work.next();
      Thread.startVirtualThread(server::close);
      assertThat(runs.until("error").data().path("error").path("reason").asText())
          .isEqualTo("DRAINING");
    }
    open.clear();
  }

  @Test
  void another_limit_counts_from_when_the_settings_are_read_again() throws Exception {
    var server = server(room(1, 0));
    try (var first = server.post(ServedReviews.patch("x"))) {
      assertThat(server.post(ServedReviews.patch("y")).status()).isEqualTo(429);
      server.settings.set(room(2, 0));
      server.part().readAgain().run();
      try (var second = server.post(ServedReviews.patch("y"))) {
        assertThat(second.status()).isEqualTo(200);
        assertThat(first.status()).isEqualTo(200);
      }
    }
  }

  @Test
  void who_may_not_come_in_is_told_in_the_same_shape_before_anything_is_read() throws Exception {
    var server = ServedReviews.guarded(room(1, 0), work, ServedReviews.word("please"));
    open.add(server);
    var away = server.post("{");
    assertThat(away.status()).isEqualTo(401);
    var text = away.json();
    assertThat(text.path("error").path("reason").asText()).isEqualTo("UNAUTHORIZED");
    assertThat(text.toString()).doesNotContain("secret reason");
    var body = HttpRequest.BodyPublishers.ofString(ServedReviews.patch("x"));
    try (var in = server.post(body, "application/json", "authorization", "Bearer please")) {
      assertThat(in.status()).isEqualTo(200);
    }
  }

  @Test
  void garbage_on_the_wire_leaves_the_server_well() throws Exception {
    var server = server(room(2, 0));
    var random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      var bytes = new byte[1 + random.nextInt(400)];
      random.nextBytes(bytes);
      var head =
          random.nextBoolean()
              ? "POST /v1/reviews HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
                  + (random.nextBoolean() ? "transfer-encoding: chunked\r\n" : "")
                  + (random.nextBoolean() ? "content-length: " + random.nextInt(500) + "\r\n" : "")
                  + "\r\n"
              : "";
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(bytes);
      } catch (IOException hungUp) {
        // As it should.
      }
    }
    server.untilFree();
    try (var fine = server.post(ServedReviews.patch("x"))) {
      assertThat(fine.status()).isEqualTo(200);
    }
  }
}
