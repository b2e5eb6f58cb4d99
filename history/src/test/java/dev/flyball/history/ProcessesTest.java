package dev.flyball.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes on one file, some of which are killed. {@code -Dkills=50} kills more often, {@code
 * -Dkills.seed=N} at other moments.
 */
@Timeout(600)
class ProcessesTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("history.db");
  }

  private Process recording(String name, int attempts) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Dorg.sqlite.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            RecordingProcess.class.getName(),
            file().toString(),
            name,
            Integer.toString(attempts))
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("errors.txt").toFile()))
        .start();
  }

  private void isWhole() throws SQLException {
    var sums = new StoredSums(new HistoryLocation.File(file()));
    assertThat(sums.rows("pragma integrity_check")).containsExactly("ok");
    assertThat(sums.rows("pragma foreign_key_check")).isEmpty();
    assertThat(sums.tallies()).isEqualTo(sums.talliesAnew());
    assertThat(sums.runTallies()).isEqualTo(sums.runTalliesAnew());
  }

  @Test
  void several_processes_make_and_write_one_file() throws Exception {
    var processes = new ArrayList<Process>();
    for (var name : List.of("one", "two", "three")) {
      processes.add(recording(name, 1_000));
    }
    for (var process : processes) {
      assertThat(process.inputReader(UTF_8).lines()).hasSize(1_000);
      assertThat(process.waitFor()).isZero();
    }
    var sums = new StoredSums(new HistoryLocation.File(file()));
    assertThat(sums.rows("select count(*) from calls")).containsExactly("3000");
    assertThat(sums.rows("select count(*) from runs")).containsExactly("3");
    isWhole();
  }

  @Test
  void a_run_that_was_killed_keeps_what_was_acknowledged() throws Exception {
    int kills = Integer.getInteger("kills", 4);
    long seed = Long.getLong("kills.seed", 1);
    var random = new SplittableRandom(seed);
    var acknowledged = new HashSet<String>();
    for (int kill = 0; kill < kills; kill++) {
      acknowledged.addAll(killed("life" + kill, 1 + random.nextInt(400)));
      try (var history =
          History.open(new HistoryLocation.File(file()), InstantSource.fixed(Attempts.NOON))) {
        assertThat(history.runs(AnswerOrigin.REAL, kills)).hasSize(kill + 1);
      }
      var kept =
          new HashSet<>(
              new StoredSums(new HistoryLocation.File(file())).rows("select name from calls"));
      assertThat(kept).as("seed %d, kill %d", seed, kill).containsAll(acknowledged);
      isWhole();
    }
    assertThat(acknowledged).isNotEmpty();
  }

  /** What a process said before it was killed, and what of its words was still on the way. */
  private Set<String> killed(String name, int after) throws IOException, InterruptedException {
    var said = new HashSet<String>();
    var process = recording(name, Integer.MAX_VALUE);
    try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(name + "-")) {
          said.add(line);
        }
        if (said.size() == after) {
          // Not by the process itself: that would close the stream from which we read.
          assertThat(process.toHandle().destroyForcibly()).isTrue();
        }
      }
    }
    assertThat(process.waitFor()).isNotZero();
    return said;
  }
}
