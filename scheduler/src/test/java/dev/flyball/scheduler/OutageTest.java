package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A provider that is down, and what a lane makes of it. */
class OutageTest {
  private static final Signals PLENTY =
      Signals.of(Sighting.of(REQUESTS, 600_000, 599_000).resetIn(Duration.ofMillis(100)));

  @RegisterExtension final Stage stage = new Stage();

  /** Four calls go and three of them fail. */
  private List<Stage.Role> open() {
    var roles = stage.enter(8, call("call"));
    stage.until(0.4);
    for (int i = 0; i < 3; i++) {
      roles.get(i).reply(overloaded());
    }
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.OPEN);
    return roles;
  }

  @Test
  void after_three_failures_in_a_row_nothing_goes_for_five_seconds_and_then_one() {
    var roles = open();
    stage.until(5.39);
    assertThat(stage.lane().inFlight()).as("one from before").isEqualTo(1);
    assertThat(stage.lane().waitingFor()).contains(Constraint.BREAKER);
    stage.until(5.5);
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.PROBING);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    stage.until(200);
    assertThat(Stage.inFlight(roles)).as("exactly one probe").isEqualTo(2);
  }

  @Test
  void a_whole_outage_costs_one_probe_a_rest() {
    var sent = new ArrayList<Double>();
    var roles =
        stage.enter(
            20,
            call("call"),
            n -> {
              sent.add(stage.time().seconds());
              return new Stage.Answer(0.1, stage.time().seconds() < 60 ? overloaded() : answered());
            });
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    var during = sent.stream().filter(at -> at < 60).toList();
    assertThat(during.subList(0, 4)).as("the start").containsOnly(0.0);
    assertThat(during.size()).as("and a probe each 5 s").isEqualTo(15);
    assertThat(during.get(4)).isCloseTo(5.1, within(0.2));
    assertThat(during.get(5)).isCloseTo(10.2, within(0.3));
    assertThat(during.get(14)).isCloseTo(56, within(1.0));
  }

  @Test
  void a_probe_succeeds_when_its_headers_are_there_and_four_go_again() {
    var roles = open();
    stage.until(5.5);
    roles.get(0).permit().sighted(Signals.NONE);
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
    assertThat(stage.lane().slots()).isEqualTo(4);
    assertThat(stage.lane().inFlight()).isEqualTo(4);
  }

  @Test
  void a_probe_that_is_turned_away_by_a_limit_shows_that_the_provider_is_there() {
    var roles = open();
    stage.until(5.5);
    roles.get(0).reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(1))));
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void a_probe_whose_permit_is_dropped_is_followed_by_another() {
    var roles = open();
    stage.until(5.5);
    roles.get(0).drop();
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.PROBING);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
  }

  @Test
  void neither_probes_nor_what_was_in_flight_count_as_retries() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    var roles =
        stage.enter(
            6,
            call("call"),
            n -> new Stage.Answer(0.1, stage.time().seconds() < 300 ? overloaded() : answered()));
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(roles.get(0).admitted()).as("probed again and again").hasSizeGreaterThan(4);
  }

  @Test
  void half_of_ten_failed_opens_it() {
    stage.enter(call("opener")).reply(answered(PLENTY));
    stage.pass(1);
    var roles = stage.enter(10, call("call"));
    stage.pass(3);
    for (int i = 0; i < 10; i++) {
      assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
      roles.get(i).reply(i % 2 == 0 ? answered() : overloaded());
    }
    // 5 of 11 by now; a sixth failure is more than half.
    var last = stage.enter(call("last"));
    stage.pass(3);
    last.reply(overloaded());
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  void limits_and_rejections_are_no_failures() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(0)));
    for (int i = 0; i < 20; i++) {
      var role = stage.enter(call("call-" + i));
      while (role.waits()) {
        stage.pass(1);
      }
      role.reply(i % 2 == 0 ? throttled(Signals.NONE) : Reply.rejected("no", "never"));
    }
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void a_lane_at_rest_refuses_with_the_time_left_where_nobody_wants_to_wait() {
    stage.with(builder -> builder.refuseWhileResting());
    var roles = open();
    assertThat(roles.get(5).refusal()).isEqualTo(new Refusal.Resting(Duration.ofSeconds(5)));
    stage.until(2.4);
    assertThat(stage.enter(call("later")).refusal())
        .isEqualTo(new Refusal.Resting(Duration.ofSeconds(3)));
    stage.until(5.5);
    assertThat(stage.enter(call("probe")).inFlight()).isTrue();
  }

  @Test
  void other_lanes_go_on() {
    open();
    var other = dev.flyball.call.LaneId.of("stage", "other");
    assertThat(stage.enter(call(other, "elsewhere")).inFlight()).isTrue();
  }

  @Test
  void a_short_outage_is_over_five_seconds_after_it_ended_at_most() {
    stage.with(builder -> builder.mostInFlight(4));
    var answers = new ArrayList<Double>();
    var roles =
        stage.enter(
            200,
            call("call"),
            n -> {
              double now = stage.time().seconds();
              boolean down = now >= 5 && now < 31;
              if (!down) {
                answers.add(now);
              }
              return new Stage.Answer(0.5, down ? broken(true) : answered());
            });
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(answers.stream().filter(at -> at > 5).findFirst().orElseThrow()).isLessThan(36.5);
  }

  @Test
  void a_start_before_the_server_is_waited_out_with_any_number_of_retries() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    for (int count : new int[] {1, 30}) {
      for (double up : new double[] {3, 12, 33, 58}) {
        var start = new Stage().with(b -> b.retries(RetryPolicy.USUAL.atMost(1)));
        double[] first = {0};
        var roles =
            start.enter(
                count,
                call("call"),
                n -> {
                  double now = start.time().seconds();
                  first[0] = first[0] == 0 && now >= up ? now : first[0];
                  return new Stage.Answer(0.05, now < up ? broken(false) : answered());
                });
        start.finish();
        assertThat(roles).as("%s calls, up at %s s", count, up).allMatch(Stage.Role::done);
        assertThat(first[0] - up).as("%s calls, up at %s s", count, up).isLessThan(5.5);
      }
    }
  }

  @Test
  void one_attempt_that_was_long_under_way_does_not_make_a_lane_unreachable() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(1)));
    var roles =
        stage.enter(
            2,
            call("call"),
            n -> n == 1 ? new Stage.Answer(120, broken(true)) : new Stage.Answer(1, answered()));
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
  }

  @Test
  void where_nobody_waits_for_a_minute_a_lane_that_cannot_be_reached_is_given_up_sooner() {
    stage.with(builder -> builder.maxWait(Duration.ofSeconds(2)));
    var roles = stage.enter(30, call("call"), n -> new Stage.Answer(0.05, broken(false)));
    stage.finish();
    assertThat(stage.time().seconds()).isLessThan(3);
    assertThat(roles.getLast().refusal()).asString().contains("never reached", "check");
  }

  @Test
  void a_lane_that_never_had_a_reply_is_given_up_after_a_minute() {
    int[] attempts = {0};
    var roles =
        stage.enter(
            30,
            call("call"),
            n -> {
              attempts[0]++;
              return new Stage.Answer(0.05, broken(false));
            });
    stage.finish();
    assertThat(attempts[0]).as("one each five seconds").isLessThanOrEqualTo(17);
    assertThat(stage.time().seconds()).isBetween(55.0, 66.0);
    assertThat(Stage.ended(roles)).isEqualTo(30);
    assertThat(roles.getLast().refusal()).asString().contains("never reached", "check");
    assertThat(roles).noneMatch(Stage.Role::done);
  }

  @Test
  void one_reply_is_enough_to_know_that_a_lane_can_be_reached() {
    stage.enter(call("first")).reply(Reply.rejected("no", "never"));
    int[] attempts = {0};
    var roles =
        stage.enter(
            6,
            call("call"),
            n -> {
              attempts[0]++;
              return new Stage.Answer(
                  0.05, stage.time().seconds() < 100 ? broken(false) : answered());
            });
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(attempts[0]).isGreaterThan(10);
  }
}
