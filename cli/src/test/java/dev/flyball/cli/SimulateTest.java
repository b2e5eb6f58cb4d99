package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Profiles;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SimulateTest {
  @Test
  void it_listens_answers_and_says_what_it_saw() throws Exception {
    PipedWriter pipe = new PipedWriter();
    BufferedReader screen = new BufferedReader(new PipedReader(pipe));
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread command =
        Thread.ofPlatform()
            .start(
                () ->
                    exit.complete(
                        Main.run(
                            new PrintWriter(pipe, true),
                            new PrintWriter(new StringWriter()),
                            "simulate",
                            "--port=0",
                            "--latency=0",
                            "--limit=requests=10/day",
                            "--burst=requests=1")));

    String first = screen.readLine();
    assertThat(first).matches("listening on http://127\\.0\\.0\\.1:\\d+");
    URI uri = URI.create(first.substring("listening on ".length()) + "/v1/messages");
    assertThat(screen.readLine()).startsWith("try: curl ");
    assertThat(screen.readLine()).startsWith("profile anthropic-tier1");
    assertThat(ask(uri)).isEqualTo(200);
    assertThat(ask(uri)).isEqualTo(429);
    command.interrupt();

    assertThat(exit.join()).isZero();
    pipe.close();
    assertThat(screen.lines().toList())
        .last()
        .isEqualTo(
            "2 requests, 1 answered, 0 in flight, 1 rate-limited (429) (requests 1), 4 tokens in, 1"
                + " out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic-tier1", "openai-tier1", "azure", "groq", "headerless"})
  void what_it_says_to_try_is_answered(String profile) throws Exception {
    var pipe = new PipedWriter();
    var screen = new BufferedReader(new PipedReader(pipe, 1 << 16));
    var out = new PrintWriter(pipe, true);
    var command =
        Thread.ofPlatform()
            .start(() -> Main.run(out, out, "simulate", "--port", "0", "--profile", profile));
    screen.readLine();
    var words = screen.readLine();
    var request = HttpRequest.newBuilder(URI.create(words.split(" ", -1)[2]));
    var headers = Pattern.compile("-H '([^:]+): ([^']+)'").matcher(words);
    while (headers.find()) {
      request.header(headers.group(1), headers.group(2));
    }
    var body = words.replaceFirst(".* -d '(.*)'$", "$1");
    try (var client = HttpClient.newHttpClient()) {
      var reply =
          client.send(
              request.POST(HttpRequest.BodyPublishers.ofString(body)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
      var front = HttpRequest.newBuilder(reply.uri().resolve("/")).build();
      assertThat(client.send(front, HttpResponse.BodyHandlers.ofString()).body())
          .contains("simulated", "/__sim/stats");
    }
    command.interrupt();
    command.join();
  }

  private static int ask(URI uri) throws Exception {
    String body =
        """
        {"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}
        """;
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(uri)
                  .header("x-api-key", "key")
                  .header("anthropic-version", "2023-06-01")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--profile=small     | --profile: a profile is one of anthropic-start,",
        "--limit=requests=10 | --limit: a limit has a period, as in requests=600/min, not 10",
        "--limit=calls=9/min | --limit: a limit is on one of requests, input, output, tokens,",
        "--limit=tokens=0/h  | --limit: a limit is at least 1, not 0",
        "--burst=requests    | --burst: a burst is written requests=10, not requests",
        "--latency=fast      | --latency: a time is written 200ms, 1.5s, 2m or 1h, not fast",
        "--headers=some      | --headers: headers are one of full, limits, retry-after, none,",
        "--fault=boom        | --fault: a fault is a status (400 to 599), daily,",
        "--answers=nowhere   | --answers: answers are echo, lorem, review or a file that can be"
            + " read,",
        "--change=soon       | --change: a change is written 30s:requests=300/min, not soon",
        "--change=1s:in-flight=9 | --change: a change is of something that is limited,",
        "--foreign=1.4       | --foreign: a share is from 0 to 1, not 1.4",
        "--speed=0           | --speed: a speed is from 1 to 200, not 0",
        "--speed=201         | --speed: a speed is from 1 to 200, not 201",
        "--ledger=-1         | --ledger: a number of lines is 0 or more, not -1",
        "--spend-cap=-1      | --spend-cap: a spend cap is from 0 to 1000000000, not -1.0",
        "--acceleration=0    | --acceleration: acceleration is watched from 1 token a minute on,",
        "--wrong             | unknown option --wrong",
        "--port=70000        | --port: must be from 0 to 65535, not 70000",
        "--port=http         | --port: "
      })
  void a_wrong_value_is_refused_with_the_rule_and_the_value(String option, String rule) {
    StringWriter err = new StringWriter();

    int exit =
        Main.run(
            new PrintWriter(new StringWriter()), new PrintWriter(err, true), "simulate", option);

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).startsWith("flyball simulate: " + rule);
  }

  @Test
  void its_help_names_every_profile() {
    StringWriter out = new StringWriter();

    Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "simulate", "--help");

    assertThat(out.toString().replaceAll("\\s+", " ")).contains(Profiles.names());
  }
}
