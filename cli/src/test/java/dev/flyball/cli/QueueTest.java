package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.fleet.queue.LocalRedis;
import dev.flyball.simulator.setting.Answers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code flyball queue} on a real Redis, with the simulator as the provider. */
class QueueTest {
  private static LocalRedis redis;

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeAll
  static void start() throws IOException {
    redis = new LocalRedis();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void sit(TestInfo test) throws IOException {
    desk = new CommandDesk(Files.createDirectories(folder.resolve("here")));
    desk.environment.put("FLYBALL_FLEET", redis.url());
    desk.environment.put(
        "FLYBALL_QUEUE",
        test.getTestMethod().orElseThrow().getName().substring(0, 12)
            + Integer.toHexString(folder.hashCode()));
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private CommandDesk.Screen queue(String... words) {
    var args = new ArrayList<>(List.of("queue"));
    args.addAll(List.of(words));
    return desk.flyball(args.toArray(String[]::new));
  }

  private CommandDesk.Screen work(String... more) {
    var args =
        new ArrayList<>(
            List.of("work", "--until-empty", "--base-url", desk.simulator().uri().toString()));
    args.addAll(List.of(more));
    return queue(args.toArray(String[]::new));
  }

  @Test
  void lines_are_queued_answered_and_written_where_they_were_said_to_go() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(20);
    var added = queue("add", "in.jsonl", "-o", "out.jsonl");
    assertThat(added.exit()).as(added.err()).isZero();
    assertThat(added.out()).isEqualTo("added 20\n");
    assertThat(queue("add", "in.jsonl", "-o", "out.jsonl").out())
        .isEqualTo("added 0, 20 in the queue already\n");
    var worked = work("--workers", "4");
    assertThat(worked.exit()).as(worked.err()).isZero();
    assertThat(worked.err()).contains("workers 4").contains("done 20");
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(20));
    assertThat(queue("add", "in.jsonl", "-o", "out.jsonl").out())
        .isEqualTo("added 0, 20 done before (--again does them again)\n");
    assertThat(desk.asked()).hasSize(20);
    assertThat(queue("stats").out()).contains("ready 0").contains("20 added, 20 done");
  }

  private static void assertLine(CommandDesk.Screen screen, int exit, String words) {
    assertThat(screen.exit()).as(screen.err()).isEqualTo(exit);
    assertThat(screen.err().strip().lines().toList()).as(screen.err()).hasSize(1);
    assertThat(screen.err()).contains(words);
  }

  @Test
  void what_cannot_be_is_said_in_one_line() throws Exception {
    desk.questions(2);
    assertLine(queue("sing"), 2, "ACTION is add, list");
    assertLine(queue("add"), 2, "name what to add");
    assertLine(queue("add", "none.jsonl"), 2, "there is no file");
    assertLine(queue("add", "in.jsonl", "-o", "in.jsonl"), 2, "cannot go into the file of prompts");
    assertLine(queue("add", "."), 2, "--yes adds it");
    assertLine(queue("add", "--open"), 2, "name a host");
    assertLine(queue("add", "--diff", "HEAD", "--patch", "x"), 2, "one of them at a time");
    assertLine(queue("add", "in.jsonl", "--priority", "high"), 2, "interactive, normal or bulk");
    assertLine(queue("add", "in.jsonl", "--bound", "0"), 2, "--bound");
    assertLine(queue("work", "--workers", "many"), 2, "--workers: must be auto or 1 to 1,000");
    assertLine(queue("work", "--lease", "0.01s"), 2, "a lease is at least 100 ms");
    assertLine(queue("work", "--allow", "nowhere"), 2, "--allow: there is no folder");
    assertLine(queue("stats", "in.jsonl"), 2, "takes no WHAT");
    assertLine(queue("retry"), 2, "or --all");
    assertLine(
        queue("list", "--shelf", "top"), 2, "--shelf: a shelf is ready, later, claimed or dead");
    assertLine(queue("add", "in.jsonl", "--queue", "a b"), 2, "--queue: a queue is named by");
    desk.write("bad.jsonl", "{\"prompt\":1", CommandDesk.openAi("a", "m", "x"));
    var bad = queue("add", "bad.jsonl");
    assertThat(bad.exit()).isEqualTo(2);
    assertThat(bad.err()).contains("nothing was added").contains("line 1: not valid JSON");
    desk.write("same.jsonl", CommandDesk.openAi("a", "m", "x"), CommandDesk.openAi("a", "m", "y"));
    assertThat(queue("add", "same.jsonl").err()).contains("line 2: the id a is that of line 1");
    desk.environment.put("FLYBALL_FLEET", "redis://user:hidden-word@127.0.0.1:1");
    var away = queue("stats");
    assertLine(away, 2, "cannot be reached");
    assertThat(away.err()).doesNotContain("hidden-word");
    desk.environment.remove("FLYBALL_FLEET");
    assertLine(queue("stats"), 2, "a queue is kept in a Redis: name one with --fleet");
  }

