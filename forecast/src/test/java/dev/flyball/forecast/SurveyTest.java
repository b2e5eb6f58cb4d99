package dev.flyball.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of repository reviews, figure by figure. */
class SurveyTest {
  @Test
  void the_figures_are_those_of_the_seed() {
    assertThat(ReviewFigures.SYSTEM_PROMPT_TOKENS).isEqualTo(600);
    assertThat(ReviewFigures.FILE_OVERHEAD_TOKENS).isEqualTo(50);
    assertThat(ReviewFigures.OUTPUT_TOKENS_A_FILE).isEqualTo(300);
    assertThat(ReviewFigures.OUTPUT_TOKENS_A_SYMBOL).isEqualTo(150);
    assertThat(ReviewFigures.SECONDS_A_FILE).isEqualTo(4);
    assertThat(ReviewFigures.SECONDS_A_SYMBOL).isEqualTo(0.8);
    assertThat(ReviewFigures.CONCURRENCY_EFFICIENCY).isEqualTo(0.75);
  }

  @Test
  void a_file_is_read_with_its_question_and_its_frame() {
    assertThat(new ReviewedFile(1_000, 4).inputTokens()).isEqualTo(600 + 1_000 + 50);
    assertThat(new ReviewedFile(1_000, 4).outputTokens()).isEqualTo(300 + 4 * 150);
    assertThat(new ReviewedFile(0, 0).outputTokens()).isEqualTo(300);
  }

  @ParameterizedTest
  @CsvSource({"5, 8", "20, 20", "0, 4"})
  void a_file_takes_longer_the_more_symbols_it_has(int symbols, double seconds) {
    assertThat(new ReviewedFile(0, symbols).seconds()).isCloseTo(seconds, within(1e-9));
  }

  @Test
  void a_size_that_cannot_be_is_refused() {
    assertThatThrownBy(() -> new ReviewedFile(-1, 0)).hasMessageContaining("-1");
  }

  @ParameterizedTest
  @CsvSource({
    // One alone loses nothing to others.
    "600, 1, 10",
    "600, 4, 4",
    "600, 2, 7",
    "60, 1, 1",
    "61, 1, 2",
    "1, 1, 1",
    "0, 8, 0",
    "180, 4, 1",
    "181, 4, 2",
  })
  void time_is_shared_among_hands_and_rounded_up_to_minutes(
      double seconds, int concurrency, long minutes) {
    assertThat(Survey.minutes(seconds, concurrency)).isEqualTo(minutes);
  }

  @Test
  void no_hand_is_no_review() {
    assertThatThrownBy(() -> Survey.minutes(1, 0)).hasMessageContaining("was 0");
  }

  @Test
  void every_lens_looks_at_every_file() {
    var files = Collections.nCopies(12, new ReviewedFile(1_000, 5));
    var survey = Survey.of(files, 7, 4);
    assertThat(survey.files()).isEqualTo(12);
    assertThat(survey.symbols()).isEqualTo(60);
    // The seed says "files * 6" in one place and seven lenses everywhere else.
    assertThat(survey.calls()).isEqualTo(84);
    assertThat(survey.inputTokens()).isEqualTo(84 * 1_650);
    assertThat(survey.outputTokens()).isEqualTo(84 * 1_050);
    assertThat(survey.minutes()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1200000, ~1.2M",
    "340000, ~340K",
    "500, ~500",
    "0, ~0",
    "999, ~999",
    "1000, ~1K",
    "1499, ~1K",
    "1500, ~2K",
    "999499, ~999K",
    // Rounded to thousands this was ~1000K.
    "999999, ~1.0M",
    "999500, ~1.0M",
    "1000000, ~1.0M",
    "12345678, ~12.3M",
  })
  void tokens_are_said_in_round_figures(long tokens, String words) {
    assertThat(TokenCount.about(tokens)).isEqualTo(words);
  }
}
