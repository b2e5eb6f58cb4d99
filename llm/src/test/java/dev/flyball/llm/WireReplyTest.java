package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies of servers that say what no simulator says. */
class WireReplyTest {
  private static final String WHOLE = Trial.reply(Trial.OK + Trial.JSON, Trial.ANSWER);

  @Test
  void what_comes_before_the_reply_is_passed_over() throws Exception {
    var early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: <x>\r\n\r\n";

    assertThat(Trial.answered(Trial.heard(early + WHOLE)).usage()).isEqualTo(Usage.of(11, 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"HTTP/1.1 204 None\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"})
  void an_answer_with_nothing_in_it_is_none(String reply) throws Exception {
    var cut = Trial.cutShort(Trial.heard(reply));

    assertThat(cut.usage()).isEqualTo(Usage.of(42, 0));
  }

  @Test
  void a_body_without_a_length_ends_with_its_connection() throws Exception {
    var exchange = Trial.heard("HTTP/1.0 200 OK\r\n\r\n" + Trial.ANSWER);

    assertThat(new String(Trial.answered(exchange).value().body(), StandardCharsets.UTF_8))
        .isEqualTo(Trial.ANSWER);
  }

  @Test
  void of_a_header_that_comes_twice_both_are_kept_and_the_first_counts() throws Exception {
    var name = "anthropic-ratelimit-requests-";
    var exchange =
        Trial.heard(
            Trial.reply(
                Trial.OK
                    + (name + "limit: 50\r\n" + name + "limit: 60\r\n")
                    + (name.toUpperCase(Locale.ROOT) + "REMAINING: 49\r\n"),
                Trial.ANSWER));

    assertThat(exchange.head().orElseThrow().headers())
        .containsEntry(name + "limit", List.of("50", "60"));
    assertThat(exchange.reply().signals().sightings().getFirst().limit()).hasValue(50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip"})
  void a_compressed_answer_is_unpacked_and_its_head_says_so_no_more(String word) throws Exception {
    var body = Trial.gzip(Trial.ANSWER);
    var head =
        Trial.OK + "Content-Encoding: " + word + "\r\nContent-Length: " + body.length + "\r\n\r\n";
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(body);

    var exchange = Trial.heard(bytes.toByteArray(), Trial.message("Hi"));

    assertThat(new String(Trial.answered(exchange).value().body(), StandardCharsets.UTF_8))
        .isEqualTo(Trial.ANSWER);
    assertThat(exchange.head().orElseThrow().headers())
        .doesNotContainKeys("content-encoding", "content-length");
  }

  @Test
  void an_error_is_judged_by_its_status_when_its_body_cannot_be_unpacked() throws Exception {
    var exchange =
        Trial.heard(Trial.reply("HTTP/1.1 429 No\r\nContent-Encoding: gzip\r\n", "not compressed"));

    assertThat(exchange.reply()).isInstanceOf(Reply.Throttled.class);
  }

  @Test
  void an_answer_that_cannot_be_unpacked_is_cut_short_and_billed() throws Exception {
    var exchange =
        Trial.heard(Trial.reply(Trial.OK + "Content-Encoding: gzip\r\n", "not compressed"));

    assertThat(Trial.cutShort(exchange).usage()).isEqualTo(Usage.of(42, 0));
  }

  @Test
  void an_error_is_judged_by_what_came_of_it() throws Exception {
    var exchange =
        Trial.heard(
            "HTTP/1.1 429 No\r\nretry-after: 7\r\nContent-Length: 9999\r\n\r\n"
                + "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Too many");

    var throttled = (Reply.Throttled<ProviderAnswer>) exchange.reply();
    assertThat(throttled.message()).isEqualTo("Too many");
    assertThat(throttled.signals().retryAfter()).contains(Duration.ofSeconds(7));
  }

  @Test
  void of_an_error_without_an_end_no_more_is_read_than_anybody_needs() throws Exception {
    var said = new CompletableFuture<Long>();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say("HTTP/1.1 500 No\r\nContent-Length: 9999999999\r\n\r\n");
                  said.complete(line.sayForever(new byte[64 << 10]));
                });
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, server.uri()), Trial.message("Hi"));

