package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static dev.flyball.gateway.RunningGateway.STREAMED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.llm.TrustedAuthorities;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Providers behind TLS, whose authority is not among those that Java knows. */
@Timeout(60)
final class SecuredProviderTest {
  private static final String PASSWORD = "only for this test";
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
        "san=ip:127.0.0.1,dns:localhost",
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
