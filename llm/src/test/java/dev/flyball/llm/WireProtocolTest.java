package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with which no amount of patience helps, and those with which it does. */
class WireProtocolTest {
  /** What a TLS server says that cannot agree: an alert of level 2. */
  private static byte[] alert(int code) {
    return new byte[] {21, 3, 3, 0, 2, 2, (byte) code};
  }

  private static Reply.Rejected<ProviderAnswer> refused(URI address) throws InterruptedException {
    try (var http = Trial.http()) {
      var rejected = Trial.rejected(Trial.exchange(Trial.to(http, address), Trial.message("Hi")));
      assertThat(rejected.whole()).as("no other call fares better").isTrue();
      Trial.assertNothingLeased(http);
      return rejected;
    }
  }

  private static URI secure(RawServer server) {
    return URI.create("https://127.0.0.1:" + server.port());
  }

  @Test
  void a_certificate_that_nobody_vouches_for_is_final(@TempDir Path folder) throws Exception {
    try (var server = selfSigned(folder)) {
      Thread.startVirtualThread(() -> shakeHands(server));
      var rejected = refused(URI.create("https://127.0.0.1:" + server.getLocalPort()));

      assertThat(rejected.message()).startsWith("the server's certificate is not trusted: ");
      assertThat(rejected.advice()).contains("address", "--ca FILE");
      assertThat(rejected.usage().tokens()).isZero();
    }
  }

  @Test
  void a_server_without_tls_behind_an_address_with_it_is_final() throws Exception {
    try (var server = RawServer.playing(line -> line.say("HTTP/1.1 400 Plain\r\n\r\n"))) {
      var rejected = refused(secure(server));
      assertThat(rejected.message()).startsWith("the secure connection failed: ");
      assertThat(rejected.advice()).contains("https", "port");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 70, 71, 112, 116})
  void a_server_that_cannot_agree_is_final(int code) throws Exception {
    try (var server = RawServer.playing(line -> line.say(alert(code)))) {
      assertThat(refused(secure(server)).message()).startsWith("the secure connection failed: ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 80})
  void an_alert_about_one_connection_is_a_broken_one(int code) throws Exception {
    try (var server = RawServer.playing(line -> line.say(alert(code)));
        var http = Trial.http()) {
      Trial.broken(Trial.exchange(Trial.to(http, secure(server)), Trial.message("Hi")));
    }
  }

  @Test
  void a_handshake_that_is_cut_off_is_a_broken_connection() throws Exception {
    try (var server = RawServer.playing(line -> {});
        var http = Trial.http()) {
      var broken =
          Trial.broken(Trial.exchange(Trial.to(http, secure(server)), Trial.message("Hi")));
      assertThat(broken.sent()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "* OK IMAP4rev1 ready\r\n\r\n",
        "HTTP/7.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n",
      })
  void a_server_that_speaks_something_else_is_final(String said) throws Exception {
    try (var server =
        RawServer.playing(
            line -> {
              line.hear();
              line.say(said);
            })) {
      var rejected = refused(server.uri());
      assertThat(rejected.message()).startsWith("the server there does not speak HTTP: ");
      assertThat(rejected.advice()).contains("address");
    }
  }

  @Test
  void whoever_has_spoken_http_before_may_do_so_again() throws Exception {
    var first = new AtomicBoolean(true);
    var answer = Trial.reply(Trial.OK + Trial.JSON + "Connection: close\r\n", Trial.ANSWER);
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(first.getAndSet(false) ? answer : "HTTP/1.1 2");
                });
        var http = Trial.http()) {
      var provider = Trial.to(http, server.uri());
      Trial.answered(Trial.exchange(provider, Trial.message("Hi")));
      assertThat(Trial.broken(Trial.exchange(provider, Trial.message("Hi"))).sent()).isTrue();
    }
  }

  @Test
  void a_reply_that_never_came_is_a_broken_connection() throws Exception {
    assertThat(Trial.broken(Trial.heard("")).sent()).isTrue();
  }

  private static void shakeHands(SSLServerSocket server) {
    try (var client = server.accept()) {
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // The client hangs up, as it should.
      return;
    }
  }

  private static SSLServerSocket selfSigned(Path folder) throws Exception {
    var store = folder.resolve("keys.p12");
    var password = "only for this test";
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made =
        new ProcessBuilder(
                List.of(
                    keytool,
                    "-genkeypair",
                    "-alias",
                    "test",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    password))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(made.waitFor()).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password.toCharArray());
    var tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    return (SSLServerSocket)
        tls.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
