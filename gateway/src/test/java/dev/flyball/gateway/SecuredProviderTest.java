package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static dev.flyball.gateway.RunningGateway.STREAMED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.llm.TrustedAuthorities;
import dev.flyball.run.BadSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers behind TLS, whose authority is not among those that Java knows. */
@Timeout(60)
final class SecuredProviderTest {
  private static final String PASSWORD = "only for this test";
  private static final String OUTSIDE = "provider.example.com";
  private static final String ANSWER =
      "{\"id\":\"x\",\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}";

  @TempDir private static Path keys;
  private final Vertx vertx = Vertx.vertx();
  private final ConcurrentLinkedQueue<HttpVersion> asked = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void make() throws Exception {
    keytool("-genkeypair", "-alias", "ca", "-dname", "CN=Our authority", "-ext", "bc:c");
    keytool("-exportcert", "-alias", "ca", "-rfc", "-file", file("ca.pem"));
    keytool("-genkeypair", "-alias", "server", "-dname", "CN=server");
    keytool("-certreq", "-alias", "server", "-file", file("server.csr"));
    keytool(
        "-gencert",
        "-alias",
        "ca",
        "-ext",
        "san=ip:127.0.0.1,dns:localhost,dns:" + OUTSIDE,
        "-startdate",
        "-1d",
        "-infile",
        file("server.csr"),
        "-outfile",
        file("server.crt"));
    keytool("-importcert", "-noprompt", "-alias", "server", "-file", file("server.crt"));
  }

  private static String file(String name) {
    return keys.resolve(name).toString();
  }

  private static void keytool(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words));
    command.addAll(List.of("-keystore", file("keys.p12"), "-storepass", PASSWORD));
    if (List.of(words).contains("-genkeypair")) {
      command.addAll(List.of("-keyalg", "EC"));
    }
    var tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tool.waitFor()).as(said).isZero();
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private String provider(boolean second) {
    var options =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(0)
            .setSsl(true)
            .setUseAlpn(second)
            .setKeyCertOptions(
                new PfxOptions()
                    .setPath(file("keys.p12"))
                    .setPassword(PASSWORD)
                    .setAlias("server"));
    var server = vertx.createHttpServer(options).requestHandler(this::answer).listen();
    return "https://127.0.0.1:"
        + server.toCompletionStage().toCompletableFuture().join().actualPort();
  }

  private void answer(HttpServerRequest request) {
    asked.add(request.version());
    request
        .body()
        .onSuccess(
            body -> {
              var response = request.response();
              if (body.toString().contains("\"stream\":true")) {
                response.putHeader("content-type", "text/event-stream");
                response.write("data: {\"choices\":[]}\n\n");
                response.end("data: [DONE]\n\n");
              } else {
                response.putHeader("content-type", "application/json").end(ANSWER);
              }
            });
  }

  @Test
  void a_provider_is_asked_by_http_2_and_many_requests_share_its_connection() throws Exception {
    try (var running =
        RunningGateway.before(provider(true), TrustedAuthorities.andOf(keys.resolve("ca.pem")))) {
      var all = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < 60; i++) {
        all.add(
            running
                .later(i % 2 == 0 ? CHAT : STREAMED)
                .thenApply(
                    reply -> {
                      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
                      assertThat(reply.body()).containsAnyOf("completion_tokens", "[DONE]");
                      return reply.statusCode();
                    }));
      }
      assertThat(all).allSatisfy(each -> assertThat(each.join()).isEqualTo(200));
    }
    assertThat(asked).hasSize(60).containsOnly(HttpVersion.HTTP_2);
  }

  @Test
  void one_that_knows_nothing_newer_is_asked_by_http_1() throws Exception {
    try (var running =
        RunningGateway.before(provider(false), TrustedAuthorities.andOf(keys.resolve("ca.pem")))) {
      var reply = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }
    assertThat(asked).containsOnly(HttpVersion.HTTP_1_1);
  }

  @Test
  void one_beyond_a_proxy_is_asked_through_it_and_the_proxy_sees_no_key() throws Exception {
    var there = URI.create(provider(true));
    try (var proxy = new ConnectProxy(there.getPort())) {
      var environment = Map.of("HTTPS_PROXY", "http://me:secret%20word@" + proxy.address());
      try (var running = outside(environment)) {
        for (var body : List.of(CHAT, STREAMED)) {
          var reply = running.send(running.post("/v1/chat/completions", body));
          assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
          assertThat(reply.body()).containsAnyOf("completion_tokens", "[DONE]");
        }
      }
      assertThat(asked).containsOnly(HttpVersion.HTTP_2);
      assertThat(proxy.asked())
          .isNotEmpty()
          .allSatisfy(
              head ->
                  assertThat(head)
                      .startsWith("CONNECT " + OUTSIDE + ":443 ")
                      .containsIgnoringCase("proxy-authorization: Basic bWU6c2VjcmV0IHdvcmQ=")
                      .doesNotContain("sk-of-the-operator"));
    }
  }

  @Test
  void hosts_that_are_excepted_are_not_asked_through_it() throws Exception {
    var there = URI.create(provider(true));
    try (var proxy = new ConnectProxy(there.getPort())) {
      var environment = Map.of("https_proxy", proxy.address(), "NO_PROXY", "example.com");
      try (var running = outside(environment)) {
        var reply =
            running.send(
                running.post("/v1/chat/completions", CHAT).header("x-flyball-max-wait", "2s"));
        assertThat(reply.statusCode()).as(reply.body()).isIn(502, 503, 429);
      }
      var loopback = Map.of("https_proxy", proxy.address());
      try (var running =
          RunningGateway.before(
              there.toString(), TrustedAuthorities.andOf(keys.resolve("ca.pem")), loopback)) {
        var reply = running.send(running.post("/v1/chat/completions", CHAT));
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      }
      assertThat(proxy.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"not an address", "http://", "socks5://127.0.0.1:1", "http://a:b@:1"})
  void a_proxy_that_cannot_be_is_refused_at_the_start(String address) {
    assertThatThrownBy(() -> outside(Map.of("HTTPS_PROXY", address)).close())
        .isInstanceOf(BadSettings.class)
        .hasMessageStartingWith("HTTPS_PROXY: ")
        .hasMessageNotContaining("a:b");
  }

  private static RunningGateway outside(Map<String, String> environment) throws IOException {
    return RunningGateway.before(
        "https://" + OUTSIDE, TrustedAuthorities.andOf(keys.resolve("ca.pem")), environment);
  }

  @Test
  void one_that_nobody_vouches_for_is_never_sent_a_request() throws Exception {
    try (var running = RunningGateway.before(provider(true), TrustedAuthorities.USUAL)) {
      var reply =
          running.send(
              running.post("/v1/chat/completions", CHAT).header("x-flyball-max-wait", "5s"));
      assertThat(reply.statusCode()).as(reply.body()).isIn(502, 503, 429);
      assertThat(reply.body()).doesNotContain("Exception");
    }
    assertThat(asked).isEmpty();
  }
}
