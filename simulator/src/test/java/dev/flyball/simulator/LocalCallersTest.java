package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is served, and who is not. */
final class LocalCallersTest {
  private static final String SECRET = "sk-ant-REALKEY-0123456789";
  private static final String WORDS = "the prompt that nobody else may see";

  private Simulator simulator;
  private Http http;

  @BeforeEach
  void start() throws IOException {
    simulator = Simulator.start(Settings.of("anthropic-tier1").latency(Latency.NONE), 0);
    http = new Http(simulator);
  }

  @AfterEach
  void end() {
    simulator.close();
  }

  private String raw(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), simulator.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private String get(String target, String headers) throws IOException {
    return raw("GET " + target + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8089", "[::1]", "[::1]:1"})
  void a_name_of_loopback_is_served(String host) throws IOException {
    assertThat(get("/__sim/stats", "Host: " + host + "\r\n")).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 127.0.0.1.evil.example:80\r\n",
        "Host: evil.example#localhost\r\n",
        "Host: localhost@evil.example\r\n",
        "Host: 0.0.0.0\r\n",
        "Host: \r\n",
        "",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: localhost\r\nOrigin: http://evil.example\r\n",
        "Host: localhost\r\nOrigin: null\r\n",
        "Host: localhost\r\nOrigin: http://localhost\r\n",
        "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n",
        "Host: localhost\r\nSec-Fetch-Site: same-site\r\n"
      })
  void any_other_name_and_any_page_is_refused_on_every_path(String headers) throws IOException {
    for (var path : new String[] {"/__sim/stats", "/__sim/config", "/v1/models", "/"}) {
      assertThat(get(path, headers)).doesNotContain(" 200 ").containsPattern(" 40[03] ");
    }
    assertThat(simulator.stats().requests() + simulator.stats().invalid()).isZero();
  }

  @Test
  void an_address_in_the_first_line_counts_as_a_name() throws IOException {
    assertThat(get("http://evil.example/__sim/stats", "Host: localhost\r\n")).contains(" 403 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
  void an_order_that_a_form_could_send_is_refused(String type) throws Exception {
    for (var order : new String[] {"reset", "config"}) {
      var reply =
          raw(
              ("POST /__sim/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"
                      + "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
                  .formatted(order, type));
      assertThat(reply).contains(" 415 ").contains("application/json");
    }
  }

  @Test
  void no_file_is_opened_on_request(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("a.jsonl"), "{\"id\":\"a\",\"answer\":\"CANARY\"}");
    for (var path : new String[] {file.toString(), "/etc/passwd", "/nowhere", "file://" + file}) {
      var reply = http.send("PUT", "/__sim/config", "{\"answers\":\"%s\"}".formatted(path));

      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.text())
          .contains("a file is named on the command line")
          .doesNotContain("CANARY", "root", path);
    }
    assertThat(http.send("PUT", "/__sim/config", "{\"answers\":\"lorem\"}").status())
        .isEqualTo(200);
  }

  @Test
  void an_order_is_of_bounded_size() throws Exception {
    assertThat(http.send("PUT", "/__sim/config", " ".repeat(2 << 20)).status()).isEqualTo(413);
  }

  @Test
  void what_was_admitted_shows_neither_key_nor_prompt() throws Exception {
    var prompt = Http.prompt("claude-sonnet-4-5", 9, WORDS);
    var reply =
        http.send(
            "POST",
            "/v1/messages",
            prompt,
            "x-api-key",
            SECRET,
            "anthropic-version",
            "2023-06-01",
            "x-client-request-id",
            "call-1");
    assertThat(reply.status()).isEqualTo(200);

    assertThat(http.ledger()).anyMatch(line -> line.path("id").asText().equals("call-1"));
    for (var page : new String[] {"stats", "state", "clock", "ledger", "config"}) {
      assertThat(http.send("GET", "/__sim/" + page, "").text())
          .doesNotContain(SECRET, "REALKEY", WORDS, "nobody else");
    }
  }

  @Test
  void control_characters_do_not_come_back() throws Exception {
    var wrong = "{\"headers\":\"\\u001b[2J\\u009b\\u007f\\u202e\\u0000\",\"\\u001b]0;x\\u0007\":1}";

    var replies =
        new String[] {
          http.send("PUT", "/__sim/config", wrong).text(),
          get("/__sim/\u001b[2J\u009b", "Host: localhost\r\n").replaceAll("\r\n", ""),
          get("/__sim/%1b%5b2J", "Host: localhost\r\n").replaceAll("\r\n", "")
        };

    for (var reply : replies) {
      assertThat(reply).doesNotContainPattern("[^ -~]");
    }
  }
}
