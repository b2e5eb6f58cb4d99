package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Processes that share limits, as people meet them; {@code bench/run fleet} is the long form. */
@Timeout(300)
class FleetCommandTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws IOException {
    desk = new CommandDesk(folder);
    // A socket's path must be short, and that of the build may be long.
    desk.environment.put("XDG_STATE_HOME", Files.createTempDirectory("fb").toString());
    desk.provider(
        CommandDesk.quick()
            .latency(Latency.parse("50ms"))
            .limit("requests=2400/min")
            .burst("requests=40"));
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private String[] batch(String name, String fleet) {
    return new String[] {
      "batch",
      desk.file(name + ".jsonl").toString(),
      "-o",
      desk.file(name + ".out.jsonl").toString(),
      "--base-url",
      desk.simulator().uri().toString(),
      "--no-history",
      "--fleet",
      fleet
    };
  }

  private void questions(String name, int count) throws IOException {
    desk.write(
        name + ".jsonl",
        IntStream.range(0, count)
            .mapToObj(i -> CommandDesk.openAi(name + i, "m", "say " + name + i))
            .toArray(String[]::new));
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static RedisServer redis(int port) throws IOException {
    var server =
        RedisServer.newRedisServer()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .build();
    server.start();
    return server;
  }

  private List<String> sharing(String fleet) throws IOException {
    var view = CommandDesk.JSON.readTree(desk.flyball("fleet", "--fleet", fleet, "--json").out());
    return StreamSupport.stream(view.path("replicas").spliterator(), false)
        .map(each -> each.path("name").asText())
        .toList();
  }

  private Optional<Long> keeper() throws IOException {
    JsonNode view = CommandDesk.JSON.readTree(desk.flyball("fleet", "--json").out());
    var name = view.path("keeper").asText();
    return name.isEmpty() ? Optional.empty() : Optional.of(Long.parseLong(name.split(" ", 2)[1]));
  }

  private Process started(String name) throws IOException {
    return desk.process(batch(name, "machine")).start();
  }

  @Test
  void the_keeper_is_killed_and_the_other_goes_on_and_each_line_is_answered_once()
      throws Exception {
    questions("first", 400);
    questions("second", 240);
    var first = started("first");
    while (keeper().filter(pid -> pid == first.pid()).isEmpty()) {
      assertThat(first.isAlive()).as("it keeps before it ends").isTrue();
    }
    var second = started("second");
    while (sharing("machine").size() < 2) {
      assertThat(first.isAlive()).as("they share before it ends").isTrue();
    }
    first.destroyForcibly().waitFor();
    while (keeper().filter(pid -> pid == second.pid()).isEmpty()) {
      assertThat(second.isAlive()).as("the other keeps").isTrue();
    }
    var again = started("first");
    var all = new HashSet<String>();
    for (var process : List.of(second, again)) {
      assertThat(process.waitFor(120_000, MILLISECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
    for (var name : List.of("first", "second")) {
      for (var line : desk.lines(name + ".out.jsonl")) {
        assertThat(all.add(line.path("custom_id").asText())).as("once").isTrue();
      }
    }
    assertThat(all).hasSize(640);
  }

  @Test
  void a_redis_that_is_not_there_ends_it_with_one_line_before_anything_is_sent() throws Exception {
    questions("a", 2);
    var screen = desk.flyball(batch("a", "redis://:secret-of-mine@127.0.0.1:" + freePort()));
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains("--fleet: the Redis at redis://127.0.0.1:", "cannot be reached")
        .doesNotContain("secret-of-mine");
    assertThat(desk.asked()).isEmpty();
  }

  @Test
  void one_that_was_there_before_is_done_without_by_what_is_remembered() throws Exception {
    int port = freePort();
    var place = "redis://127.0.0.1:" + port;
    questions("a", 30);
    questions("b", 5);
    var server = redis(port);
    try {
      assertThat(desk.flyball("fleet", "--fleet", place).out()).contains("No process shares");
      assertThat(desk.flyball(batch("a", place)).exit()).isZero();
    } finally {
      server.stop();
    }
    var screen = desk.flyball(batch("b", place));
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.err()).contains("cannot be reached", "going on with one of 1 parts");
    assertThat(desk.ids("b.out.jsonl")).hasSize(5);
  }

  @Test
  void a_limit_for_the_tasks_of_all_servers_needs_a_place_where_they_meet() {
    desk.environment.put("FLYBALL_FLEET_MAX_CONCURRENT_TASKS", "3");
    var screen = desk.flyball("serve", "--port=0", "--no-history", "--provider=simulated");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains("FLYBALL_FLEET_MAX_CONCURRENT_TASKS needs a Redis where the servers meet");
    desk.environment.put("FLYBALL_FLEET_MAX_CONCURRENT_TASKS", "0");
    assertThat(desk.flyball("serve", "--port=0", "--no-history", "--provider=simulated").err())
        .contains("a whole number from 1 to 10,000 is expected, but was '0'");
  }
}
