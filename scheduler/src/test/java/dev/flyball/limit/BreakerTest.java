package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.call.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final long SECOND = 1_000_000_000L;

  private record Sent(boolean awaited, long at) {}

  private final Breaker breaker = new Breaker(RetryPolicy.Breaker.USUAL);

  /** An attempt that was sent and has come back at once. */
  private boolean comesBack(boolean good, long now) {
    boolean awaited = breaker.charge();
    return good ? breaker.succeeded(awaited, now, now) : breaker.failed(awaited, now, now);
  }

  private void open(long now) {
    while (breaker.state() == BreakerState.CLOSED) {
      comesBack(false, now);
    }
  }

  @Test
  void three_failures_in_a_row_open_it_when_there_were_few_calls() {
    assertThat(comesBack(false, 0)).isFalse();
    assertThat(comesBack(false, 0)).isFalse();
    assertThat(comesBack(false, 0)).isTrue();
    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
  }

  private static int failuresUntilOpen(RetryPolicy.Breaker policy, int before) {
    var breaker = new Breaker(policy);
    for (int i = 0; i < before; i++) {
      breaker.succeeded(breaker.charge(), i, i);
    }
    int failures = 0;
    while (breaker.state() == BreakerState.CLOSED) {
      failures++;
      breaker.failed(breaker.charge(), SECOND, SECOND);
    }
    assertThat(breaker.until()).isEqualTo(SECOND + policy.rest().toNanos());
    return failures;
  }

  @Test
  void who_wants_another_number_of_failures_or_another_rest_gets_that() {
    var minute = Duration.ofMinutes(1);
    assertThat(failuresUntilOpen(new RetryPolicy.Breaker(1, minute), 0)).isOne();
    assertThat(failuresUntilOpen(new RetryPolicy.Breaker(2, minute), 50)).isEqualTo(2);
    assertThat(failuresUntilOpen(RetryPolicy.Breaker.USUAL, 0)).isEqualTo(3);
    assertThat(failuresUntilOpen(RetryPolicy.Breaker.USUAL, 50)).isEqualTo(5);
    assertThat(failuresUntilOpen(new RetryPolicy.Breaker(8, minute), 0)).isEqualTo(8);
    assertThat(failuresUntilOpen(new RetryPolicy.Breaker(8, minute), 50)).isEqualTo(8);
  }

  @Test
  void a_rest_longer_than_a_minute_stays_as_long() {
    var breaker = new Breaker(new RetryPolicy.Breaker(1, Duration.ofMinutes(2)));
    breaker.failed(breaker.charge(), 0, 0);
    long now = breaker.until();
    breaker.failed(breaker.charge(), now, now);
    assertThat(breaker.until()).isEqualTo(now + 120 * SECOND);
  }

  @Test
  void a_success_between_begins_the_row_anew() {
    for (int i = 0; i < 2; i++) {
      comesBack(false, i);
      comesBack(false, i);
      assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
      comesBack(true, i);
      comesBack(true, i);
    }
    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void half_of_ten_failed_opens_it() {
    for (int i = 0; i < 5; i++) {
      comesBack(true, 0);
      assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
      comesBack(false, 0);
    }
    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  void less_than_half_does_not() {
    for (int i = 0; i < 100; i++) {
      comesBack(i % 5 < 3, i * SECOND / 10);
      assertThat(breaker.state()).as("call %s", i).isEqualTo(BreakerState.CLOSED);
    }
  }

  @Test
  void what_is_older_than_thirty_seconds_does_not_count() {
    for (int i = 0; i < 100; i++) {
      comesBack(true, 0);
    }
    // Against a hundred successes three failures are nothing; against none they are an outage.
    for (int i = 0; i < 3; i++) {
      comesBack(false, 31 * SECOND);
    }
    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  void what_is_younger_counts() {
    for (int i = 0; i < 100; i++) {
      comesBack(true, 0);
    }
    for (int i = 0; i < 4; i++) {
      comesBack(false, 28 * SECOND);
      assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }
  }

  @Test
  void five_in_a_row_open_it_whatever_came_before() {
    for (int i = 0; i < 1_000; i++) {
      comesBack(true, 0);
    }
    for (int i = 0; i < 4; i++) {
      assertThat(comesBack(false, SECOND)).isFalse();
    }
    assertThat(comesBack(false, SECOND)).isTrue();
  }

  @Test
  void what_was_sent_no_later_than_something_that_was_answered_does_not_fail_in_a_row() {
    for (int round = 0; round < 20; round++) {
      long sentAt = round * SECOND;
      long now = sentAt + SECOND / 5;
      for (int i = 0; i < 10; i++) {
        breaker.succeeded(breaker.charge(), sentAt, now);
      }
      for (int i = 0; i < 6; i++) {
        breaker.failed(breaker.charge(), sentAt, now);
      }
      assertThat(breaker.state()).as("round %s", round).isEqualTo(BreakerState.CLOSED);
    }
  }

  @Test
  void an_answer_to_what_was_sent_among_the_failures_closes_it_because_there_was_no_outage() {
    boolean early = breaker.charge();
    open(0);
    assertThat(breaker.succeeded(early, 0, SECOND / 5)).as("it is no probe").isFalse();
    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void an_answer_to_what_was_sent_before_the_failures_says_nothing() {
    boolean early = breaker.charge();
    comesBack(false, SECOND);
    comesBack(false, SECOND);
    breaker.succeeded(early, 0, 2 * SECOND);
    comesBack(false, 2 * SECOND);
    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  void after_two_failures_in_a_row_calls_go_one_at_a_time() {
    comesBack(false, 0);
    comesBack(false, 0);
    assertThat(breaker.availableAt(1)).isEqualTo(1);
    assertThat(breaker.charge()).as("the others wait for it").isTrue();
    assertThat(breaker.availableAt(1)).isEqualTo(Long.MAX_VALUE);
    breaker.succeeded(true, 1, 2);
    assertThat(breaker.availableAt(2)).isEqualTo(2);
    assertThat(breaker.charge()).isFalse();
  }

  @Test
  void a_test_that_is_withdrawn_makes_room_for_another() {
    comesBack(false, 0);
    comesBack(false, 0);
    breaker.charge();
    breaker.withdrawn(1, 1);
    assertThat(breaker.availableAt(1)).isEqualTo(1);
  }

  @Test
  void it_rests_five_seconds_for_half_a_minute_and_then_twice_as_long_each_time_up_to_sixty() {
    comesBack(true, 0);
    assertThat(rests(SECOND, 12))
        .containsExactly(5L, 5L, 5L, 5L, 5L, 5L, 10L, 20L, 40L, 60L, 60L, 60L);
  }

  @Test
  void where_nothing_was_ever_answered_it_rests_five_seconds_for_a_minute() {
    assertThat(rests(0, 15))
        .containsExactly(5L, 5L, 5L, 5L, 5L, 5L, 5L, 5L, 5L, 5L, 5L, 5L, 10L, 20L, 40L);
  }

  /** How long it rests, again and again, after it opened. */
  private List<Long> rests(long opened, int count) {
    open(opened);
    long now = opened;
    var rests = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      rests.add((breaker.until() - now) / SECOND);
      assertThat(breaker.availableAt(now)).isEqualTo(breaker.until());
      now = breaker.until();
      assertThat(comesBack(false, now)).isTrue();
    }
    return rests;
  }

  @Test
  void exactly_one_probe_goes_after_each_rest() {
    open(0);
    long end = breaker.until();
    assertThat(breaker.availableAt(end - 1)).isEqualTo(end);
    assertThat(breaker.availableAt(end)).isEqualTo(end);
    assertThat(breaker.charge()).isTrue();
    assertThat(breaker.state()).isEqualTo(BreakerState.PROBING);
    assertThat(breaker.availableAt(end + 1_000 * SECOND)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_probe_that_succeeds_closes_it_and_the_next_rest_is_short_again() {
    open(0);
    comesBack(false, breaker.until());
    long now = breaker.until();
    assertThat(comesBack(true, now)).isTrue();
    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    assertThat(breaker.availableAt(now)).isEqualTo(now);
    open(now);
    assertThat(breaker.until() - now).isEqualTo(5 * SECOND);
  }

  @Test
  void a_probe_that_is_withdrawn_lets_the_next_go_at_once() {
    open(0);
    long now = breaker.until();
    breaker.charge();
    breaker.withdrawn(now, now + 3);
    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    assertThat(breaker.availableAt(now + 3)).isEqualTo(now + 3);
  }

  @Test
  void what_comes_back_from_before_the_opening_changes_nothing() {
    open(2 * SECOND);
    long until = breaker.until();
    assertThat(breaker.failed(false, 0, 2 * SECOND)).isFalse();
    assertThat(breaker.succeeded(false, 0, 2 * SECOND)).isFalse();
    assertThat(breaker.until()).isEqualTo(until);
    breaker.charge();
    assertThat(breaker.failed(false, 0, 7 * SECOND)).isFalse();
    assertThat(breaker.succeeded(false, 0, 7 * SECOND)).isFalse();
    assertThat(breaker.state()).isEqualTo(BreakerState.PROBING);
  }

  @Test
  void it_knows_which_attempts_were_on_their_way_when_it_opened() {
    assertThat(breaker.caught(0)).isFalse();
    open(SECOND);
    assertThat(breaker.caught(0)).isTrue();
    assertThat(breaker.caught(SECOND)).isTrue();
    assertThat(breaker.caught(SECOND + 1)).isFalse();
  }

  @Test
  void it_never_locks_up() {
    Seeds.forAll(
        500,
        random -> {
          var any = new Breaker(RetryPolicy.Breaker.USUAL);
          var flying = new ArrayList<Sent>();
          long now = 0;
          for (int i = 0; i < 300; i++) {
            now += random.nextLong(4 * SECOND);
            if (any.availableAt(now) <= now && flying.size() < 6) {
              flying.add(new Sent(any.charge(), now));
            } else if (!flying.isEmpty()) {
              var back = flying.remove(random.nextInt(flying.size()));
              switch (random.nextInt(3)) {
                case 0 -> any.succeeded(back.awaited(), back.at(), now);
                case 1 -> any.failed(back.awaited(), back.at(), now);
                default -> {
                  if (back.awaited()) {
                    any.withdrawn(back.at(), now);
                  }
                }
              }
            }
            if (flying.isEmpty()) {
              assertThat(any.availableAt(now)).isLessThanOrEqualTo(now + 60 * SECOND);
            }
          }
        });
  }
}
