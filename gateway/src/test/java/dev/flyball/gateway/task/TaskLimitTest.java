package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.run.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskLimitTest {
  @Test
  void where_nobody_says_anything_it_is_ten() {
    assertThat(TaskLimit.of(Map.of()).tasks()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "10000,10000", "' 7 ',7", "'\t3\n',3", "0042,42"})
  void a_whole_number_counts_with_or_without_blanks_around_it(String text, int tasks) {
    assertThat(TaskLimit.of(Map.of(TaskLimit.VARIABLE, text)).tasks()).isEqualTo(tasks);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0",
        "-3",
        "+3",
        "0.5",
        "3.7",
        "10001",
        "1e3",
        "0x10",
        "Infinity",
        "NaN",
        "abc",
        "10,000",
        "1_000",
        "99999999999999999999",
        "７",
        "5 5",
        "null"
      })
  void anything_else_is_refused_with_the_rule_and_the_value(String text) {
    assertThatThrownBy(() -> TaskLimit.of(Map.of(TaskLimit.VARIABLE, text)))
        .isInstanceOf(BadSettings.class)
        .hasMessage(
            "FLYBALL_MAX_CONCURRENT_TASKS: a whole number from 1 to 10,000 is expected, but was '"
                + text
                + "'");
  }

  @Test
  void a_value_full_of_commands_for_the_screen_is_shown_harmless_and_short() {
    assertThatThrownBy(
            () -> TaskLimit.of(Map.of(TaskLimit.VARIABLE, "\u001b[2J" + "x".repeat(1_000))))
        .hasMessageContaining("'?[2Jxxx")
        .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(160));
  }

  @Test
  void the_file_of_rules_is_read_again_and_the_environment_counts_more(@TempDir Path folder)
      throws IOException {
    var file = folder.resolve("serve.yaml");
    var rules = new TaskRules(Optional.of(file), Map.of(), TaskSettings.USUAL);
    assertThat(rules.get().room().limit().tasks()).as("no file").isEqualTo(10);
    Files.writeString(file, "reviews:\n  max-concurrent-tasks: 3\n  queue: 20\n  per-tenant: 2\n");
    assertThat(rules.get().room())
        .isEqualTo(new TaskSettings.Room(new TaskLimit(3), 20, OptionalInt.of(2)));
    var environment = Map.of(TaskLimit.VARIABLE, "7");
    var both = new TaskRules(Optional.of(file), environment, TaskSettings.USUAL);
    assertThat(both.get().room().limit().tasks()).isEqualTo(7);
    Files.writeString(file, "max-queue: 5\nreviews:\n  max-concurrent-tasks: 0.5\n");
    assertThatThrownBy(rules::get)
        .isInstanceOf(BadSettings.class)
        .hasMessageContaining("serve.yaml")
        .hasMessageContaining("3")
        .hasMessageContaining("a whole number from 1 to 10,000");
    Files.writeString(file, "reviews:\n  tasks: 4\n");
    assertThatThrownBy(rules::get).hasMessageContaining("known keys are");
  }
}
