package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.fleet.queue.LocalRedis;
import dev.flyball.forge.FakeGitHub;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers on a queue as processes of their own, of which one is killed. {@code -Dqueue.lines=10000}
 * gives them more to do.
 */
@Timeout(900)
class KilledQueueTest {
  private static final String REPOSITORY = "acme/shop";
  private static final String TOKEN = "token-of-the-robot";

  @TempDir private Path folder;
  private LocalRedis redis;
  private CommandDesk desk;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void sit() throws IOException {
    redis = new LocalRedis();
    desk = new CommandDesk(Files.createDirectories(folder.resolve("here")));
    desk.environment.put("FLYBALL_FLEET", redis.url());
  }

  @AfterEach
  void leave() throws InterruptedException {
    for (var each : started) {
      each.destroyForcibly().waitFor();
    }
    desk.close();
    redis.close();
  }

  private Process worker(String... more) throws IOException {
    var args = new ArrayList<>(List.of("queue", "work", "--until-empty", "--lease", "2s"));
    args.addAll(List.of("--base-url", desk.simulator().uri().toString()));
    args.addAll(List.of(more));
    var process = desk.process(args.toArray(String[]::new)).start();
    started.add(process);
    return process;
  }

  private String screen() throws IOException {
    return Files.readString(desk.file("screen.txt"));
  }

  private void await(Process alive, Callable<Boolean> what) throws Exception {
    while (!what.call()) {
      assertThat(alive.waitFor(10, MILLISECONDS)).as(screen()).isFalse();
    }
  }

  @Test
  void each_line_is_recorded_once_and_only_what_was_in_flight_is_asked_again() throws Exception {
    int lines = Integer.getInteger("queue.lines", 300);
    int each = 4;
    desk.provider(CommandDesk.quick().latency(Latency.parse("20ms~0.5")));
    desk.questions(lines);
    assertThat(desk.flyball("queue", "add", "in.jsonl", "-o", "out.jsonl").exit()).isZero();
    var killed = worker("--workers", Integer.toString(each));
    var others =
        List.of(
            worker("--workers", Integer.toString(each)),
            worker("--workers", Integer.toString(each)),
            worker("--workers", Integer.toString(each)));
    var out = desk.file("out.jsonl");
    await(killed, () -> Files.exists(out) && Files.readAllLines(out).size() > lines / 5);
    killed.destroyForcibly().waitFor();
    for (var other : others) {
      assertThat(other.waitFor(600, SECONDS)).as(screen()).isTrue();
      assertThat(other.exitValue()).as(screen()).isZero();
    }
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(lines));
    var asked = desk.asked();
    assertThat(new HashSet<>(asked)).hasSize(lines);
    assertThat(asked.size() - lines).as("asked again").isBetween(0, each);
    var stats = desk.flyball("queue", "stats").out();
    assertThat(stats).contains("ready 0, later 0, being worked on 0, dead letters 0");
  }

  private static String text(String word, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(it -> "int " + word + it + " = " + it + ";\n")
        .collect(Collectors.joining());
  }

  @Test
  void ten_pull_requests_are_reviewed_and_posted_once_though_a_worker_is_killed() throws Exception {
    int pulls = 10;
    var answer =
        """
        {"reviewed":"{{all:(?m)^=====\\\\S+ review (\\\\S+) lines}}","findings":[{"lens":"security",\
        "file":"src/Common.txt","quote":"int common3 = 3;","severity":"major","category":"security",\
        "title":"Bad","message":"It is bad.","suggestion":null,"confidence":0.9}],\
        "needsMoreContext":[]}\
        """;
    var script = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    Files.writeString(folder.resolve("answers.jsonl"), script + "\n");
    desk.provider(
        CommandDesk.quick()
            .latency(Latency.parse("150ms"))
            .answers(Answers.parse(folder.resolve("answers.jsonl").toString())));
    try (var origin = new CommandDesk(Files.createDirectories(folder.resolve("origin")));
        var gitHub = new FakeGitHub()) {
      gitHub.user(TOKEN, 7, "robot", true);
      origin.git("init", "-q", "-b", "main");
      gitHub.repository(REPOSITORY, origin.folder);
      origin.put("README.md", "words\n");
      origin.commit("first");
      var target = CommandDesk.git(origin.folder, "rev-parse", "HEAD");
      for (int i = 1; i <= pulls; i++) {
        origin.git("checkout", "-q", "--detach", target);
        origin.put("src/Common.txt", text("common", 8));
        origin.put("src/Own" + i + ".txt", text("own" + i, 8));
        origin.commit("change " + i);
        gitHub.open(REPOSITORY, target, CommandDesk.git(origin.folder, "rev-parse", "HEAD"));
      }
      desk.environment.put("GITHUB_TOKEN", TOKEN);
      var added =
          desk.flyball(
              "queue", "add", "--github", REPOSITORY, "--open", "--host-url", gitHub.site());
      assertThat(added.out()).as(added.err()).isEqualTo("added 10\n");
      String[] more = {
        "--workers",
        "2",
        "--host-url",
        gitHub.site(),
        "--model",
        "claude-haiku-4-5",
        "--lenses",
        "security",
        "--no-verify"
      };
      var killed = worker(more);
      var other = worker(more);
      await(killed, () -> posted(gitHub) >= 2);
      killed.destroyForcibly().waitFor();
      int before = posted(gitHub);
      assertThat(other.waitFor(120, SECONDS)).as(screen()).isTrue();
      assertThat(other.exitValue()).as(screen()).isZero();
      assertThat(before).as("it was killed in the middle").isLessThan(pulls);
      for (int number = 1; number <= pulls; number++) {
        assertThat(gitHub.reviews(REPOSITORY, number)).as("reviews of %d", number).hasSize(1);
        assertThat(gitHub.threads(REPOSITORY, number)).as("comments of %d", number).hasSize(1);
      }
      assertThat(desk.flyball("queue", "stats").out())
          .contains("ready 0, later 0, being worked on 0, dead letters 0");
      var again =
          desk.flyball(
              "queue", "add", "--github", REPOSITORY, "--open", "--host-url", gitHub.site());
      assertThat(again.out()).as("none is without a review").isEqualTo("added 0\n");
      assertThat(screen()).doesNotContain(TOKEN);
      assertThat(redis.everything()).doesNotContain(TOKEN);
    }
  }

  private static int posted(FakeGitHub gitHub) {
    int posted = 0;
    for (int number = 1; number <= 10; number++) {
      posted += gitHub.reviews(REPOSITORY, number).isEmpty() ? 0 : 1;
    }
    return posted;
  }
}
