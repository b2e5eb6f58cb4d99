package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.RampPlan;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RampTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;

  /** How many calls of a tenth of a second's worth go from then to then. */
  private static int goes(Ramp ramp, long from, long to) {
    int count = 0;
    long now = from;
    long earned = from;
    while (now < to) {
      ramp.charge(SECOND / 10.0, now);
      ramp.went(SECOND / 10.0, now);
      earned += SECOND / 10;
      count++;
      now = Math.max(earned, ramp.availableAt(now));
    }
    return count;
  }

  @Test
  void a_full_share_holds_nothing_back() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    for (int i = 0; i < 1_000; i++) {
      ramp.charge(SECOND, 0);
      assertThat(ramp.availableAt(0)).isZero();
    }
  }

  @Test
  void after_an_acceleration_signal_calls_go_half_as_fast() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    int before = goes(ramp, 0, 30 * SECOND);
    assertThat(before).isEqualTo(300);
    ramp.tooFast(0, 30 * SECOND);
    assertThat(ramp.share(30 * SECOND)).isCloseTo(0.5, within(0.02));
    assertThat(goes(ramp, 30 * SECOND, 60 * SECOND)).isBetween(145, 165);
  }

  @Test
  void half_of_what_was_in_use_if_that_was_less() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    for (int i = 0; i < 30; i++) {
      ramp.charge(0.4 * SECOND, i * SECOND);
      ramp.went(0.4 * SECOND, i * SECOND);
    }
    ramp.tooFast(0, 30 * SECOND);
    assertThat(ramp.share(30 * SECOND)).isCloseTo(0.2, within(0.02));
  }

  @Test
  void then_it_grows_by_half_in_fifteen_minutes_at_most() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    ramp.tooFast(0, 0);
    for (int minute = 0; minute <= 60; minute++) {
      long now = 60L * minute * SECOND;
      double later = ramp.share(now + 15 * 60 * SECOND);
      assertThat(later).isLessThanOrEqualTo(Math.min(1, 1.5 * ramp.share(now)) + 1e-9);
    }
    assertThat(ramp.share(15 * 60 * SECOND)).isCloseTo(0.75, within(1e-9));
    assertThat(ramp.share(60 * 60 * SECOND)).isEqualTo(1);
  }

  @Test
  void many_signals_of_one_moment_are_one() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    for (int i = 0; i < 50; i++) {
      ramp.tooFast(0, i * SECOND / 100);
    }
    assertThat(ramp.share(0)).isEqualTo(0.5);
    ramp.tooFast(0, 10 * SECOND);
    assertThat(ramp.share(10 * SECOND)).isCloseTo(0.25, within(0.01));
  }

  @Test
  void it_never_stops_altogether() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    for (int i = 0; i < 1_000; i++) {
      ramp.tooFast(0, 2L * i * SECOND);
    }
    assertThat(ramp.share(2_000 * SECOND)).isGreaterThanOrEqualTo(0.01);
  }

  @Test
  void a_plan_starts_at_its_share_and_adds_its_step_each_period() {
    var ramp = new Ramp(Optional.of(new RampPlan(0.3, 0.1, Duration.ofDays(1))), 0, 0);
    assertThat(ramp.share(0)).isCloseTo(0.3, within(1e-9));
    assertThat(ramp.share(DAY)).isCloseTo(0.4, within(1e-9));
    assertThat(ramp.share(5 * DAY)).isCloseTo(0.8, within(1e-9));
    assertThat(ramp.share(7 * DAY)).isCloseTo(1, within(1e-9));
    assertThat(ramp.share(100 * DAY)).isEqualTo(1);
    assertThat(goes(ramp, 0, 100 * SECOND)).isBetween(300, 312);
  }

  @Test
  void a_plan_goes_on_where_an_earlier_run_had_come_to() {
    var plan = new RampPlan(0.3, 0.1, Duration.ofDays(1));
    assertThat(new Ramp(Optional.of(plan), 0.6, 0).share(0)).isEqualTo(0.6);
    assertThat(new Ramp(Optional.of(plan), 0.1, 0).share(0))
        .as("not behind its start")
        .isEqualTo(0.3);
  }

  @Test
  void what_went_at_once_is_made_up_for() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    ramp.went(20 * SECOND, 0);
    ramp.went(20 * SECOND, 10 * SECOND);
    ramp.tooFast(0, 10 * SECOND);
    assertThat(ramp.share(10 * SECOND)).isEqualTo(0.5);
    assertThat(ramp.availableAt(10 * SECOND)).isEqualTo(69 * SECOND);
  }

  @Test
  void what_is_in_flight_counts_as_gone() {
    var ramp = new Ramp(Optional.empty(), 0, 0);
    ramp.tooFast(40.0 * SECOND, 10 * SECOND);
    assertThat(ramp.availableAt(10 * SECOND)).isEqualTo(69 * SECOND);
  }

  @Test
  void what_was_too_fast_for_an_earlier_run_is_where_the_next_begins() {
    var ramp = new Ramp(Optional.empty(), 0.4, 0);
    assertThat(ramp.share(0)).isEqualTo(0.4);
    assertThat(ramp.share(15 * 60 * SECOND)).isCloseTo(0.6, within(1e-9));
    assertThat(new Ramp(Optional.empty(), 1, 0).share(0)).isEqualTo(1);
    assertThat(new Ramp(Optional.empty(), Double.NaN, 0).share(0)).isEqualTo(1);
  }

  @Test
  void impossible_plans_are_refused_with_rule_and_value() {
    assertRefused(0, 0.1, Duration.ofDays(1));
    assertRefused(1.1, 0.1, Duration.ofDays(1));
    assertRefused(Double.NaN, 0.1, Duration.ofDays(1));
    assertRefused(0.3, 0, Duration.ofDays(1));
    assertRefused(0.3, Double.NaN, Duration.ofDays(1));
    assertRefused(0.3, 0.1, Duration.ZERO);
  }

  private static void assertRefused(double start, double step, Duration period) {
    assertThatThrownBy(() -> new RampPlan(start, step, period))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a ramp starts above 0 and at most at 1, and grows, but was %s + %s each %s",
            start, step, period);
  }
}