      assertThat(exchange.reply()).isInstanceOf(Reply.Overloaded.class);
      assertThat(Trial.soon(said)).as("pieces of 64 KiB").isLessThan(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "x: y\r\n"})
  void a_head_without_an_end_is_cut(String piece) throws Exception {
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(Trial.OK + "x: ");
                  line.sayForever(piece.repeat(1_000).getBytes(StandardCharsets.UTF_8));
                });
        var http = Trial.http()) {
      var broken = Trial.broken(Trial.exchange(Trial.to(http, server.uri()), Trial.message("Hi")));

      assertThat(broken.message()).startsWith("the connection broke: ");
    }
  }

  @Test
  void an_answer_that_is_not_utf8_is_kept_as_it_is() throws Exception {
    var text = "{\"x\":\"\u00e9\u00ff\",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}";
    var body = text.getBytes(StandardCharsets.ISO_8859_1);
    var head = Trial.OK + Trial.JSON + "Content-Length: " + body.length + "\r\n\r\n";

    var exchange =
        Trial.heard((head + text).getBytes(StandardCharsets.ISO_8859_1), Trial.chat("Hi"));

    assertThat(Trial.answered(exchange).value().body()).isEqualTo(body);
    assertThat(Trial.answered(exchange).usage()).isEqualTo(Usage.of(3, 4));
  }

  @Test
  void what_is_no_http_at_all_is_not_repeated_with_the_key() throws Exception {
    var rejected = Trial.rejected(Trial.heard("x-api-key: " + Trial.SECRET + "\r\n\r\n"));

    assertThat(rejected.message()).doesNotContain(Trial.SECRET);
  }

  @Test
  void a_key_that_the_provider_repeats_is_not_in_its_message() throws Exception {
    var exchange =
        Trial.heard(
            Trial.reply(
                "HTTP/1.1 401 No\r\n",
                "{\"error\":{\"message\":\"Incorrect API key provided: %s.\"}}"
                    .formatted(Trial.SECRET)));

    assertThat(Trial.rejected(exchange).message()).contains("Incorrect").doesNotContain("0123456");
  }

  @Test
  void an_answer_that_says_it_failed_is_none() throws Exception {
    var failed =
        "{\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"It broke\"},"
            + "\"usage\":{\"input_tokens\":5,\"output_tokens\":3}}";
    var cut = Trial.cutShort(Trial.heard(Trial.reply(Trial.OK + Trial.JSON, failed)));

    assertThat(cut.message()).isEqualTo("It broke");
    assertThat(cut.usage()).isEqualTo(Usage.of(5, 3));
  }

  @Test
  void limits_are_sighted_when_the_headers_come_and_not_when_the_body_ends() throws Exception {
    sightedEarly(Trial.STREAM, Trial.chunk(Trial.START + Trial.STOP) + "0\r\n\r\n");
    sightedEarly(
        Trial.OK + Trial.JSON + "Content-Length: " + Trial.ANSWER.length() + "\r\n\r\n",
        Trial.ANSWER);
  }

  private static void sightedEarly(String head, String body) throws Exception {
    var attempt = new Trial.Sighted();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(head);
                  Trial.soon(attempt.first);
                  line.say(body);
                });
        var http = Trial.http()) {
      var exchange = Trial.to(http, server.uri()).exchange(Trial.message("Hi"), attempt);

      Trial.answered(exchange);
      assertThat(attempt.signals).hasSize(1);
    }
  }

  @Test
  void limits_are_sighted_before_a_compressed_body_begins() throws Exception {
    var attempt = new Trial.Sighted();
    var body = Trial.gzip(Trial.ANSWER);
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(
                      Trial.OK
                          + ("Content-Encoding: gzip\r\nContent-Length: " + body.length)
                          + "\r\n\r\n");
                  Trial.soon(attempt.first);
                  line.say(body);
                });
        var http = Trial.http()) {
      Trial.answered(Trial.to(http, server.uri()).exchange(Trial.message("Hi"), attempt));
    }
  }

  @Test
  void a_stream_that_said_its_end_is_whole_however_its_connection_ends() throws Exception {
    for (var body :
        List.of(
            Trial.START + Trial.STOP,
            Trial.START + Trial.STOP.strip(),
            Trial.START + "data: [DONE]")) {
      var exchange = Trial.heard(Trial.STREAM + Trial.chunk(body));

      assertThat(Trial.answered(exchange).value().body())
          .isEqualTo(body.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void a_stream_that_said_its_end_and_stays_open_is_whole() throws Exception {
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(Trial.STREAM + Trial.chunk(Trial.START + Trial.STOP));
                  line.awaitEnd();
                });
        var http = Trial.http(Timeouts.USUAL)) {
      Trial.answered(Trial.exchange(Trial.to(http, server.uri()), Trial.streamed("Hi")));
    }
  }

  @Test
  void a_stream_whose_last_line_has_no_end_is_whole() throws Exception {
    var body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]";
    var exchange = Trial.heard(Trial.STREAM + Trial.chunk(body) + "0\r\n\r\n");

    assertThat(Trial.answered(exchange).usage()).isEqualTo(Usage.of(42, 1));
  }

  @Test
  void a_stream_whose_answer_finished_is_whole_without_the_usual_last_words() throws Exception {
    var piece =
        "data:"
            + " {\"choices\":[{\"index\":%d,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":%s}]}\n\n";
    var one = piece.formatted(0, "null") + piece.formatted(1, "null");
    var finished = piece.formatted(0, "\"stop\"");

    Trial.answered(Trial.heard(Trial.STREAM + Trial.chunk(finished) + "0\r\n\r\n"));
    Trial.cutShort(Trial.heard(Trial.STREAM + Trial.chunk(one + finished) + "0\r\n\r\n"));
    Trial.cutShort(Trial.heard(Trial.STREAM + Trial.chunk(finished)));
  }

  @Test
  void an_error_in_a_stream_is_judged_though_the_connection_breaks_after_it() throws Exception {
    var error =
        "data:"
            + " {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow\"}}\n\n";
    var exchange = Trial.heard(Trial.STREAM + Trial.chunk(Trial.START + error));

    assertThat(exchange.reply()).isInstanceOf(Reply.Throttled.class);
  }

  @Test
  void a_stream_that_is_cut_was_billed_for_what_was_heard() throws Exception {
    var text =
        "data: {\"delta\":{\"type\":\"text_delta\",\"text\":\"" + "x".repeat(400) + "\"}}\n\n";
    var cut = Trial.cutShort(Trial.heard(Trial.STREAM + Trial.chunk(Trial.START + text)));

    assertThat(cut.usage()).isEqualTo(Usage.of(11, 100));
  }

  @Test
  void an_error_never_comes_to_a_sink() throws Exception {
    var error = "{\"error\":{\"message\":\"No\",\"type\":\"overloaded_error\"}}";
    for (var reply :
        List.of(
            Trial.reply("HTTP/1.1 500 No\r\n", error),
            Trial.reply(Trial.OK + Trial.JSON, error),
            Trial.reply(Trial.OK + Trial.JSON, "{\"half"))) {
      var sink = new Trial.Kept();
      try (var server = RawServer.saying(reply);
          var http = Trial.http()) {
        Trial.to(http, server.uri()).exchange(Trial.message("Hi"), new Trial.Sighted(), sink);
      }

      assertThat(sink.heads).isEmpty();
      assertThat(sink.bytes.size()).isZero();
    }
  }

  @Test
  void when_a_sink_fails_the_provider_is_hung_up_on_at_once() throws Exception {
    var said = new CompletableFuture<Long>();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(Trial.STREAM);
                  var piece = Trial.chunk(Trial.START + ": wait\n\n".repeat(8_000));
                  said.complete(line.sayForever(piece.getBytes(StandardCharsets.UTF_8)));
                });
        var http = Trial.http()) {
      var sink =
          new AnswerSink() {
            @Override
            public void head(ReplyHead head) {}

            @Override
            public void piece(byte[] bytes, int length) throws IOException {
              throw new IOException("the client left");
            }
          };
      var exchange =
          Trial.to(http, server.uri()).exchange(Trial.streamed("Hi"), new Trial.Sighted(), sink);

      assertThat(Trial.cutShort(exchange).message()).contains("the client left");
      assertThat(Trial.cutShort(exchange).usage().input()).isEqualTo(11);
      assertThat(Trial.soon(said)).as("pieces of 64 KiB").isLessThan(400);
      Trial.assertNothingLeased(http);
    }
  }
}
