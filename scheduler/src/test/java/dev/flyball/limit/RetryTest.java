package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.RetryPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pauses before retries, and how many there may be. */
class RetryTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @CsvSource({"0, 4, 6", "1, 8, 12", "2, 16, 24", "3, 32, 48", "4, 64, 96", "5, 96, 144"})
  void five_seconds_doubling_to_a_hundred_and_twenty_spread_by_a_fifth(
      int failures, long least, long most) {
    var policy = new RetryPolicy(5, Duration.ofSeconds(5), Duration.ofSeconds(120), 0.2);
    assertSpread(policy, failures, least * SECOND, most * SECOND);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 4", "3, 8", "4, 16", "5, 32", "6, 60", "60, 60", "100000, 60"})
  void the_usual_pause_is_anything_up_to_a_second_doubling_to_a_minute(int failures, long most) {
    assertSpread(RetryPolicy.USUAL, failures, 0, most * SECOND);
  }

  /** All pauses lie between these, and they come near both. */
  private static void assertSpread(RetryPolicy policy, int failures, long least, long most) {
    var random = new SplittableRandom(failures);
    long low = Long.MAX_VALUE;
    long high = 0;
    for (int i = 0; i < 2_000; i++) {
      long pause = policy.pause(failures, random);
      low = Math.min(low, pause);
      high = Math.max(high, pause);
    }
    long near = (most - least) / 20;
    assertThat(low).isBetween(least, least + near);
    assertThat(high).isBetween(most - near, most);
  }

  @Test
  void without_jitter_the_pause_is_the_same_each_time() {
    var policy = new RetryPolicy(5, Duration.ofSeconds(5), Duration.ofSeconds(120), 0);
    var random = new SplittableRandom(1);
    assertThat(policy.pause(0, random)).isEqualTo(5 * SECOND);
    assertThat(policy.pause(4, random)).isEqualTo(80 * SECOND);
    assertThat(policy.pause(5, random)).isEqualTo(120 * SECOND);
  }

  /** A lane with something in flight. */
  private static Concurrency busy() {
    var slots = new Concurrency(4);
    slots.charge(0);
    return slots;
  }

  @Test
  void where_nothing_is_in_flight_one_may_always_go() {
    var slots = new Concurrency(4);
    var budget = new RetryBudget(slots);
    for (int i = 0; i < 50; i++) {
      assertThat(budget.availableAt(0)).isZero();
      budget.retry(0);
    }
    slots.charge(0);
    assertThat(budget.availableAt(0)).isPositive();
  }

  @Test
  void ten_retries_are_free() {
    var budget = new RetryBudget(busy());
    for (int i = 0; i < 10; i++) {
      assertThat(budget.availableAt(0)).isZero();
      budget.retry(0);
    }
    assertThat(budget.availableAt(0)).isPositive();
  }

  @Test
  void and_a_fifth_of_the_first_attempts_of_the_last_minute() {
    var budget = new RetryBudget(busy());
    for (int i = 0; i < 100; i++) {
      budget.first(i * SECOND / 10);
    }
    long now = 30 * SECOND;
    for (int i = 0; i < 30; i++) {
      assertThat(budget.availableAt(now)).as("retry %s", i).isEqualTo(now);
      budget.retry(now);
    }
    assertThat(budget.availableAt(now)).isGreaterThan(now);
  }

  @Test
  void what_is_older_than_a_minute_no_longer_counts() {
    var budget = new RetryBudget(busy());
    for (int i = 0; i < 1_000; i++) {
      budget.first(0);
    }
    for (int i = 0; i < 10; i++) {
      budget.retry(61 * SECOND);
    }
    assertThat(budget.availableAt(61 * SECOND)).as("the first attempts are gone").isGreaterThan(61);
    long later = 122 * SECOND;
    assertThat(budget.availableAt(later)).as("the retries are gone").isEqualTo(later);
  }

  @Test
  void an_empty_budget_is_asked_again_until_it_has_room() {
    var budget = new RetryBudget(busy());
    for (int i = 0; i < 10; i++) {
      budget.retry(5 * SECOND);
    }
    long now = 5 * SECOND;
    while (budget.availableAt(now) > now) {
      now = budget.availableAt(now);
    }
    assertThat(now).isEqualTo(65 * SECOND);
  }

  @Test
  void a_retry_goes_only_while_the_last_minute_had_less_than_ten_and_a_fifth() {
    Seeds.forAll(
        50,
        random -> {
          var budget = new RetryBudget(busy());
          int[] firsts = new int[600];
          int[] retries = new int[600];
          for (int second = 0; second < 600; second++) {
            for (int i = random.nextInt(20); i > 0; i--) {
              budget.first(second * SECOND);
              firsts[second]++;
            }
            while (budget.availableAt(second * SECOND) <= second * SECOND) {
              budget.retry(second * SECOND);
              retries[second]++;
            }
            int allFirsts = 0;
            int allRetries = 0;
            for (int past = Math.max(0, second - 59); past <= second; past++) {
              allFirsts += firsts[past];
              allRetries += retries[past];
            }
            if (retries[second] > 0) {
              assertThat((double) allRetries).isLessThan(10 + 0.2 * allFirsts + 1);
            }
          }
        });
  }

  @Test
  void impossible_policies_are_refused_with_rule_and_value() {
    assertRefused(() -> RetryPolicy.USUAL.atMost(-1), "maxRetries is at least 0, but was -1");
    assertRefused(
        () -> new RetryPolicy(1, Duration.ZERO, Duration.ofSeconds(1), 1),
        "the base pause is above 0 and at most the cap, and that at most a day, but they were PT0S"
            + " and PT1S");
    assertRefused(
        () -> new RetryPolicy(1, Duration.ofSeconds(2), Duration.ofSeconds(1), 1),
        "the base pause is above 0 and at most the cap, and that at most a day, but they were PT2S"
            + " and PT1S");
    assertRefused(
        () -> new RetryPolicy(1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1.1),
        "a jitter is between 0 and 1, but was 1.1");
    assertRefused(
        () -> new RetryPolicy(1, Duration.ofSeconds(1), Duration.ofSeconds(1), Double.NaN),
        "a jitter is between 0 and 1, but was NaN");
  }

  private static void assertRefused(Runnable construction, String message) {
    assertThatThrownBy(construction::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
