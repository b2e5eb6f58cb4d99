package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Cost;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.Usage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is charged for a call, before and after, and how the lane knows. */
class ChargeTest {
  private static final Estimate ESTIMATE = Estimate.of(1_000, 4_000);
  private static final Usage USAGE = new Usage(700, 200, 100, 50, Cost.NOTHING);

  @ParameterizedTest
  @CsvSource({
    "ONE, 1, 1",
    "INPUT, 1000, 800",
    "OUTPUT, 300, 50",
    "INPUT_AND_OUTPUT, 1300, 850",
    "INPUT_AND_MOST_OUTPUT, 5000, 850",
    "MOST_OUTPUT, 4000, 50",
    "LARGER_OF_INPUT_AND_MOST_OUTPUT, 4000, 850"
  })
  void each_way_of_counting_knows_before_and_after(Charge charge, long before, long after) {
    assertThat(charge.before(ESTIMATE, 300)).isEqualTo(before);
    assertThat(charge.after(USAGE)).isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource({
    "requests, ONE, REFUND",
    "input_tokens, INPUT, REFUND",
    "output_tokens, OUTPUT, AS_PRODUCED",
    "tokens, INPUT_AND_OUTPUT, REFUND",
    "images, ONE, REFUND"
  })
  void a_dimension_that_nobody_knows_is_counted_by_its_name(
      String name, Charge charge, AllowanceTerms.Settle settle) {
    var terms = AllowanceTerms.of(new Dimension(name, Duration.ofMinutes(1)));
    assertThat(terms.charge()).isEqualTo(charge);
    assertThat(terms.settle()).isEqualTo(settle);
  }

  @Test
  void impossible_terms_are_refused_with_rule_and_value() {
    assertThatThrownBy(() -> AllowanceTerms.of(Dimension.REQUESTS).limit(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a limit is above 0, but requests has OptionalLong[0]");
    assertThatThrownBy(
            () -> AllowanceTerms.of(Dimension.REQUESTS).enforcedOver(Duration.ofSeconds(61)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a sub-window is at most its period, but requests has PT1M1S");
  }

  @Test
  void an_answer_is_expected_to_be_as_long_as_it_can_be_until_one_was_seen() {
    assertThat(new ExpectedOutput().of("", ESTIMATE)).isEqualTo(4_000);
  }

  @Test
  void the_caller_knows_best() {
    var expected = new ExpectedOutput();
    expected.learn("", 10);
    assertThat(expected.of("", ESTIMATE.expecting(77))).isEqualTo(77);
  }

  @Test
  void each_kind_of_call_is_learned_by_itself() {
    var expected = new ExpectedOutput();
    for (int i = 0; i < 20; i++) {
      expected.learn("summary", 200);
      expected.learn("yes or no", 1);
    }
    assertThat(expected.of("summary", ESTIMATE)).isEqualTo(200);
    assertThat(expected.of("yes or no", ESTIMATE)).isEqualTo(1);
    assertThat(expected.of("other", ESTIMATE)).isEqualTo(4_000);
    assertThat(expected.remember()).containsEntry("summary", 200L).containsEntry("yes or no", 1L);
  }

  @Test
  void the_mean_follows_when_answers_change() {
    var expected = new ExpectedOutput();
    for (int i = 0; i < 50; i++) {
      expected.learn("", 100);
    }
    for (int i = 0; i < 60; i++) {
      expected.learn("", 1_000);
    }
    assertThat(expected.of("", ESTIMATE)).isBetween(990L, 1_000L);
  }

  @Test
  void no_more_is_expected_than_there_can_be() {
    var expected = new ExpectedOutput();
    expected.learn("", 100_000);
    assertThat(expected.of("", ESTIMATE)).isEqualTo(4_000);
  }

  @Test
  void what_one_run_remembers_the_next_expects() {
    var first = new ExpectedOutput();
    first.learn("a", 123);
    var next = new ExpectedOutput();
    first.remember().forEach(next::learn);
    assertThat(next.of("a", ESTIMATE)).isEqualTo(123);
  }

  @Test
  void callers_who_name_every_call_differently_do_not_fill_the_heap() {
    var expected = new ExpectedOutput();
    for (int i = 0; i < 10_000; i++) {
      expected.learn("kind-" + i, 1);
    }
    assertThat(expected.remember()).hasSizeLessThanOrEqualTo(1_000);
  }
}
