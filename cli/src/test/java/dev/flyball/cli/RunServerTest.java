package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RunServerTest {
  @Test
  void it_says_how_to_point_a_client_at_it_and_answers(@TempDir Path folder) throws Exception {
    var pipe = new PipedWriter();
    var screen = new BufferedReader(new PipedReader(pipe));
    var err = new StringWriter();
    var exit = new CompletableFuture<Integer>();
    var command =
        Thread.ofPlatform()
            .start(
                () ->
                    exit.complete(
                        Main.run(
                            Map.of("HOME", folder.toString()),
                            folder,
                            new PrintWriter(pipe, true),
                            new PrintWriter(err),
                            "serve",
                            "--provider=simulated",
                            "--port=0")));
    var first = screen.readLine();
    assertThat(first).as(err.toString()).matches("listening on http://127\\.0\\.0\\.1:\\d+");
    var root = first.substring("listening on ".length());
    assertThat(screen.readLine().strip()).isEqualTo("ANTHROPIC_BASE_URL=" + root);
    assertThat(screen.readLine().strip()).isEqualTo("OPENAI_BASE_URL=" + root + "/v1");
    assertThat(screen.readLine()).startsWith("try: curl " + root);
    var dashboard = screen.readLine();
    assertThat(dashboard).startsWith("dashboard: " + root + "/#token=");
    var token = dashboard.substring(dashboard.indexOf('=') + 1);
    try (var client = HttpClient.newHttpClient()) {
      var body = "{\"model\":\"gpt-5.4\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
      var reply =
          client.send(
              HttpRequest.newBuilder(URI.create(root + "/v1/chat/completions"))
                  .header("content-type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      var metrics =
          client.send(
              HttpRequest.newBuilder(URI.create(root + "/metrics"))
                  .header("authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(metrics.body())
          .contains(
              "flyball_calls_total{tenant=\"anybody\",ending=\"answered\"} 1",
              "flyball_tasks_limit 10",
              "flyball_tasks_shed_total{reason=\"AT_CAPACITY\"} 0");
    }
    command.interrupt();
    assertThat(exit.join()).isZero();
  }

  @Test
  void where_others_reach_it_the_example_has_a_key(@TempDir Path folder) throws Exception {
    var environment = Map.of("HOME", folder.toString());
    var nobody = new PrintWriter(Writer.nullWriter());
    assertThat(Main.run(environment, folder, nobody, nobody, "keys", "add", "alice")).isZero();
    var pipe = new PipedWriter();
    var screen = new BufferedReader(new PipedReader(pipe));
    var exit = new CompletableFuture<Integer>();
    var command =
        Thread.ofPlatform()
            .start(
                () ->
                    exit.complete(
                        Main.run(
                            environment,
                            folder,
                            new PrintWriter(pipe, true),
                            nobody,
                            "serve",
                            "--provider=simulated",
                            "--host=0.0.0.0",
                            "--port=0")));
    for (var line = screen.readLine(); ; line = screen.readLine()) {
      if (line.startsWith("try: ")) {
        assertThat(line).contains(" -H 'authorization: Bearer flyball_...' ");
        break;
      }
    }
    command.interrupt();
    assertThat(exit.join()).isZero();
  }

  @Test
  void what_cannot_be_is_refused_with_the_way_out(@TempDir Path folder) throws Exception {
    var desk = new CommandDesk(folder);
    Files.createDirectories(folder);
    assertThat(desk.flyball("serve", "--port", "70000").err()).contains("from 0 to 65535");
    assertThat(
            desk.flyball("serve", "--provider", "simulated", "--host", "0.0.0.0", "--port", "0")
                .err())
        .contains("--host", "others can reach");
    assertThat(desk.flyball("serve", "--port", "0").err()).contains("no key");
    Files.writeString(folder.resolve("rules.yaml"), "max-wait: 1m\nmax-wiat: 2m\n");
    assertThat(
            desk.flyball("serve", "--provider", "simulated", "--port", "0", "--rules", "rules.yaml")
                .err())
        .contains("rules.yaml line 2", "max-wiat");
  }
}
