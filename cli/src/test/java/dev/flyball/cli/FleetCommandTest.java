package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.fleet.queue.LocalRedis;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    // What a cold process costs before its first reply is no matter of the takeover.
    long before = desk.simulator().stats().throttled();
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
    assertThat(desk.simulator().stats().throttled() - before)
        .as("429s after the kill, %d before", before)
        .isLessThanOrEqualTo(10);
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
  void what_is_no_place_is_said_with_one_that_is() throws Exception {
    questions("a", 2);
    var screen = desk.flyball(batch("a", "redis:/host"));
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains("such as redis://host:6379/0", "user:password@ before the host")
        .doesNotContain("***");
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
  void a_budget_is_spent_by_all_together_and_never_by_each() throws Exception {
    for (var name : List.of("a", "b")) {
      desk.write(
          name + ".jsonl",
          IntStream.range(0, 40)
              .mapToObj(i -> CommandDesk.anthropic(name + i, "claude-sonnet-5", "say " + i))
              .toArray(String[]::new));
    }
    try (var redis = new LocalRedis()) {
      var first = together("a", redis, "0.0015");
      assertThat(first.exit()).as(first.err()).isEqualTo(3);
      int answered = desk.ids("a.out.jsonl").size();
      assertThat(answered).isBetween(1, 39);
      var second = together("b", redis, "0.0015");
      assertThat(second.exit()).as(second.err()).isEqualTo(3);
      // What is left is less than the next of the first may cost; a shorter one may fit.
      assertThat(desk.asked().size()).isBetween(answered, answered + 2);
      assertThat(together("b", redis, "1").exit()).isZero();
      assertThat(redis.everything()).doesNotContain("say 1");
    }
  }

  private CommandDesk.Screen together(String name, LocalRedis redis, String dollars) {
    return desk.flyball(
        Stream.concat(
                Arrays.stream(batch(name, redis.url())),
                Stream.of("--budget-usd", dollars, "--budget-scope", "team-a"))
            .toArray(String[]::new));
  }

  @Test
  void a_shared_budget_needs_an_amount_and_a_redis() throws Exception {
    questions("a", 2);
    var usual = List.of(batch("a", "machine"));
    for (var wrong :
        List.of(
            List.of("--budget-scope=team-a", "needs --budget-usd"),
            List.of("--budget-scope=team a", "is up to 60 letters"),
            List.of("--budget-usd=1", "--budget-scope=team-a", "needs a Redis"))) {
      var args = new ArrayList<>(usual);
      args.addAll(wrong.subList(0, wrong.size() - 1));
      var screen = desk.flyball(args.toArray(String[]::new));
      assertThat(screen.exit()).isEqualTo(2);
      assertThat(screen.err()).contains(wrong.getLast());
    }
    assertThat(desk.asked()).isEmpty();
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
