package dev.flyball.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The lessons of runs. */
class CalibrationTest {
  private static final ModelBehaviour LIKELY =
      new ModelBehaviour(
          new AnswerLatency(Duration.ofMillis(700), Duration.ZERO, 0), AnswerLengths.USUAL);

  /** A run whose answers take half a second and ten milliseconds a token. */
  private static ObservedRun run(double mean, long seed) {
    var random = new SplittableRandom(seed);
    double output = 0;
    double squares = 0;
    double latencies = 0;
    double latencySquares = 0;
    double both = 0;
    int answers = 500;
    for (int i = 0; i < answers; i++) {
      double tokens = mean * (0.5 + random.nextDouble());
      double millis = 500 + 10 * tokens;
      output += tokens;
      squares += tokens * tokens;
      latencies += millis;
      latencySquares += millis * millis;
      both += tokens * millis;
    }
    return new ObservedRun(answers, 1_000, 1_200, output, squares, latencies, latencySquares, both);
  }

  @Test
  void four_runs_are_too_few() {
    var known = Calibration.of(Collections.nCopies(4, run(200, 1)), LIKELY);
    assertThat(known.taught()).isFalse();
    assertThat(known.behaviour()).isEqualTo(LIKELY);
    assertThat(known.inputFactor()).isEqualTo(1);
    assertThat(known.words()).isEqualTo("default");
  }

  /** A run with one answer, which takes half a second and ten milliseconds a token. */
  private static ObservedRun single(double tokens) {
    double millis = 500 + 10 * tokens;
    return new ObservedRun(
        1, 100, 120, tokens, tokens * tokens, millis, millis * millis, tokens * millis);
  }

  @Test
  void answers_of_runs_with_one_each_are_taken_together() {
    var runs = List.of(single(20), single(60), single(40), single(100), single(280));
    var known = Calibration.of(runs, LIKELY);
    assertThat(known.runs()).isEqualTo(5);
    assertThat(known.behaviour().lengths().mean()).isCloseTo(100, within(1e-9));
    assertThat(known.behaviour().lengths().spread()).isBetween(0.6, 1.0);
    assertThat(known.behaviour().latency().first().toMillis()).isBetween(495L, 505L);
    assertThat(known.behaviour().latency().perToken().toNanos()).isBetween(9_900_000L, 10_100_000L);
    assertThat(known.inputFactor()).isCloseTo(1.2, within(1e-9));
  }

  @Test
  void how_long_a_model_takes_is_learned_from_whatever_it_was_asked() {
    var others = List.of(single(20), single(60), single(40), single(100), single(280));
    var known = Calibration.of(List.of(single(50)), others, LIKELY);
    assertThat(known.taught()).isFalse();
    assertThat(known.behaviour().lengths().mean()).isEqualTo(50);
    assertThat(known.behaviour().latency().first().toMillis()).isBetween(495L, 505L);
  }

  @Test
  void five_runs_teach_lengths_latencies_and_tokens() {
    var runs = List.of(run(200, 1), run(210, 2), run(190, 3), run(2_000, 4), run(205, 5));
    var known = Calibration.of(runs, LIKELY);
    assertThat(known.words()).isEqualTo("calibrated on 5 runs");
    // The median: one run that was different changes nothing.
    assertThat(known.behaviour().lengths().mean()).isCloseTo(205, within(6.0));
    assertThat(known.behaviour().latency().first().toMillis()).isBetween(495L, 505L);
    assertThat(known.behaviour().latency().perToken().toNanos()).isBetween(9_900_000L, 10_100_000L);
    assertThat(known.behaviour().latency().spread()).isLessThan(0.02);
    assertThat(known.inputFactor()).isCloseTo(1.2, within(1e-9));
  }

  @Test
  void only_the_last_twenty_count() {
    var runs = new ArrayList<ObservedRun>(Collections.nCopies(20, run(100, 1)));
    runs.addAll(Collections.nCopies(80, run(5_000, 2)));
    var known = Calibration.of(runs, LIKELY);
    assertThat(known.runs()).isEqualTo(20);
    assertThat(known.behaviour().lengths().mean()).isCloseTo(100, within(5.0));
  }

  @Test
  void answers_of_one_length_say_nothing_about_length() {
    var same = new ObservedRun(10, 0, 0, 1_000, 100_000, 9_000, 8_100_000, 900_000);
    var known = Calibration.of(Collections.nCopies(5, same), LIKELY);
    assertThat(known.behaviour().latency())
        .isEqualTo(new AnswerLatency(Duration.ofMillis(900), Duration.ZERO, 0));
    assertThat(known.behaviour().lengths()).isEqualTo(AnswerLengths.exactly(100));
    assertThat(known.inputFactor()).isEqualTo(1);
  }

  @Test
  void runs_without_an_answer_teach_nothing() {
    var runs = new ArrayList<ObservedRun>(Collections.nCopies(4, run(100, 1)));
    runs.add(new ObservedRun(0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(Calibration.of(runs, LIKELY).taught()).isFalse();
  }

  @Test
  void runs_of_empty_answers_are_no_trouble() {
    var embedding = new ObservedRun(10, 100, 100, 0, 0, 9_000, 8_200_000, 0);
    var known = Calibration.of(Collections.nCopies(6, embedding), LIKELY);
    assertThat(known.behaviour().lengths().mean()).isEqualTo(0);
    assertThat(known.behaviour().latency().first()).isEqualTo(Duration.ofMillis(900));
  }
}
