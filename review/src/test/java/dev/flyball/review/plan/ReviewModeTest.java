package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of modes: one for every change, and no simpler one for a larger change. */
final class ReviewModeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, sequential",
    "10, 499, 100, sequential",
    "10, 500, 69, sequential",
    "10, 500, 70, parallel",
    "11, 1, 70, parallel",
    "11, 1, 0, sequential",
    "30, 1999, 70, parallel",
    "30, 1999, 69, sequential",
    "10, 2000, 0, incremental",
    "31, 1, 0, incremental",
    "100, 4999, 0, incremental",
    "10, 5000, 0, chunked",
    "31, 5000, 0, chunked",
    "101, 1, 0, chunked",
    "55, 11420, 50, chunked"
  })
  void the_borders_are_where_the_table_says(int files, int lines, int complexity, String mode) {
    assertThat(ReviewMode.of(files, lines, complexity)).hasToString(mode);
  }

  /** Five listings of the seed disagree; here every triple has one mode, and it is monotone. */
  @Test
  void every_change_has_one_mode_and_a_larger_change_never_a_simpler_one() {
    var random = new Random(4711);
    for (int i = 0; i < 200_000; i++) {
      int files = random.nextInt(130);
      int lines = random.nextInt(6_000);
      int complexity = random.nextInt(101);
      var mode = ReviewMode.of(files, lines, complexity);
      var larger =
          ReviewMode.of(
              files + random.nextInt(20),
              lines + random.nextInt(600),
              complexity + random.nextInt(101 - complexity));
      assertThat(larger)
          .as("more than %d files, %d lines, complexity %d", files, lines, complexity)
          .isGreaterThanOrEqualTo(mode);
    }
  }

  /**
   * Seed: exactly 0.7 was not "more than 0.7", so auth with a breaking change counted as simple.
   */
  @Test
  void seventy_is_complex() {
    int complexity =
        Complexity.of(java.util.List.of("src/auth/Login.java", "test/LoginTest.java"), "breaking");
    assertThat(complexity).isEqualTo(70);
    assertThat(ReviewMode.of(11, 600, complexity)).isEqualTo(ReviewMode.PARALLEL);
  }

  @Test
  void what_cannot_be_is_refused() {
    assertThatThrownBy(() -> ReviewMode.of(-1, 0, 0)).hasMessageContaining("at least 0 files");
    assertThatThrownBy(() -> ReviewMode.of(1, 0, 101)).hasMessageContaining("0 to 100");
    assertThatThrownBy(() -> ReviewMode.of("fast")).hasMessageContaining("sequential, parallel");
    assertThat(ReviewMode.of("chunked")).isEqualTo(ReviewMode.CHUNKED);
  }
}