  @Test
  void a_full_queue_says_when_to_come_again_and_the_same_command_adds_the_rest() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(30);
    var full = queue("add", "in.jsonl", "--bound", "20");
    assertThat(full.out()).isEqualTo("added 20\n");
    assertLine(full, 3, "10 were not added. Retry-After: 60");
    assertThat(work("--workers", "2").exit()).isZero();
    assertThat(queue("add", "in.jsonl", "--bound", "20").out())
        .isEqualTo("added 10, 20 done before (--again does them again)\n");
    assertThat(work("--workers", "2").exit()).isZero();
    assertThat(desk.ids("in.results.jsonl")).isEqualTo(CommandDesk.numbered(30));
  }

  @Test
  void what_will_never_work_is_a_dead_letter_that_can_be_read_retried_and_dropped()
      throws Exception {
    desk.provider(CommandDesk.quick());
    var elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    desk.write("other.jsonl", CommandDesk.openAi("far", "m", "x"));
    queue("add", "other.jsonl", "-o", elsewhere.resolve("out.jsonl").toString());
    var worked = work("--workers", "1");
    assertThat(worked.exit()).as(worked.err()).isEqualTo(1);
    var dead = queue("list", "--shelf", "dead").out();
    assertThat(dead).contains(":far").contains("is not below").contains("--allow FOLDER");
    assertThat(elsewhere).isEmptyDirectory();
    var letters = CommandDesk.JSON.readTree(queue("list", "--shelf", "dead", "--json").out());
    var far =
        letters.findParents("key").stream()
            .filter(each -> each.path("key").asText().endsWith(":far"))
            .findFirst()
            .orElseThrow();
    assertThat(far.path("why").asText()).contains(elsewhere.toString());
    assertThat(queue("retry", far.path("key").asText()).out()).isEqualTo("ready again: 1\n");
    work("--workers", "1", "--allow", elsewhere.toString());
    assertThat(elsewhere.resolve("out.jsonl")).content().contains("\"custom_id\":\"far\"");
    assertThat(queue("drop", "--all").exit()).isZero();
    assertThat(queue("list").out()).isEqualTo("no entries\n");
    assertThat(queue("retry", "line:0:none").out()).isEqualTo("ready again: 0, 1 not found\n");
  }

  @Test
  void a_line_that_asks_where_nobody_is_holds_up_nobody_for_ever() throws Exception {
    desk.provider(CommandDesk.quick());
    var lost =
        CommandDesk.openAi("lost", "m", "x").replace("/v1/chat/completions", "/v1/no-such-path");
    desk.write("in.jsonl", lost, CommandDesk.openAi("good", "m", "x"));
    queue("add", "in.jsonl", "-o", "out.jsonl");
    var worked = work("--workers", "1");
    assertThat(worked.exit()).as(worked.err()).isEqualTo(3);
    assertThat(queue("list", "--shelf", "later").out()).contains(":lost");
    assertThat(queue("drop", "--all", "--shelf", "later").out()).isEqualTo("dropped 1\n");
    assertThat(work("--workers", "1").exit()).isZero();
    assertThat(desk.ids("out.jsonl")).containsExactly("good");
  }

  @Test
  void a_line_that_is_another_one_now_is_not_taken_for_the_old() throws Exception {
    desk.write("in.jsonl", CommandDesk.openAi("a", "m", "one"));
    assertThat(queue("add", "in.jsonl").exit()).isZero();
    desk.write("in.jsonl", CommandDesk.openAi("a", "m", "two"));
    assertLine(queue("add", "in.jsonl"), 2, "with another content");
  }

  @Test
  void as_many_workers_as_the_law_asks_are_kept_and_it_is_said_why() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(40);
    queue("add", "in.jsonl");
    var worked = work();
    assertThat(worked.exit()).as(worked.err()).isZero();
    assertThat(worked.err())
        .contains("workers 40: none has ended yet, so one for each of the 40 that are there");
    assertThat(desk.ids("in.results.jsonl")).isEqualTo(CommandDesk.numbered(40));
  }

  @Test
  void nothing_is_taken_while_the_limits_are_nearly_empty() throws Exception {
    desk.provider(CommandDesk.quick().limit("requests=10/min"));
    desk.questions(9);
    queue("add", "in.jsonl");
    var worked = work("--workers", "1");
    assertThat(worked.exit()).as(worked.err()).isZero();
    assertThat(worked.err()).contains("paused: less than a fifth of the limits is left");
    assertThat(desk.ids("in.results.jsonl")).isEqualTo(CommandDesk.numbered(9));
  }

  @Test
  void a_wrong_key_takes_nothing_more_and_loses_nothing() throws Exception {
    desk.provider(CommandDesk.quick().fault("401"));
    desk.questions(5);
    queue("add", "in.jsonl");
    desk.environment.put("OPENAI_API_KEY", "sk-wrong");
    var worked = work("--workers", "1", "--key-env", "OPENAI_API_KEY");
    assertThat(worked.exit()).as(worked.err()).isEqualTo(3);
    assertThat(worked.err()).contains("nothing more is taken");
    assertThat(queue("stats").out()).contains("ready 5");
  }

  @Test
  void folders_changes_and_patches_are_reviewed() throws Exception {
    var answer =
        "{\"reviewed\":\"{{all:(?m)^=====\\\\S+ review (\\\\S+)"
            + " lines}}\",\"findings\":[],\"needsMoreContext\":[]}";
    var script = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    desk.provider(
        CommandDesk.quick()
            .answers(
                Answers.parse(
                    Files.writeString(folder.resolve("answers.jsonl"), script + "\n").toString())));
    desk.git("init", "-q", "-b", "main");
    desk.put("One.java", "class One {}\n");
    desk.commit("first");
    desk.put("Two.java", "class Two {}\n");
    desk.commit("second");
    Files.writeString(
        folder.resolve("change.patch"),
        CommandDesk.git(desk.folder, "diff", "HEAD~1", "HEAD") + "\n");
    assertThat(queue("add", "--diff", "HEAD~1...HEAD", "-o", "reviews.jsonl").out())
        .isEqualTo("added 1\n");
    assertThat(queue("add", ".", "--yes", "-o", "reviews.jsonl", "--priority", "bulk").exit())
        .isZero();
    assertThat(
            queue(
                    "add",
                    "--patch",
                    "../change.patch",
                    "-o",
                    "reviews.jsonl",
                    "--priority",
                    "interactive")
                .exit())
        .isZero();
    var listed = queue("list").out().lines().toList();
    assertThat(listed).hasSize(3);
    assertThat(listed.get(0)).contains("patch:");
    assertThat(listed.get(1)).contains("range:").contains("HEAD~1...HEAD");
    assertThat(listed.get(2)).contains("folder:");
    var worked =
        work(
            "--workers", "2", "--model", "claude-haiku-4-5", "--lenses", "security", "--no-verify");
    assertThat(worked.exit()).as(worked.err()).isZero();
    assertThat(desk.lines("reviews.jsonl"))
        .hasSize(3)
        .allSatisfy(
            line -> {
              assertThat(line.path("verdict").asText()).startsWith("approved");
              assertThat(line.path("report").path("verdict")).isEqualTo(line.path("verdict"));
            });
    assertThat(desk.flyball("report", "--list").out().lines().toList()).hasSize(3);
  }

  static Stream<String> commandsOfThePages() throws IOException {
    return ReadmeCommandsTest.commands().stream()
        .filter(each -> each.startsWith("queue ") && !each.contains("--github"));
  }

  @ParameterizedTest
  @MethodSource("commandsOfThePages")
  void a_command_of_a_page_does_what_it_says(String command) throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write("questions.jsonl", CommandDesk.openAi("q7", "m", "x"));
    assertThat(queue("add", "questions.jsonl", "-o", "missing/../answers.jsonl").exit()).isZero();
    var key = queue("list").out().replaceFirst("(?s).*(line:\\S+).*", "$1").strip();
    var words =
        new ArrayList<>(
            List.of(command.replaceAll("line:\\S+", key).replaceAll("\\[[^]]*]", "").split(" +")));
    if (words.get(1).equals("work")) {
      words.addAll(List.of("--until-empty", "--base-url", desk.simulator().uri().toString()));
    }
    if (words.get(1).equals("retry") && !words.contains("--all")) {
      // Only what has failed is tried again.
      words.set(1, "drop");
    }
    var screen = desk.flyball(words.toArray(String[]::new));
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.out() + screen.err()).isNotBlank();
  }
}
