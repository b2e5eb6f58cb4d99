package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerJournalTest {
  @TempDir private Path folder;

  private static JsonNode said(int number) {
    return SampleUnits.json(
        "{\"reviewed\":[\"a\\nb\",\"grün \uD83D\uDE00\"],\"number\":%d}".formatted(number));
  }

  private Path file() {
    return folder.resolve("units.jsonl");
  }

  private void keep(String... keys) throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      for (int i = 0; i < keys.length; i++) {
        journal.keep(keys[i], "unit " + i, said(i));
      }
    }
  }

  private List<String> kept(String... keys) throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      return Arrays.stream(keys).filter(key -> journal.answer(key).isPresent()).toList();
    }
  }

  @Test
  void what_is_kept_is_there_at_once_and_when_it_is_read_again() throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder.resolve("new")).folder("folder"))) {
      assertThat(journal.answer("one")).isEmpty();
      journal.keep("one", "unit", said(1));
      assertThat(journal.answer("one")).contains(said(1));
    }
    try (var journal = AnswerJournal.in(StateFolder.at(folder.resolve("new")).folder("folder"))) {
      assertThat(journal.answer("one")).contains(said(1));
      assertThat(journal.answer("two")).isEmpty();
    }
  }

  @Test
  void an_answer_is_on_the_disk_when_keep_returns() throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      journal.keep("one", "unit", said(1));
      assertThat(Files.readString(file())).contains("\"key\":\"one\"").endsWith("}\n");
    }
  }

  @Test
  void of_two_answers_to_one_unit_the_later_counts() throws IOException {
    keep("one", "one");
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      assertThat(journal.answer("one")).contains(said(1));
    }
  }

  /** Wherever a kill may have torn the last line, what was before it is there, and more follows. */
  @Test
  void a_torn_last_line_is_dropped_and_the_file_goes_on_after_it() throws IOException {
    keep("one", "two");
    var whole = Files.readAllBytes(file());
    int first = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
    var random = new Random(5);
    for (int i = 0; i < 30; i++) {
      int torn = i == 0 ? whole.length - 1 : random.nextInt(first, whole.length);
      Files.write(file(), Arrays.copyOf(whole, torn));
      assertThat(kept("one", "two")).as("torn at %d", torn).containsExactly("one");
      keep("three");
      assertThat(kept("one", "two", "three"))
          .as("torn at %d", torn)
          .containsExactly("one", "three");
      assertThat(Files.readAllLines(file())).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "{\"key\":\"two\",\"sa{\"key\":\"two\",\"said\":{}}",
        "\u0000\u0000",
        "{\"key\":7,\"said\":{}}",
        "{\"key\":\"two\",\"said\":[]}",
        "{\"key\":\"two\"}"
      })
  void a_damaged_line_in_the_middle_is_skipped(String line) throws IOException {
    keep("one");
    Files.writeString(file(), line + "\n", StandardOpenOption.APPEND);
    keep("three");
    assertThat(kept("one", "two", "three")).containsExactly("one", "three");
  }

  @Test
  void a_line_that_is_no_text_is_skipped() throws IOException {
    keep("one");
    var odd = new byte[] {'{', '"', (byte) 0xC3, (byte) 0xFF, '"', '}', '\n'};
    Files.write(file(), odd, StandardOpenOption.APPEND);
    keep("three");
    assertThat(kept("one", "three")).containsExactly("one", "three");
  }

  @Test
  void a_second_opening_is_refused() throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      assertThatThrownBy(() -> AnswerJournal.in(StateFolder.at(folder)))
          .isInstanceOf(AnswerJournal.Taken.class)
          .hasMessageContaining("another run is working on this review");
      journal.keep("one", "unit", said(1));
    }
    assertThat(kept("one")).containsExactly("one");
  }

  /** Tries to open a journal as another run would, and ends with 3 if it is taken. */
  static final class OtherRun {
    private OtherRun() {}

    public static void main(String[] folder) throws IOException {
      try (var journal = AnswerJournal.in(StateFolder.at(Path.of(folder[0])))) {
        System.exit(journal.answer("one").isPresent() ? 0 : 1);
      } catch (AnswerJournal.Taken taken) {
        System.exit(3);
      }
    }
  }

  private int otherRun() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-cp",
            System.getProperty("java.class.path"),
            OtherRun.class.getName(),
            folder.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  @Test
  void another_process_is_refused_as_long_as_it_is_open() throws Exception {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      journal.keep("one", "unit", said(1));
      assertThat(otherRun()).isEqualTo(3);
    }
    assertThat(otherRun()).isZero();
  }

  /** Who ends a run interrupts its units; an answer that has come by then is paid for. */
  @Test
  void an_interrupted_thread_can_keep_its_answer_and_so_can_others_after_it() throws IOException {
    try (var journal = AnswerJournal.in(StateFolder.at(folder))) {
      Thread.currentThread().interrupt();
      try {
        journal.keep("one", "unit", said(1));
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      journal.keep("two", "unit", said(2));
    }
    assertThat(kept("one", "two")).containsExactly("one", "two");
  }

  @Test
  void keys_may_have_odd_characters() throws IOException {
    var keys =
        new String[] {
          "",
          "a\nb",
          "a\r\nb",
          "\"",
          "\\",
          "{\"key\":",
          "ä",
          "\uD83D\uDE00",
          "\u2028",
          "\u0000",
          "key/model #2"
        };
    keep(keys);
    assertThat(kept(keys)).containsExactly(keys);
    assertThat(Files.readString(file()).chars().filter(c -> c == '\n').count())
        .isEqualTo(keys.length);
  }

  @Test
  void threads_keep_at_once_and_no_line_is_mixed() throws Exception {
    int each = 50;
    var keys = IntStream.range(0, 2 * each).mapToObj(i -> "key " + i).toArray(String[]::new);
    var start = new CountDownLatch(1);
    try (var journal = AnswerJournal.in(StateFolder.at(folder));
        var threads = Executors.newFixedThreadPool(2)) {
      var ends =
          IntStream.range(0, 2)
              .<Future<?>>mapToObj(
                  thread ->
                      threads.submit(
                          () -> {
                            start.await();
                            for (int i = thread; i < keys.length; i += 2) {
                              journal.keep(keys[i], "unit", said(i));
                            }
                            return true;
                          }))
              .toList();
      start.countDown();
      for (var end : ends) {
        assertThat(end.get()).isEqualTo(true);
      }
    }
    assertThat(kept(keys)).containsExactly(keys);
    assertThat(Files.readAllLines(file()))
        .hasSize(keys.length)
        .allSatisfy(line -> assertThat(SampleUnits.json(line).path("said").isObject()).isTrue());
  }
}
