package dev.flyball.fleet.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.fleet.queue.ResultFile.Written;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that many write to one file. */
class ResultFileTest {
  private static final EntryWork.Claim MINE = () -> true;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("out.jsonl");
  }

  private static ClaimedEntry entry(String key, int tries) {
    return new ClaimedEntry("1", tries, key, "test", "", Duration.ZERO, "");
  }

  private static byte[] line(String key) {
    return "{\"custom_id\":\"%s\",\"answer\":{\"custom_id\":\"inner\"}}\n"
        .formatted(key)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Written append(ResultFile file, String key, int tries)
      throws IOException, InterruptedException {
    return file.append(entry(key, tries), MINE, key, line(key));
  }

  @Test
  void what_another_wrote_before_it_was_killed_is_not_written_again() throws Exception {
    try (var killed = new ResultFile(path)) {
      assertThat(append(killed, "a", 1)).isEqualTo(Written.NOW);
    }
    try (var next = new ResultFile(path)) {
      assertThat(append(next, "a", 2)).isEqualTo(Written.BEFORE);
      assertThat(append(next, "inner", 2)).as("an id inside of an answer").isEqualTo(Written.NOW);
      assertThat(append(next, "b", 2)).isEqualTo(Written.NOW);
    }
    assertThat(Files.readAllLines(path)).hasSize(3);
  }

  @Test
  void who_has_lost_the_entry_writes_nothing() throws Exception {
    try (var file = new ResultFile(path)) {
      assertThat(file.append(entry("a", 1), () -> false, "a", line("a")))
          .isEqualTo(Written.NOT_OURS);
    }
    assertThat(path).isEmptyFile();
  }

  @Test
  void half_a_line_of_a_killed_writer_is_cut_off() throws Exception {
    Files.write(path, line("a"));
    var torn = new String(line("b"), StandardCharsets.UTF_8).substring(0, 20);
    Files.writeString(path, torn, StandardOpenOption.APPEND);
    try (var file = new ResultFile(path)) {
      assertThat(append(file, "b", 2)).isEqualTo(Written.NOW);
    }
    assertThat(Files.readAllBytes(path))
        .isEqualTo(
            (new String(line("a"), StandardCharsets.UTF_8)
                    + new String(line("b"), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_file_of_somebody_else_is_left_as_it_is() throws Exception {
    Files.writeString(path, "words of mine\nand no end");
    try (var file = new ResultFile(path)) {
      assertThatThrownBy(() -> append(file, "a", 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is no result");
    }
    assertThat(path).hasContent("words of mine\nand no end");
  }

  @Test
  void a_worker_that_is_interrupted_closes_nothing_for_the_others() throws Exception {
    try (var file = new ResultFile(path);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var begin = new CountDownLatch(1);
      var all =
          IntStream.range(0, 200)
              .<Future<?>>mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            begin.await();
                            if (i % 3 == 0) {
                              Thread.currentThread().interrupt();
                            }
                            return append(file, "k" + i, 1);
                          }))
              .toList();
      begin.countDown();
      int written = 0;
      for (var each : all) {
        try {
          each.get();
          written++;
        } catch (ExecutionException interrupted) {
          assertThat(interrupted.getCause()).isInstanceOf(InterruptedException.class);
        }
      }
      assertThat(written).isGreaterThanOrEqualTo(133);
    }
    var lines = Files.readAllLines(path);
    assertThat(lines).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(133);
  }
}
