package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A web page, and a name that leads to this machine, against {@code flyball simulate}. */
final class SimulatorAttackTest {
  private Thread command;
  private int port;

  @BeforeEach
  void start() throws IOException {
    var pipe = new PipedWriter();
    var screen = new BufferedReader(new PipedReader(pipe));
    command =
        Thread.ofPlatform()
            .start(
                () ->
                    Main.run(
                        new PrintWriter(pipe, true),
                        new PrintWriter(new StringWriter()),
                        "simulate",
                        "--port=0",
                        "--latency=0"));
    port = URI.create(screen.readLine().substring("listening on ".length())).getPort();
  }

  @AfterEach
  void end() throws InterruptedException {
    command.interrupt();
    command.join();
  }

  private String ask(String order, String headers, String body) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var request =
          "%s HTTP/1.1\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(order, headers, body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_name_that_was_bent_to_this_machine_sees_and_changes_nothing() throws IOException {
    var host = "Host: evil.example\r\nContent-Type: application/json\r\n";

    assertThat(ask("GET /__sim/ledger", host, "")).contains(" 403 ").contains("localhost");
    assertThat(ask("PUT /__sim/config", host, "{\"fault\":\"529\"}")).contains(" 403 ");
    assertThat(ask("GET /__sim/config", "Host: localhost\r\n", "")).contains("\"faults\":[]");
  }

  @Test
  void a_page_that_posts_blindly_resets_nothing() throws IOException {
    var page = "Host: 127.0.0.1:" + port + "\r\nOrigin: https://evil.example\r\n";

    assertThat(ask("POST /__sim/reset", page, "")).contains(" 403 ");
    assertThat(ask("POST /__sim/reset", "Host: localhost\r\n", "")).contains(" 415 ");
    assertThat(ask("POST /v1/messages", page, "{}")).contains(" 403 ");
  }

  @Test
  void a_file_of_this_machine_is_not_opened() throws IOException {
    var json = "Host: localhost\r\nContent-Type: application/json\r\n";

    assertThat(ask("PUT /__sim/config", json, "{\"answers\":\"/etc/passwd\"}"))
        .contains(" 400 ")
        .doesNotContain("root");
  }
}
