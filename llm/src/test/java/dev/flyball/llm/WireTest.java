package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges with servers that say what no simulator says. */
class WireTest {
  private static final String WHOLE = Trial.reply(Trial.OK + Trial.JSON, Trial.ANSWER);
  private static final String STREAM =
      Trial.OK + Trial.EVENTS + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String START =
      "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":11}}}\n\n";
  private static final String STOP = "data: {\"type\":\"message_stop\"}\n\n";

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static Exchange heard(String reply) throws Exception {
    return heard(reply.getBytes(StandardCharsets.UTF_8), Trial.message("Hi"));
  }

  /** Hears one request, says this and hangs up. */
  private static Exchange heard(byte[] reply, ProviderRequest ask) throws Exception {
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(reply);
                });
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, server.uri()), ask);
      assertThat(server.requests()).hasSize(1);
      Trial.assertNothingLeased(http);
      return exchange;
    }
  }

  @Test
  void a_request_carries_what_it_needs_and_nothing_else() throws Exception {
    try (var server = RawServer.saying(WHOLE);
        var http = Trial.http()) {
      var ask =
          new ProviderRequest(
              Dialect.ANTHROPIC,
              "/v1/messages",
              "{\"é\":1}".getBytes(StandardCharsets.UTF_8),
              Map.of("x-client-request-id", "7"),
              1);
      Trial.exchange(Trial.to(http, server.uri()), ask);

      var parts = server.requests().getFirst().split("\r\n\r\n", 2);
      assertThat(parts[0].lines().map(line -> line.toLowerCase(Locale.ROOT)))
          .containsExactlyInAnyOrder(
              "post /v1/messages http/1.1",
              "host: 127.0.0.1:" + server.port(),
              "content-type: application/json; charset=utf-8",
              "content-length: 8",
              "connection: keep-alive",
              "user-agent: flyball",
              "anthropic-version: 2023-06-01",
              "x-client-request-id: 7",
              "x-api-key: " + Trial.SECRET);
      assertThat(parts[1].getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(ask.body());
    }
  }

  @Test
  void the_key_is_shown_as_each_provider_wants_it() throws Exception {
    try (var server = RawServer.saying(WHOLE);
        var http = Trial.http()) {
      var endpoint = Endpoint.at("trial", server.uri()).key(ApiKey.of(Trial.SECRET));
      Trial.exchange(http.provider(endpoint), Trial.chat("Hi"));
      Trial.exchange(http.provider(endpoint.auth(Endpoint.Auth.API_KEY)), Trial.chat("Hi"));
      Trial.exchange(
          http.provider(endpoint.headers(Map.of("AUTHORIZATION", "Token t"))), Trial.chat("Hi"));

      assertThat(server.requests().get(0)).contains("Authorization: Bearer " + Trial.SECRET);
      assertThat(server.requests().get(1))
          .contains("api-key: " + Trial.SECRET)
          .doesNotContain("Bearer");
      assertThat(server.requests().get(2))
          .contains("AUTHORIZATION: Token t")
          .doesNotContain(Trial.SECRET);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x\r\ny", "x y", "", "x:", "ü"})
  void a_header_whose_name_is_none_is_refused(String name) {
    var headers = Map.of(name, "secret");
    var endpoint = Endpoint.at("trial", URI.create("http://localhost"));

    assertThatThrownBy(() -> endpoint.headers(headers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> new ProviderRequest(Dialect.OPENAI, "/v1/x", new byte[0], headers, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nx-api-key: b", "a\nb", "a\0b"})
  void a_header_whose_value_would_begin_another_is_refused(String value) {
    var headers = Map.of("x-trace", value);
    var endpoint = Endpoint.at("trial", URI.create("http://localhost"));

    assertThatThrownBy(() -> endpoint.headers(headers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x-trace")
        .hasMessageNotContaining(value);
    assertThatThrownBy(() -> new ProviderRequest(Dialect.OPENAI, "/v1/x", new byte[0], headers, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_path_that_is_none_is_refused_and_nothing_is_sent() throws Exception {
    try (var server = RawServer.saying(WHOLE);
        var http = Trial.http()) {
      var ask = new ProviderRequest(Dialect.OPENAI, "/v1/chat completions", new byte[0]);
      var rejected = Trial.rejected(Trial.exchange(Trial.to(http, server.uri()), ask));

      assertThat(rejected.message()).contains("/v1/chat completions");
      assertThat(rejected.whole()).isFalse();
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_is_not_followed_and_the_key_goes_nowhere(int status) throws Exception {
    try (var elsewhere = RawServer.saying(WHOLE);
        var server =
            RawServer.saying(
                "HTTP/1.1 %d Moved\r\nLocation: %s/v1/messages\r\nContent-Length: 0\r\n\r\n"
                    .formatted(status, elsewhere.uri()));
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, server.uri()), Trial.message("Hi"));

      assertThat(Trial.rejected(exchange).advice()).contains("address");
      assertThat(server.requests()).hasSize(1);
      assertThat(elsewhere.connections()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"401, WWW-Authenticate", "407, Proxy-Authenticate"})
  void a_challenge_is_not_answered(int status, String header) throws Exception {
    try (var server =
            RawServer.saying(
                Trial.reply(
                    "HTTP/1.1 %d No\r\n%s: Basic realm=\"x\"\r\n".formatted(status, header),
                    "{}"));
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, server.uri()), Trial.message("Hi"));

      Trial.rejected(exchange);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 421, 425, 503})
  void nothing_is_sent_a_second_time(int status) throws Exception {
    var reply = Trial.reply("HTTP/1.1 " + status + " No\r\nRetry-After: 0\r\n", "{}");

    assertThat(heard(reply).head().orElseThrow().status()).isEqualTo(status);
  }

  @Test
  void a_connection_is_used_again_after_answers_and_after_errors() throws Exception {
    var replies =
        List.of(
            WHOLE,
            Trial.reply("HTTP/1.1 529 Busy\r\n", "{\"error\":{\"type\":\"overloaded_error\"}}"),
            STREAM + Trial.chunk(START + STOP) + "0\r\n\r\n",
            "HTTP/1.1 204 None\r\n\r\n");
    try (var server =
            RawServer.playing(
                line -> {
                  for (int i = 0; line.hear(); i++) {
                    line.say(replies.get(i % replies.size()));
                  }
                });
        var http = Trial.http()) {
      var provider = Trial.to(http, server.uri());
      for (int i = 0; i < 8; i++) {
        Trial.exchange(provider, Trial.message("Hi"));
      }

      assertThat(server.requests()).hasSize(8);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_is_used_again_after_a_compressed_answer() throws Exception {
    var body = gzip(Trial.ANSWER);
    try (var server =
            RawServer.playing(
                line -> {
                  while (line.hear()) {
                    line.say(Trial.OK + Trial.JSON + "Content-Encoding: gzip\r\n");
                    line.say("Transfer-Encoding: chunked\r\n\r\n");
                    line.say(Integer.toHexString(body.length) + "\r\n");
                    line.say(body);
                    line.say("\r\n0\r\n\r\n");
                  }
                });
        var http = Trial.http()) {
      var provider = Trial.to(http, server.uri());
      for (int i = 0; i < 3; i++) {
        Trial.answered(Trial.exchange(provider, Trial.message("Hi")));
      }

      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_that_the_server_has_closed_between_two_requests_is_not_used() throws Exception {
    var closed = new CompletableFuture<Void>();
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(WHOLE);
                });
        var http = Trial.http()) {
      var provider = Trial.to(http, server.uri());
      Trial.answered(Trial.exchange(provider, Trial.message("Hi")));
      closed.completeOnTimeout(null, 150, TimeUnit.MILLISECONDS);
      Trial.soon(closed);

      Trial.answered(Trial.exchange(provider, Trial.message("Hi")));
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void a_connection_that_nobody_takes_was_never_sent_to() throws Exception {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (var http = Trial.http()) {
      var provider = Trial.to(http, URI.create("http://127.0.0.1:" + port));
      var broken = Trial.broken(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(broken.sent()).isFalse();
      assertThat(broken.message()).isEqualTo("the connection was refused");
    }
  }

  @Test
  void a_host_that_is_not_there_was_never_sent_to() throws Exception {
    try (var http =
        HttpConnections.of(
            Trial.SHORT,
            InstantSource.system(),
            Map.of(),
            host -> {
              throw new UnknownHostException(host);
            })) {
      var provider = Trial.to(http, URI.create("http://nowhere.example"));
      var broken = Trial.broken(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(broken.sent()).isFalse();
      assertThat(broken.message()).isEqualTo("there is no host nowhere.example");
    }
  }

  @Test
  void a_secure_connection_that_fails_was_never_sent_to() throws Exception {
    try (var server = RawServer.playing(line -> line.say("HTTP/1.1 400 Plain\r\n\r\n"));
        var http = Trial.http()) {
      var provider = Trial.to(http, URI.create("https://127.0.0.1:" + server.port()));
      var broken = Trial.broken(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(broken.sent()).isFalse();
      assertThat(broken.message()).startsWith("the secure connection failed");
    }
  }

  @Test
  void a_connection_that_breaks_once_it_stood_may_have_been_billed() throws Exception {
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.reset();
                });
        var http = Trial.http()) {
      var broken = Trial.broken(Trial.exchange(Trial.to(http, server.uri()), Trial.message("Hi")));

      assertThat(broken.sent()).isTrue();
      assertThat(broken.message()).startsWith("the connection broke: ");
    }
  }

  @Test
  void once_closed_it_sends_nothing_more() throws Exception {
    try (var server = RawServer.saying(WHOLE)) {
      var http = Trial.http();
      var provider = Trial.to(http, server.uri());
      http.close();

      assertThat(Trial.broken(Trial.exchange(provider, Trial.message("Hi"))).sent()).isFalse();
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void what_comes_before_the_reply_is_passed_over() throws Exception {
    var early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: <x>\r\n\r\n";

    assertThat(Trial.answered(heard(early + WHOLE)).usage()).isEqualTo(Usage.of(11, 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"HTTP/1.1 204 None\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"})
  void an_answer_with_nothing_in_it_is_none(String reply) throws Exception {
    var cut = Trial.cutShort(heard(reply));

    assertThat(cut.usage()).isEqualTo(Usage.of(42, 0));
  }

  @Test
  void a_body_without_a_length_ends_with_its_connection() throws Exception {
    var exchange = heard("HTTP/1.0 200 OK\r\n\r\n" + Trial.ANSWER);

    assertThat(new String(Trial.answered(exchange).value().body(), StandardCharsets.UTF_8))
        .isEqualTo(Trial.ANSWER);
  }

  @Test
  void of_a_header_that_comes_twice_both_are_kept_and_the_first_counts() throws Exception {
    var name = "anthropic-ratelimit-requests-";
    var exchange =
        heard(
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
    var body = gzip(Trial.ANSWER);
    var head =
        Trial.OK + "Content-Encoding: " + word + "\r\nContent-Length: " + body.length + "\r\n\r\n";
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(body);

    var exchange = heard(bytes.toByteArray(), Trial.message("Hi"));

    assertThat(new String(Trial.answered(exchange).value().body(), StandardCharsets.UTF_8))
        .isEqualTo(Trial.ANSWER);
    assertThat(exchange.head().orElseThrow().headers())
        .doesNotContainKeys("content-encoding", "content-length");
  }

  @Test
  void an_error_is_judged_by_its_status_when_its_body_cannot_be_unpacked() throws Exception {
    var exchange =
        heard(Trial.reply("HTTP/1.1 429 No\r\nContent-Encoding: gzip\r\n", "not compressed"));

    assertThat(exchange.reply()).isInstanceOf(Reply.Throttled.class);
  }

  @Test
  void an_answer_that_cannot_be_unpacked_is_cut_short_and_billed() throws Exception {
    var exchange = heard(Trial.reply(Trial.OK + "Content-Encoding: gzip\r\n", "not compressed"));

    assertThat(Trial.cutShort(exchange).usage()).isEqualTo(Usage.of(42, 0));
  }

  @Test
  void an_error_is_judged_by_what_came_of_it() throws Exception {
    var exchange =
        heard(
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

    var exchange = heard((head + text).getBytes(StandardCharsets.ISO_8859_1), Trial.chat("Hi"));

    assertThat(Trial.answered(exchange).value().body()).isEqualTo(body);
    assertThat(Trial.answered(exchange).usage()).isEqualTo(Usage.of(3, 4));
  }

  @Test
  void what_is_no_http_at_all_is_a_broken_connection_without_the_key() throws Exception {
    var broken = Trial.broken(heard("x-api-key: " + Trial.SECRET + "\r\n\r\n"));

    assertThat(broken.message()).doesNotContain(Trial.SECRET);
  }

  @Test
  void a_key_that_the_provider_repeats_is_not_in_its_message() throws Exception {
    var exchange =
        heard(
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
    var cut = Trial.cutShort(heard(Trial.reply(Trial.OK + Trial.JSON, failed)));

    assertThat(cut.message()).isEqualTo("It broke");
    assertThat(cut.usage()).isEqualTo(Usage.of(5, 3));
  }

  @Test
  void limits_are_sighted_when_the_headers_come_and_not_when_the_body_ends() throws Exception {
    sightedEarly(STREAM, Trial.chunk(START + STOP) + "0\r\n\r\n");
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
    var body = gzip(Trial.ANSWER);
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
    for (var body : List.of(START + STOP, START + STOP.strip(), START + "data: [DONE]")) {
      var exchange = heard(STREAM + Trial.chunk(body));

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
                  line.say(STREAM + Trial.chunk(START + STOP));
                  line.awaitEnd();
                });
        var http = Trial.http(Timeouts.USUAL)) {
      Trial.answered(Trial.exchange(Trial.to(http, server.uri()), Trial.streamed("Hi")));
    }
  }

  @Test
  void a_stream_whose_last_line_has_no_end_is_whole() throws Exception {
    var body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]";
    var exchange = heard(STREAM + Trial.chunk(body) + "0\r\n\r\n");

    assertThat(Trial.answered(exchange).usage()).isEqualTo(Usage.of(42, 1));
  }

  @Test
  void a_stream_whose_answer_finished_is_whole_without_the_usual_last_words() throws Exception {
    var piece =
        "data:"
            + " {\"choices\":[{\"index\":%d,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":%s}]}\n\n";
    var one = piece.formatted(0, "null") + piece.formatted(1, "null");
    var finished = piece.formatted(0, "\"stop\"");

    Trial.answered(heard(STREAM + Trial.chunk(finished) + "0\r\n\r\n"));
    Trial.cutShort(heard(STREAM + Trial.chunk(one + finished) + "0\r\n\r\n"));
    Trial.cutShort(heard(STREAM + Trial.chunk(finished)));
  }

  @Test
  void an_error_in_a_stream_is_judged_though_the_connection_breaks_after_it() throws Exception {
    var error =
        "data:"
            + " {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow\"}}\n\n";
    var exchange = heard(STREAM + Trial.chunk(START + error));

    assertThat(exchange.reply()).isInstanceOf(Reply.Throttled.class);
  }

  @Test
  void a_stream_that_is_cut_was_billed_for_what_was_heard() throws Exception {
    var text =
        "data: {\"delta\":{\"type\":\"text_delta\",\"text\":\"" + "x".repeat(400) + "\"}}\n\n";
    var cut = Trial.cutShort(heard(STREAM + Trial.chunk(START + text)));

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
                  line.say(STREAM);
                  var piece = Trial.chunk(START + ": wait\n\n".repeat(8_000));
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

  private static HttpConnections through(RawServer proxy, Map<String, String> more) {
    var environment = new java.util.HashMap<>(more);
    environment.put("HTTP_PROXY", proxy.uri().toString());
    environment.put("https_proxy", "127.0.0.1:" + proxy.port());
    return HttpConnections.of(
        Trial.SHORT,
        InstantSource.system(),
        environment,
        host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
  }

  @Test
  void a_proxy_is_asked_for_the_whole_address() throws Exception {
    try (var proxy = RawServer.saying(WHOLE);
        var http = through(proxy, Map.of())) {
      var provider = Trial.to(http, URI.create("http://api.example.com"));
      Trial.answered(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(proxy.requests().getFirst())
          .startsWith("POST http://api.example.com/v1/messages ");
    }
  }

  @Test
  void a_proxy_of_secure_connections_never_sees_the_key() throws Exception {
    try (var proxy = RawServer.saying("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        var http = through(proxy, Map.of())) {
      var provider = Trial.to(http, URI.create("https://api.example.com"));
      var exchange = Trial.exchange(provider, Trial.message("Hi"));

      assertThat(exchange.reply()).isNotInstanceOf(Reply.Answered.class);
      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().getFirst())
          .startsWith("CONNECT api.example.com:443 ")
          .doesNotContain(Trial.SECRET);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, true",
    ".example.com, true",
    "*.example.com, true",
    "Example.COM, true",
    "'other.org, api.example.com', true",
    "api.example.com:80, true",
    "*, true",
    "ample.com, false",
    "api.example.com:81, false",
    "'', false",
    "',', false"
  })
  void some_hosts_are_reached_without_a_proxy(String exceptions, boolean direct) throws Exception {
    try (var proxy = RawServer.saying(WHOLE);
        var http = through(proxy, Map.of("NO_PROXY", exceptions))) {
      assertThat(http.proxyFor(URI.create("http://api.example.com/v1")).isEmpty())
          .isEqualTo(direct);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost", "http://127.0.0.1:9", "http://[::1]:9"})
  void this_machine_is_reached_without_a_proxy(String address) throws Exception {
    try (var proxy = RawServer.saying(WHOLE);
        var http = through(proxy, Map.of())) {
      assertThat(http.proxyFor(URI.create(address))).isEmpty();
    }
  }
}
