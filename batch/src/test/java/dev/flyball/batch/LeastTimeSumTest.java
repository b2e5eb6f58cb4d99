package dev.flyball.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.batch.BatchReport.BoundSource;
import dev.flyball.call.BreakerState;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits.Felt;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Metrics;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run is measured against. */
class LeastTimeSumTest {
  private static final double LATENCY = 0.2;

  private final LeastTimeSum sum = new LeastTimeSum(LaneProfile.UNKNOWN);
  private double now = -1_000;
  private double began = Double.NaN;

  /** So many calls, each some seconds after the other. */
  private LeastTimeSumTest calls(int count, double apart) {
    for (int i = 0; i < count; i++) {
      began = Double.isNaN(began) ? now : began;
      sum.answered(
          Estimate.of(10, 10), Usage.of(10, 10), Math.round(now * 1e9), Math.round(LATENCY * 1e9));
      now += apart;
    }
    return this;
  }

  private LeastTimeSumTest pause(double seconds) {
    now += seconds;
    return this;
  }

  /** How long it all took, from the first call to the last answer. */
  private double took(double lastApart) {
    return now - lastApart - began + LATENCY;
  }

  private static LaneSnapshot lane(LaneSnapshot.Gauge... gauges) {
    return new LaneSnapshot(
        LaneId.of("p", "m"),
        0,
        0,
        4,
        BreakerState.CLOSED,
        Optional.empty(),
        Optional.empty(),
        Arrays.asList(gauges),
        0,
        Metrics.NONE);
  }

  private static LaneSnapshot.Gauge stated(double perSecond, double burst, boolean sighted) {
    return new LaneSnapshot.Gauge(
        Dimension.REQUESTS,
        OptionalLong.of(Math.round(perSecond * 60)),
        burst,
        burst,
        perSecond,
        0,
        sighted);
  }

  private BatchReport.Bound bound(Felt felt, LaneSnapshot.Gauge... gauges) {
    return sum.least(lane(gauges), felt, 512);
  }

  private static double seconds(BatchReport.Bound bound) {
    return bound.least().toNanos() / 1e9;
  }

  @Test
  void limits_that_replies_stated_bound_it() {
    var bound = calls(300, 0.1).bound(Felt.NOTHING, stated(10, 10, true));

    assertThat(bound.from()).isEqualTo(BoundSource.STATED);
    assertThat(seconds(bound)).isCloseTo(29.2, within(1e-6));
  }

  @Test
  void without_any_limit_nothing_is_claimed() {
    assertThat(bound(Felt.NOTHING)).isEqualTo(BatchReport.Bound.NONE);
    assertThat(calls(300, 0.1).bound(Felt.NOTHING).from()).isEqualTo(BoundSource.NONE);
    assertThat(bound(Felt.NOTHING, stated(10, 10, false)).from())
        .as("of which no reply has told")
        .isEqualTo(BoundSource.NONE);
  }

  @Test
  void a_limit_that_was_felt_says_so_and_is_about_right_when_it_was() {
    // Ten at once and ten a second, found out exactly.
    var bound = calls(10, 0).calls(290, 0.1).bound(new Felt(10, 10));

    assertThat(bound.from()).isEqualTo(BoundSource.FELT);
    assertThat(seconds(bound)).isBetween(0.95 * 29.2, 29.2 + 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "0.01, 1", "9.9, 3", "1e-9, 0"})
  void a_felt_limit_below_what_was_let_in_is_raised_to_it(double perSecond, double burst) {
    var bound = calls(300, 0.1).bound(new Felt(perSecond, burst));

    assertThat(seconds(bound)).isBetween(20.0, took(0.1) + 1e-6);
  }

  @Test
  void a_stretch_that_went_faster_is_what_was_possible() {
    // Half a minute at ten a second, then two minutes at one, because the guess fell.
    calls(300, 0.1).calls(120, 1);

    var bound = bound(new Felt(1, 1));

    assertThat(took(1)).isCloseTo(149.2, within(0.01));
    assertThat(seconds(bound)).as("420 calls at about ten a second").isBetween(40.0, 50.0);
  }

  @Test
  void a_run_that_stood_still_is_not_perfect_by_its_own_guess() {
    // A window of 100 in 10 s, taken for a bucket that hardly refills.
    calls(100, 0.04).pause(45).calls(25, 4);

    var bound = bound(new Felt(0.25, 1));

    assertThat(bound.from()).isEqualTo(BoundSource.FELT);
    assertThat(seconds(bound)).isLessThan(0.8 * took(4));
  }

  @Test
  void what_is_stated_is_said_where_it_binds_more_than_what_was_felt() {
    calls(300, 0.1);

    assertThat(bound(new Felt(50, 10), stated(10, 10, true)).from()).isEqualTo(BoundSource.STATED);
    assertThat(bound(new Felt(10, 10), stated(100, 600, true)).from()).isEqualTo(BoundSource.FELT);
  }

  @Test
  void answers_that_come_in_any_order_are_counted_when_they_were_sent() {
    var backwards = new LeastTimeSum(LaneProfile.UNKNOWN);
    for (int i = 299; i >= 0; i--) {
      backwards.answered(Estimate.of(1, 1), Usage.of(1, 1), i * 100_000_000L, 200_000_000);
    }
    calls(300, 0.1);

    assertThat(seconds(backwards.least(lane(), new Felt(2, 1), 512)))
        .isCloseTo(seconds(bound(new Felt(2, 1))), within(0.5));
  }

  @Test
  void nothing_is_claimed_to_take_longer_than_it_took() {
    var bound = calls(300, 0.01).bound(Felt.NOTHING, stated(10, 10, true));
    var wall = Duration.ofSeconds(4);

    assertThat(bound.within(wall)).isEqualTo(new BatchReport.Bound(wall, BoundSource.STATED));
    assertThat(bound.within(Duration.ofMinutes(1))).isEqualTo(bound);
    assertThat(List.of(BoundSource.values())).hasToString("[stated, felt, none]");
  }
}
