package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches as processes of their own that are killed, interrupted or run out of room. {@code
 * -Dkills=50} kills more often, {@code -Dkills.seed=N} at other moments.
 */
@Timeout(600)
class KilledBatchTest {
  private static final int LINES = 600;

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws IOException {
    desk = new CommandDesk(folder);
    desk.provider(CommandDesk.quick().latency(Latency.parse("40ms~0.5")));
    desk.questions(LINES);
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private Process start() throws IOException {
    return desk.process(arguments()).start();
  }

  private String[] arguments() {
    return new String[] {
      "batch",
      desk.file("in.jsonl").toString(),
      "-o",
      desk.file("out.jsonl").toString(),
      "--base-url",
      desk.simulator().uri().toString(),
      "--concurrency=8",
      "--report",
      desk.file("report.json").toString()
    };
  }

  /** The ids of lines that are whole. */
  private Set<String> finished() throws IOException {
    var ids = new HashSet<String>();
    if (Files.exists(desk.file("out.jsonl"))) {
      var text = Files.readString(desk.file("out.jsonl"));
      var whole = text.substring(0, text.lastIndexOf('\n') + 1);
      for (var line : whole.lines().toList()) {
        assertThat(ids.add(CommandDesk.JSON.readTree(line).path("custom_id").asText()))
            .as(line)
            .isTrue();
      }
    }
    return ids;
  }

  private String screen() throws IOException {
    return Files.readString(desk.file("screen.txt"));
  }

  @Test
  void killed_at_any_moment_it_loses_nothing_finished_and_asks_nothing_twice() throws Exception {
    int kills = Integer.getInteger("kills", 10);
    long seed = Long.getLong("kills.seed", 1);
    var random = new SplittableRandom(seed);
    var finished = finished();
    int killed = 0;
    while (killed < kills) {
      int askedBefore = desk.asked().size();
      var process = start();
      // Most of it is the start of the JVM; the rest is anywhere in the run.
      boolean ended = process.waitFor(300 + random.nextInt(2_200), MILLISECONDS);
      process.destroyForcibly().waitFor();
      var now = finished();
      assertThat(now)
          .as("seed %d, kill %d: finished lines are kept", seed, killed)
          .containsAll(finished);
      var asked = desk.asked();
      assertThat(asked.subList(askedBefore, asked.size()))
          .as("seed %d, kill %d: what was finished is not asked again", seed, killed)
          .doesNotContainAnyElementsOf(finished.isEmpty() ? List.of("nobody") : finished);
      finished = now;
      killed++;
      if (ended) {
        // It was quicker: begin again with an empty desk.
        assertThat(finished).hasSize(LINES);
        Files.delete(desk.file("out.jsonl"));
        finished = new HashSet<>();
      }
    }
    var last = start();
    assertThat(last.waitFor(120, SECONDS)).isTrue();
    assertThat(last.exitValue()).as(screen()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(LINES));
  }

  private void awaitAnswers(Process process, int count) throws IOException, InterruptedException {
    while (finished().size() < count) {
      assertThat(process.waitFor(20, MILLISECONDS)).as(screen()).isFalse();
    }
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void what_it_had_learned_when_it_was_killed_is_there_for_the_next() throws Exception {
    desk.close();
    desk.provider(
        CommandDesk.quick()
            .limit("requests=600/min")
            .burst("requests=10")
            .headers(Headers.parse("none")));
    var process = start();
    var file = desk.state().resolve("learned.json");
    double felt = 0;
    while (felt == 0) {
      assertThat(process.waitFor(50, MILLISECONDS)).as(screen()).isFalse();
      felt =
          Files.exists(file)
              ? CommandDesk.JSON.readTree(file.toFile()).at("/lanes/0/pace/perSecond").asDouble()
              : 0;
    }
    process.destroyForcibly().waitFor();

    assertThat(finished()).as("it was in the middle").hasSizeLessThan(LINES);
    assertThat(desk.flyball("lanes").out())
        .contains("127.0.0.1:" + desk.simulator().uri().getPort(), "requests: felt, about");
    try (var left = Files.list(desk.state())) {
      assertThat(left.map(it -> it.getFileName().toString())).contains("learned.json");
    }
  }

  @Test
  void interrupted_once_it_ends_what_is_in_flight_and_says_so() throws Exception {
    var process = start();
    awaitAnswers(process, 20);
    signal(process, "INT");

    assertThat(process.waitFor(30, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(screen()).isEqualTo(3);
    assertThat(screen()).contains("stopping, ", "Ctrl+C again aborts", "incomplete");
    var first = finished();
    assertThat(first).hasSizeBetween(20, LINES - 1);
    // Whatever was sent was waited for.
    assertThat(desk.asked()).hasSameSizeAs(first);

    var again = start();
    assertThat(again.waitFor(120, SECONDS)).isTrue();
    assertThat(again.exitValue()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(LINES));
    assertThat(desk.asked()).hasSize(LINES).doesNotHaveDuplicates();
  }

  @Test
  void interrupted_twice_it_aborts_at_once_and_can_go_on_later() throws Exception {
    desk.close();
    desk.provider(CommandDesk.quick().latency(Latency.parse("3s")));
    var process = start();
    while (desk.asked().size() < 8) {
      assertThat(process.waitFor(20, MILLISECONDS)).as(screen()).isFalse();
    }
    signal(process, "INT");
    while (!screen().contains("stopping")) {
      assertThat(process.waitFor(20, MILLISECONDS)).as(screen()).isFalse();
    }
    signal(process, "INT");

    assertThat(process.waitFor(20, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(screen()).isEqualTo(130);
    assertThat(screen()).contains("aborted: run the same command to resume");
  }

  @Test
  void without_room_it_stops_asking_keeps_the_answers_and_goes_on_when_there_is_room()
      throws Exception {
    // The shell's limit on file sizes is a full disk that needs no rights to make; a history would
    // not begin there.
    var limited = new ArrayList<>(List.of("sh", "-c", "ulimit -f 60; exec \"$@\"", "sh"));
    var plain = desk.process(arguments());
    limited.addAll(plain.command());
    limited.add("--no-history");
    var process = plain.command(limited).start();
    while (!screen().contains("cannot write")) {
      assertThat(process.waitFor(100, MILLISECONDS)).as(screen()).isFalse();
    }
    int asked = desk.asked().size();
    assertThat(asked).isLessThan(LINES);
    signal(process, "INT");

    assertThat(process.waitFor(30, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(screen()).isEqualTo(3);
    assertThat(screen())
        .contains(" could not be written: ", "run the same command to ask them again");
    var first = finished();
    assertThat(first).isNotEmpty();
    // What could not be written is what was in flight then, and no more.
    assertThat(desk.asked().size() - first.size()).isLessThanOrEqualTo(16);

    int before = desk.asked().size();
    var again = start();
    assertThat(again.waitFor(120, SECONDS)).isTrue();
    assertThat(again.exitValue()).as(screen()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(LINES));
    assertThat(desk.asked().subList(before, desk.asked().size()))
        .doesNotContainAnyElementsOf(first);
  }
}
