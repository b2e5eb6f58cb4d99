package dev.flyball.run.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LineJournalTest {
  @TempDir Path folder;

  private static byte[] line(String text) {
    return (text + "\n").getBytes(UTF_8);
  }

  /** Tries to lock a file as another process, which alone can tell whether we still hold it. */
  public static final class Locking {
    private Locking() {}

    public static void main(String[] args) throws IOException {
      try (var file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
        System.exit(file.tryLock() == null ? 3 : 0);
      }
    }
  }

  private static boolean isLocked(Path file) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Locking.class.getName(),
                file.toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 3;
  }

  @Test
  void what_was_written_is_there_and_can_be_gone_on_with() throws IOException {
    var file = folder.resolve("lines");
    try (var journal = LineJournal.open(file)) {
      journal.append(line("one"));
    }
    try (var journal = LineJournal.open(file)) {
      journal.appendForced(line("two"));
    }
    assertThat(file).hasContent("one\ntwo\n");
  }

  @Test
  void a_torn_line_can_be_cut_off() throws IOException {
    var file = folder.resolve("lines");
    Files.writeString(file, "one\ntw");
    try (var journal = LineJournal.open(file)) {
      journal.cut(4);
      journal.append(line("two"));
    }
    assertThat(file).hasContent("one\ntwo\n");
  }

  @Test
  void a_file_that_nobody_wrote_to_is_not_left_behind() throws IOException {
    var file = folder.resolve("lines");
    LineJournal.open(file).close();
    assertThat(file).doesNotExist();
  }

  @Test
  void one_run_at_a_time_writes_whatever_the_file_is_called() throws IOException {
    var file = folder.resolve("lines");
    try (var journal = LineJournal.open(file)) {
      journal.append(line("one"));
      var other = Files.createLink(folder.resolve("other"), file);
      assertThatThrownBy(() -> LineJournal.open(file)).isInstanceOf(LineJournal.Taken.class);
      assertThatThrownBy(() -> LineJournal.open(other)).isInstanceOf(LineJournal.Taken.class);
    }
    LineJournal.open(file).close();
  }

  @Test
  void a_second_opening_does_not_give_the_lock_away_even_if_it_is_interrupted() throws Exception {
    var file = folder.resolve("lines");
    try (var journal = LineJournal.open(file)) {
      journal.append(line("one"));
      assertThat(isLocked(file)).isTrue();
      assertThatThrownBy(() -> LineJournal.open(file)).isInstanceOf(LineJournal.Taken.class);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> LineJournal.open(file)).isInstanceOf(LineJournal.Taken.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(isLocked(file)).isTrue();
    }
    assertThat(isLocked(file)).isFalse();
  }

  @Test
  void an_interrupt_ends_neither_the_opening_nor_the_writing() throws IOException {
    var file = folder.resolve("lines");
    Thread.currentThread().interrupt();
    try (var journal = LineJournal.open(file)) {
      journal.appendForced(line("one"));
      assertThat(Thread.interrupted()).isTrue();
      journal.append(line("two"));
    }
    assertThat(file).hasContent("one\ntwo\n");
  }

  @Test
  void closing_it_twice_takes_nothing_from_who_opened_it_since() throws Exception {
    var file = folder.resolve("lines");
    var first = LineJournal.open(file);
    first.append(line("one"));
    first.close();
    try (var second = LineJournal.open(file)) {
      first.close();
      assertThatThrownBy(() -> LineJournal.open(file)).isInstanceOf(LineJournal.Taken.class);
      assertThat(isLocked(file)).isTrue();
      second.append(line("two"));
    }
    assertThat(file).hasContent("one\ntwo\n");
  }
}
