package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a lane makes of headers whose period nobody says, and of resets that make no sense. */
class StatedLimitsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  @RegisterExtension final Stage stage = new Stage();

  private static Sighting told(Dimension dimension, long limit, long remaining, double reset) {
    return Sighting.of(dimension, limit, remaining)
        .resetIn(Duration.ofMillis(Math.round(reset * 1000)))
        .guessedFrom("x-ratelimit");
  }

  private void answer(Sighting... sightings) {
    stage.enter(call("call")).reply(answered(Signals.of(sightings)));
    stage.pass(0.1);
  }

  private List<Dimension> dimensions() {
    return stage.learned().allowances().stream().map(LearnedLimits.Learned::dimension).toList();
  }

  @Test
  void a_header_whose_period_is_read_otherwise_is_still_one_limit() {
    answer(told(REQUESTS.per(HOUR), 200, 199, 61));
    answer(told(REQUESTS, 200, 198, 60));
    answer(told(REQUESTS.per(Duration.ofSeconds(10)), 200, 197, 60));
    assertThat(dimensions()).containsExactly(REQUESTS.per(Duration.ofSeconds(10)));
    assertThat(stage.lane().gauges()).hasSize(1);
  }

  @Test
  void a_later_reading_replaces_the_earlier_and_nothing_stands_still() {
    var end = stage.time().seconds() + 60;
    int[] left = {200};
    var roles =
        stage.enter(
            250,
            call("call"),
            n -> {
              double now = stage.time().seconds();
              double reset = now < end ? end - now : 60;
              left[0] = now >= end && left[0] <= 0 ? 200 : left[0];
              boolean in = left[0] > 0;
              left[0] -= in ? 1 : 0;
              double rounded = Math.ceil(reset) + (now < 0.1 ? 1 : 0);
              var period = rounded > 60 ? HOUR : Dimension.MINUTE;
              var signals = Signals.of(told(REQUESTS.per(period), 200, left[0], rounded));
              return new Stage.Answer(0.2, in ? answered(signals) : throttled(signals));
            });
    stage.until(64);
    assertThat(Stage.ended(roles)).isEqualTo(250);
  }

  @Test
  void a_limit_that_replies_no_longer_show_goes_away() {
    answer(told(REQUESTS, 60, 59, 1), Sighting.of(REQUESTS.per(HOUR), 50, 49).resetIn(HOUR));
    assertThat(dimensions()).hasSize(2);
    for (int i = 0; i < 20; i++) {
      answer(told(REQUESTS, 60, 59, 1));
    }
    assertThat(dimensions()).containsExactly(REQUESTS);
  }

  @Test
  void what_an_earlier_run_took_for_an_hour_does_not_come_back() {
    var memory =
        new LearnedLimits.OfLane(
            List.of(
                new LearnedLimits.Learned(REQUESTS.per(HOUR), 200, 200 / 3600.0),
                new LearnedLimits.Learned(REQUESTS, 200, 200 / 60.0)),
            LearnedLimits.Felt.NOTHING,
            Map.of(),
            0,
            Instant.EPOCH);
    stage.with(builder -> builder.memory(new LearnedLimits(Map.of(LANE, memory))));
    answer(told(REQUESTS, 200, 199, 60));
    assertThat(dimensions()).containsExactly(REQUESTS);
  }

  @Test
  void a_period_that_an_earlier_run_has_learned_is_better_than_a_guess() {
    var seven = REQUESTS.per(Duration.ofSeconds(7));
    var memory =
        new LearnedLimits.OfLane(
            List.of(new LearnedLimits.Learned(seven, 30, 30 / 7.0)),
            LearnedLimits.Felt.NOTHING,
            Map.of(),
            0,
            Instant.EPOCH);
    stage.with(builder -> builder.memory(new LearnedLimits(Map.of(LANE, memory))));
    answer(told(REQUESTS, 30, 29, 7));
    assertThat(dimensions()).containsExactly(seven);
  }

  @Test
  void a_body_that_names_the_period_names_that_of_the_header() {
    answer(told(REQUESTS, 1_000, 1, 6));
    stage
        .enter(call("refused"))
        .reply(throttled(Signals.of(Sighting.of(REQUESTS.per(DAY), 1_000, 0))));
    assertThat(dimensions()).containsExactly(REQUESTS.per(DAY));
  }

  @Test
  void a_reset_beyond_the_period_is_as_if_it_had_not_been_said() {
    for (var reset : List.of(Duration.ofHours(20), Duration.ofMinutes(10), DAY)) {
      var world = new Stage();
      var roles =
          world.enter(
              120,
              call("call"),
              n -> {
                long left = Math.max(1, 50 - n);
                return new Stage.Answer(
                    0.2, answered(Signals.of(Sighting.of(REQUESTS, 50, left).resetIn(reset))));
              });
      world.until(300);
      assertThat(Stage.ended(roles)).as("with %s", reset).isEqualTo(120);
    }
  }

  @Test
  void a_lone_remaining_of_zero_is_tried_again_soon_and_then_ever_later() {
    int[] refused = {0};
    var nothing =
        Signals.of(Sighting.of(REQUESTS).remaining(OptionalLong.of(0)).guessedFrom("x-ratelimit"));
    var roles =
        stage.enter(
            4,
            call("call"),
            n -> {
              boolean in = stage.time().seconds() >= 20;
              refused[0] += in ? 0 : 1;
              return new Stage.Answer(0.05, in ? answered() : throttled(nothing));
            });
    stage.until(30);
    assertThat(Stage.ended(roles)).isEqualTo(4);
    assertThat(refused[0]).isLessThanOrEqualTo(20);
  }

  @Test
  void two_headers_for_one_dimension_both_hold_and_the_tighter_is_felt() {
    var provider = told(REQUESTS, 500, 2, 60);
    var gateway = Sighting.of(REQUESTS, 60, 50).guessedFrom("ratelimit-requests");
    answer(provider, gateway);
    var roles = stage.enter(10, call("call"));
    stage.pass(1);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
  }

  @Test
  void a_day_s_limit_is_no_pace_and_is_not_a_minute_s() {
    answer(told(REQUESTS.per(DAY), 14_400, 14_300, 600));
    assertThat(dimensions()).containsExactly(REQUESTS.per(DAY));
  }
}
