package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of the JDK's behind TLS whose authority nobody but its owner knows. */
class TrustedAuthoritiesTest {
  private static final String PASSWORD = "only for this test";
  private static final String OUTSIDE = "api.example.com";

  @TempDir static Path folder;

  /** An authority, a server's certificate by it, and one that ended yesterday. */
  @BeforeAll
  static void make() throws Exception {
    keytool("-genkeypair", "-alias", "ca", "-dname", "CN=Our authority", "-ext", "bc:c");
    keytool("-exportcert", "-alias", "ca", "-rfc", "-file", file("ca.pem"));
    sign("server", "san=ip:127.0.0.1,dns:" + OUTSIDE, "-startdate", "-1d");
    sign("elsewhere", "san=dns:elsewhere.example", "-startdate", "-1d");
    sign("old", "san=ip:127.0.0.1", "-startdate", "-10d", "-validity", "1");
  }

  private static void sign(String name, String host, String... more) throws Exception {
    keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name);
    keytool("-certreq", "-alias", name, "-file", file(name + ".csr"));
    var words = new ArrayList<>(List.of("-gencert", "-alias", "ca", "-ext", host));
    words.addAll(List.of("-infile", file(name + ".csr"), "-outfile", file(name + ".crt")));
    words.addAll(List.of(more));
    keytool(words.toArray(String[]::new));
    keytool("-importcert", "-noprompt", "-alias", name, "-file", file(name + ".crt"));
  }

  private static String file(String name) {
    return folder.resolve(name).toString();
  }

  private static void keytool(String... words) throws Exception {
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

  private static HttpsServer server(String certificate) throws Exception {
    var all = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
      all.load(in, PASSWORD.toCharArray());
    }
    var one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setKeyEntry(
        "server",
        all.getKey(certificate, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        all.getCertificateChain(certificate));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(one, PASSWORD.toCharArray());
    var tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            exchange.getResponseHeaders().add("content-type", "application/json");
            var answer = Trial.ANSWER.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    server.start();
    return server;
  }

  private static HttpConnections http(Map<String, String> environment, TrustedAuthorities trusted) {
    return HttpConnections.of(Trial.SHORT, InstantSource.system(), environment, trusted);
  }

  private static Exchange ask(String certificate, TrustedAuthorities trusted) throws Exception {
    var server = server(certificate);
    try (var http = http(Map.of(), trusted)) {
      var address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
      return Trial.exchange(Trial.to(http, address), Trial.message("Hi"));
    } finally {
      server.stop(0);
    }
  }

  private static TrustedAuthorities ours() throws IOException {
    return TrustedAuthorities.andOf(folder.resolve("ca.pem"));
  }

  @Test
  void a_server_of_an_authority_in_the_file_is_believed() throws Exception {
    var server = server("server");
    var address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    try {
      // Often enough for tickets of TLS 1.3 to be there before a request is.
      for (int i = 0; i < 20; i++) {
        try (var http = http(Map.of(), ours())) {
          var provider = Trial.to(http, address);
          for (int call = 0; call < 3; call++) {
            var answered = Trial.answered(Trial.exchange(provider, Trial.message("Hi")));
            assertThat(answered.usage().output()).isEqualTo(7);
          }
        }
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void without_the_file_it_is_refused_and_the_way_out_is_said() throws Exception {
    var rejected = Trial.rejected(ask("server", TrustedAuthorities.USUAL));
    assertThat(rejected.whole()).isTrue();
    assertThat(rejected.advice()).contains("--ca FILE");
  }

  @Test
  void the_file_vouches_for_no_other_name_and_for_nothing_that_has_ended() throws Exception {
    for (var wrong : List.of("elsewhere", "old")) {
      var rejected = Trial.rejected(ask(wrong, ours()));
      assertThat(rejected.message()).startsWith("the server's certificate is not trusted: ");
    }
  }

  @Test
  void through_a_proxy_the_certificate_is_still_the_servers() throws Exception {
    var server = server("server");
    var asked = new CopyOnWriteArrayList<String>();
    try (var proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> tunnel(proxy, server.getAddress().getPort(), asked));
      var environment = Map.of("HTTPS_PROXY", "http://127.0.0.1:" + proxy.getLocalPort());
      try (var http = http(environment, ours())) {
        var there = Trial.to(http, URI.create("https://" + OUTSIDE));
        Trial.answered(Trial.exchange(there, Trial.message("Hi")));
        var other = Trial.to(http, URI.create("https://other.example.com"));
        Trial.rejected(Trial.exchange(other, Trial.message("Hi")));
      }
    } finally {
      server.stop(0);
    }
    assertThat(asked).hasSize(2).first().asString().startsWith("CONNECT " + OUTSIDE + ":443 ");
    assertThat(asked).noneMatch(head -> head.contains(Trial.SECRET));
  }

  /** Connects whoever asks with one server, whatever host they name. */
  private static void tunnel(ServerSocket proxy, int port, List<String> asked) {
    while (!proxy.isClosed()) {
      try {
        var client = proxy.accept();
        Thread.startVirtualThread(() -> connect(client, port, asked));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void connect(Socket client, int port, List<String> asked) {
    try (client;
        var server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) client.getInputStream().read());
      }
      asked.add(head.toString());
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.startVirtualThread(() -> pass(server, client));
      pass(client, server);
    } catch (IOException gone) {
      // One of the two hung up, as both do at the end.
      return;
    }
  }

  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException gone) {
      // One of the two hung up, as both do at the end.
      return;
    }
  }

  @Test
  void a_file_that_is_no_certificate_is_refused_by_its_name() throws IOException {
    var empty = Files.writeString(folder.resolve("empty.pem"), "");
    var text = Files.writeString(folder.resolve("text.pem"), "hello");
    assertThatThrownBy(() -> TrustedAuthorities.andOf(empty)).hasMessageContaining("empty.pem has");
    assertThatThrownBy(() -> TrustedAuthorities.andOf(text)).hasMessageContaining("text.pem");
    assertThatThrownBy(() -> TrustedAuthorities.andOf(folder.resolve("none.pem")))
        .hasMessageStartingWith("there is no file ");
  }
}
