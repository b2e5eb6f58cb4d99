package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reviews over WebSocket, with a real server and real clients. */
final class ReviewSocketTest {
  private final ScriptedWork work = new ScriptedWork();
  private final List<ServedReviews> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(ServedReviews::close);
  }

  private ServedReviews server(int limit, int queued) throws IOException {
    var settings =
        TaskSettings.USUAL
            .room(new TaskSettings.Room(new TaskLimit(limit), queued, OptionalInt.empty()))
            .largestBody(100_000);
    var server = ServedReviews.of(settings, work);
    open.add(server);
    return server;
  }

  @Test
  void a_review_is_accepted_told_and_done_and_then_comes_the_next() throws Exception {
    var line = server(1, 0).line();
    for (int i = 0; i < 3; i++) {
      line.details(ServedReviews.patch("x"));
      var accepted = line.next();
      assertThat(accepted.name()).isEqualTo("task:accepted");
      var piece = work.next();
      assertThat(accepted.data().path("taskId").asText()).isEqualTo(piece.taskId);
      piece.says("one");
      piece.completes();
      assertThat(line.next().name()).isEqualTo("unit");
      assertThat(line.next().name()).isEqualTo("complete");
      var done = line.next();
      assertThat(done.name()).isEqualTo("done");
      assertThat(done.data().path("taskId").asText()).isEqualTo(piece.taskId);
    }
  }

  @Test
  void one_review_at_a_time_runs_over_a_connection() throws Exception {
    var line = server(5, 0).line();
    line.details(ServedReviews.patch("x"));
    var piece = work.next();
    line.details(ServedReviews.patch("y"));
    var error = line.until("error").data().path("error");
    assertThat(error.path("code").asText()).isEqualTo("TASK_ALREADY_RUNNING");
    assertThat(error.path("runningTaskId").asText()).isEqualTo(piece.taskId);
    line.details("7");
    assertThat(line.refusal()).as("said first").isEqualTo("TASK_ALREADY_RUNNING");
    piece.completes();
    line.until("done");
    assertThat(work.begun).hasSize(1);
  }

  @Test
  void one_counter_is_for_both_protocols_and_a_refusal_leaves_the_connection_open()
      throws Exception {
    var server = server(1, 0);
    var line = server.line();
    try (var stream = server.post(ServedReviews.patch("x"))) {
      line.details(ServedReviews.patch("y"));
      var refused = line.until("error").data();
      assertThat(refused.path("success").asBoolean(true)).isFalse();
      assertThat(refused.path("error").path("reason").asText()).isEqualTo("AT_CAPACITY");
      assertThat(refused.path("error").path("retryAfterMs").asLong()).isPositive();
      assertThat(refused.path("error").path("recoverable").asBoolean()).isTrue();
      work.next().completes();
      stream.until("done");
    }
    line.details(ServedReviews.patch("y"));
    line.until("task:accepted");
    assertThat(server.post(ServedReviews.patch("z")).status()).isEqualTo(429);
    work.next().completes();
    line.until("done");
  }

  @Test
  void a_wrong_message_is_refused_and_takes_no_slot() throws Exception {
    var line = server(1, 0).line();
    line.send("{");
    assertThat(line.refusal()).isEqualTo("INVALID_MESSAGE");
    line.send("[]");
    assertThat(line.refusal()).isEqualTo("INVALID_MESSAGE");
    line.send("{\"event\":\"task:run\"}");
    assertThat(line.refusal()).isEqualTo("INVALID_MESSAGE");
    line.sendBinary(new byte[] {1, 2, 3});
    assertThat(line.refusal()).isEqualTo("INVALID_MESSAGE");
    line.send("{\"event\":\"task:details\"}");
    assertThat(line.refusal()).isEqualTo("MISSING_DATA");
    line.details("{}");
    assertThat(line.refusal()).isEqualTo("MISSING_SUBJECT");
    line.send("{\"event\":\"task:cancel\"}");
    assertThat(line.refusal()).isEqualTo("NO_TASK");
    assertThat(work.begun).isEmpty();
    line.details(ServedReviews.patch("x"));
    assertThat(line.next().name()).isEqualTo("task:accepted");
  }

  @Test
  void a_message_may_come_in_parts() throws Exception {
    var line = server(1, 0).line();
    line.sendPart("{\"event\":\"task:de", false);
    line.sendPart("tails\",\"data\":{\"patch\":\"", false);
    line.sendPart("x\"}}", true);
    assertThat(line.next().name()).isEqualTo("task:accepted");
    assertThat(work.next().details.patch()).contains("x");
  }

  @Test
  void a_message_that_is_too_large_in_parts_is_refused_and_the_connection_closed()
      throws Exception {
    var line = server(1, 0).line();
    for (int i = 0; i < 11; i++) {
      line.sendPart("x".repeat(10_000), false);
    }
    assertThat(line.refusal()).isEqualTo("BODY_TOO_LARGE");
    assertThat(line.closed.join()).isEqualTo(1009);
  }

  @Test
  void a_frame_that_is_too_large_closes_the_connection_and_ends_its_review() throws Exception {
    var server = server(1, 0);
    var line = server.line();
    line.details(ServedReviews.patch("x"));
    var piece = work.next();
    try {
      line.send("x".repeat(300_000));
    } catch (RuntimeException hungUp) {
      // It was still being sent.
    }
    piece.awaitCancelled();
    server.untilFree();
  }

  @Test
  void a_client_that_drops_the_connection_ends_its_review() throws Exception {
    var server = server(1, 0);
    var line = server.line();
    line.details(ServedReviews.patch("x"));
    var piece = work.next();
    line.drop();
    piece.awaitCancelled();
    server.untilFree();
  }

  @Test
  void a_client_may_change_its_mind_and_keep_the_connection() throws Exception {
    var line = server(1, 0).line();
    line.details(ServedReviews.patch("x"));
    var piece = work.next();
    line.send("{\"event\":\"task:cancel\"}");
    piece.awaitCancelled();
    assertThat(line.refusal()).isEqualTo("CANCELLED");
    line.until("done");
    line.details(ServedReviews.patch("x"));
    assertThat(line.next().name()).isEqualTo("task:accepted");
  }

  @Test
  void who_waits_is_told_its_place() throws Exception {
    var server = server(1, 1);
    var line = server.line();
    try (var stream = server.post(ServedReviews.patch("x"))) {
      assertThat(stream.status()).isEqualTo(200);
      line.details(ServedReviews.patch("y"));
      assertThat(line.next().name()).isEqualTo("task:accepted");
      assertThat(line.until("queued").data().path("position").asInt()).isEqualTo(1);
      work.next().completes();
      work.next().completes();
      line.until("complete");
    }
  }

  @Test
  void a_server_that_ends_closes_idle_connections_and_others_when_they_are_done() throws Exception {
    var server = server(1, 0);
    var idle = server.line();
    var busy = server.line();
    busy.details(ServedReviews.patch("x"));
    var piece = work.next();
    server.drain();
    assertThat(idle.closed.join()).isEqualTo(1001);
    piece.completes();
    busy.until("done");
    assertThat(busy.closed.join()).isEqualTo(1001);
  }

  @Test
  void a_page_of_another_site_gets_no_connection() throws Exception {
    var server = server(1, 0);
    assertThatThrownBy(() -> server.line(Map.of("origin", "https://evil.example")))
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
    assertThatThrownBy(() -> server.line(Map.of("origin", "null")))
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
    var own = server.line(Map.of("origin", "http://127.0.0.1:" + server.port()));
    own.details(ServedReviews.patch("x"));
    assertThat(own.next().name()).isEqualTo("task:accepted");
  }

  @Test
  void whoever_does_not_speak_websocket_is_told_to() throws Exception {
    var server = server(1, 0);
    var answer =
        server.client.send(
            HttpRequest.newBuilder(server.at("/v1/reviews/ws")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(426);
    assertThat(answer.body()).contains("UPGRADE_REQUIRED");
  }
}
