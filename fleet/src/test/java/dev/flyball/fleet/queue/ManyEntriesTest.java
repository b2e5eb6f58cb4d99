package dev.flyball.fleet.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many entries, four processes that work on them, and one that is killed. The judge is a list in
 * the same Redis of which the queue knows nothing: whoever begins an entry pushes its key there.
 * {@code -Dqueue.entries=100000} is the long form.
 */
@Timeout(1_800)
class ManyEntriesTest {
  private static final int PROCESSES = 4;
  private static final int WORKERS = 16;

  @TempDir private Path folder;

  @Test
  void each_is_recorded_once_and_only_what_was_in_flight_at_the_kill_is_begun_again()
      throws Exception {
    int count = Integer.getInteger("queue.entries", 2_000);
    var out = folder.resolve("out.jsonl");
    try (var redis = new LocalRedis();
        var queue = WorkQueue.open(redis.place, "many", QueueRules.USUAL)) {
      var entries = new ArrayList<NewEntry>();
      for (int i = 0; i < count; i++) {
        var patience = i % 10 == 0 ? Duration.ZERO : Duration.ofHours(1);
        entries.add(new NewEntry("k" + i, "count", "", patience, out.toString(), ""));
      }
      long began = System.nanoTime();
      assertThat(queue.add(entries, false).added()).isEqualTo(count);
      long added = System.nanoTime();
      var processes = new ArrayList<Process>();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          processes.add(start(redis));
        }
        var killed = processes.getFirst();
        while ((Long) redis.say("LLEN", "begun") < count / 3) {
          assertThat(killed.waitFor(5, MILLISECONDS)).as(screen()).isFalse();
        }
        killed.destroyForcibly().waitFor();
        for (var each : processes.subList(1, PROCESSES)) {
          assertThat(each.waitFor(1_500, SECONDS)).as(screen()).isTrue();
          assertThat(each.exitValue()).as(screen()).isZero();
        }
      } finally {
        for (var each : processes) {
          each.destroyForcibly().waitFor();
        }
      }
      long ended = System.nanoTime();
      var begun = new ArrayList<String>();
      for (var each : (List<?>) redis.say("LRANGE", "begun", "0", "-1")) {
        begun.add(String.valueOf(each));
      }
      assertThat(new HashSet<>(begun)).hasSize(count);
      assertThat(begun.size() - count).as("begun again").isBetween(0, WORKERS);
      var lines = Files.readAllLines(out);
      assertThat(lines).hasSize(count).doesNotHaveDuplicates();
      // All were added together, so it is the impatient first, each of both by age.
      var impatient = begun.subList(0, count / 10).stream().filter(it -> it.endsWith("0")).count();
      assertThat(impatient).isGreaterThan(count / 10 - PROCESSES * WORKERS);
      var figures = queue.figures();
      assertThat(figures.ready() + figures.later() + figures.claimed() + figures.dead()).isZero();
      assertThat(figures.totals().done()).isEqualTo(count);
      System.out.printf(
          "%,d entries: added in %.1f s, done in %.1f s, begun again %d, lost by the killed %d%n",
          count,
          (added - began) / 1e9,
          (ended - added) / 1e9,
          begun.size() - count,
          figures.totals().lost());
    }
  }

  private String screen() {
    try {
      return Files.readString(folder.resolve("screen.txt"));
    } catch (IOException none) {
      return "";
    }
  }

  private Process start(LocalRedis redis) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            CountingProcess.class.getName(),
            redis.url(),
            Integer.toString(WORKERS))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("screen.txt").toFile()))
        .start();
  }

  /** The bytes of a result. */
  static byte[] line(String key) {
    return "{\"custom_id\":\"%s\"}\n".formatted(key).getBytes(StandardCharsets.UTF_8);
  }
}
