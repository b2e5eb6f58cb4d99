package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and connections to servers that do what no simulator does. */
class WireTest {
  private static final String WHOLE = Trial.reply(Trial.OK + Trial.JSON, Trial.ANSWER);

  @Test
  void a_request_carries_what_it_needs_and_nothing_else() throws Exception {
    try (var server = RawServer.saying(WHOLE);
        var http = Trial.http()) {
      var request =
          new ProviderRequest(
              Dialect.ANTHROPIC,
              "/v1/messages",
              "{\"é\":1}".getBytes(StandardCharsets.UTF_8),
              Map.of("x-client-request-id", "7"),
              1);
      Trial.exchange(Trial.to(http, server.uri()), request);

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
      assertThat(parts[1].getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(request.body());
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
      var request = new ProviderRequest(Dialect.OPENAI, "/v1/chat completions", new byte[0]);
      var rejected = Trial.rejected(Trial.exchange(Trial.to(http, server.uri()), request));

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

    assertThat(Trial.heard(reply).head().orElseThrow().status()).isEqualTo(status);
  }

  @Test
  void a_connection_is_used_again_after_answers_and_after_errors() throws Exception {
    var replies =
        List.of(
            WHOLE,
            Trial.reply("HTTP/1.1 529 Busy\r\n", "{\"error\":{\"type\":\"overloaded_error\"}}"),
            Trial.STREAM + Trial.chunk(Trial.START + Trial.STOP) + "0\r\n\r\n",
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
    var body = Trial.gzip(Trial.ANSWER);
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
  void a_host_that_is_not_there_is_final_and_cost_nothing() throws Exception {
    try (var http =
        HttpConnections.of(
            Trial.SHORT,
            InstantSource.system(),
            Map.of(),
            host -> {
              throw new UnknownHostException(host);
            })) {
      var provider = Trial.to(http, URI.create("http://nowhere.example"));
      var rejected =
          (Reply.Rejected<ProviderAnswer>) Trial.exchange(provider, Trial.message("Hi")).reply();

      assertThat(rejected.whole()).isTrue();
      assertThat(rejected.usage()).isEqualTo(Usage.NONE);
      assertThat(rejected.message()).isEqualTo("there is no host nowhere.example");
      assertThat(rejected.advice()).contains("check the address");
    }
  }

  @Test
  void a_name_server_that_does_not_answer_may_do_so_later() throws Exception {
    try (var http =
        HttpConnections.of(
            Trial.SHORT,
            InstantSource.system(),
            Map.of(),
            host -> {
              throw new UnknownHostException(host + ": Temporary failure in name resolution");
            })) {
      var provider = Trial.to(http, URI.create("http://somewhere.example"));
      var broken = Trial.broken(Trial.exchange(provider, Trial.message("Hi")));

      assertThat(broken.sent()).isFalse();
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
  @ValueSource(
      strings = {
        "http://localhost",
        "http://127.0.0.1:9",
        "http://[::1]:9",
        "http://[0:0:0:0:0:0:0:1]",
        "http://[::ffff:127.0.0.1]"
      })
  void this_machine_is_reached_without_a_proxy(String address) throws Exception {
    try (var proxy = RawServer.saying(WHOLE);
        var http = through(proxy, Map.of())) {
      assertThat(http.proxyFor(URI.create(address))).isEmpty();
    }
  }
}
