package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ComplexityTest {
  @Test
  void each_part_counts_once_and_the_sum_ends_at_a_hundred() {
    assertThat(Complexity.of(List.of("docs/guide.md"), "")).isZero();
    assertThat(Complexity.of(List.of("src/auth/a.md", "src/auth/b.md"), "")).isEqualTo(30);
    assertThat(Complexity.of(List.of("db/migration/V1.sql"), "")).isEqualTo(30);
    assertThat(Complexity.of(List.of("README.md"), "A breaking change")).isEqualTo(40);
    assertThat(Complexity.of(List.of("src/Main.java"), "")).isEqualTo(20);
    assertThat(Complexity.of(List.of("src/auth/Api.java"), "BREAKING: all")).isEqualTo(100);
  }

  /** Seed: /api/ matched "capital", /test|spec/ matched "latest" and "inspect". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/capital.md",
        "docs/author.md",
        "docs/obsession.md",
        "docs/reconfigure.md",
        "docs/apiary.md",
        "docs/therapist.md"
      })
  void a_word_inside_another_does_not_count(String path) {
    assertThat(Complexity.of(List.of(path), "unbreaking heartbreaking")).isZero();
  }

  @Test
  void a_name_that_only_contains_test_is_no_test() {
    assertThat(Complexity.of(List.of("src/latest.py"), "")).isEqualTo(20);
    assertThat(Complexity.of(List.of("src/inspect.ts"), "")).isEqualTo(20);
    assertThat(Complexity.of(List.of("src/a.py", "tests/test_a.py"), "")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/auth/x.md",
        "src/AuthService.md",
        "auth_token.md",
        "web/session-store/x.md",
        "src/security/x.md",
        "crypto.md",
        "app/sessions/x.md"
      })
  void whole_words_of_a_path_count(String path) {
    assertThat(Complexity.of(List.of(path), "")).isEqualTo(30);
    assertThat(Complexity.isCritical(path)).isTrue();
  }

  /** Seed: no files gave a ratio that is no number, and no description an exception. */
  @Test
  void nothing_at_all_is_not_complex() {
    assertThat(Complexity.of(List.of(), "")).isZero();
  }

  @Test
  void more_words_and_more_critical_paths_never_lower_it() {
    var random = new Random(7);
    var some = List.of("auth/a.md", "api/b.md", "docs/c.md", "config/d.md", "x/e.md");
    for (int i = 0; i < 1_000; i++) {
      var paths = new ArrayList<String>();
      int before = Complexity.of(paths, "");
      for (int j = 0; j < 5; j++) {
        paths.add(some.get(random.nextInt(some.size())));
        int after = Complexity.of(paths, "");
        assertThat(after).isBetween(before, 100);
        before = after;
      }
      assertThat(Complexity.of(paths, "breaking")).isGreaterThanOrEqualTo(before);
    }
  }
}
