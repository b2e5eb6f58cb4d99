package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.IN_FLIGHT;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LaneProfile;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many attempts of a lane are in flight at one time. */
class SlotsTest {
  private static final Signals PLENTY =
      Signals.of(Sighting.of(REQUESTS, 600_000, 599_000).resetIn(Duration.ofMillis(100)));

  @RegisterExtension final Stage stage = new Stage();

  @Test
  void four_go_at_the_start_and_twice_as_many_soon_while_no_reply_has_come() {
    var roles = stage.enter(100, call("call"));
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
    stage.until(1.249);
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
    stage.until(1.74);
    assertThat(Stage.inFlight(roles)).isEqualTo(8);
    stage.until(2.9);
    assertThat(Stage.inFlight(roles)).as("what the smallest accounts let go").isBetween(40, 48);
    stage.until(4.9);
    assertThat(Stage.inFlight(roles)).isEqualTo(100);
  }

  @Test
  void the_lane_opens_up_when_the_first_headers_state_its_limits() {
    var roles = stage.enter(200, call("call"));
    stage.until(0.5);
    roles.get(0).permit().sighted(PLENTY);
    assertThat(stage.lane().slots()).isEqualTo(512);
    stage.until(6);
    assertThat(Stage.inFlight(roles)).as("as fast as the careful burst lets them").isEqualTo(200);
  }

  @Test
  void a_lane_that_somebody_stopped_lets_nothing_go_until_it_may_go_on() {
    var lane = call("call").lane();
    var early = stage.enter(2, call("call"));
    early.get(0).permit().sighted(PLENTY);
    stage.flyball().pause(lane);
    var late = stage.enter(3, call("call"));
    early.get(0).reply(answered());
    stage.until(100);
    assertThat(Stage.inFlight(late)).isZero();
    assertThat(stage.lane().waitingFor()).contains(Constraint.STOPPED);
    stage.flyball().resume(lane);
    assertThat(Stage.inFlight(late)).isEqualTo(3);
  }

  @Test
  void more_than_the_cap_are_never_in_flight() {
    stage.with(builder -> builder.mostInFlight(3));
    var roles = stage.enter(10, call("call"));
    roles.get(0).permit().sighted(PLENTY);
    stage.until(100);
    assertThat(Stage.inFlight(roles)).isEqualTo(3);
    roles.get(0).reply(answered());
    assertThat(Stage.inFlight(roles)).isEqualTo(3);
  }

  @Test
  void an_overload_halves_what_was_in_flight_once_a_round_trip() {
    var roles = stage.enter(41, call("call"));
    roles.get(0).permit().sighted(PLENTY);
    roles.get(0).reply(answered());
    stage.until(10);
    assertThat(Stage.inFlight(roles)).isEqualTo(40);
    roles.get(1).reply(overloaded());
    roles.get(2).reply(overloaded());
    assertThat(stage.lane().slots()).isEqualTo(20);
    assertThat(stage.events())
        .filteredOn(event -> event instanceof Event.ConcurrencyChanged)
        .last()
        .isEqualTo(new Event.ConcurrencyChanged(Stage.LANE, 20));
  }

  @Test
  void a_429_leaves_a_lane_alone_whose_limits_are_known() {
    var roles = stage.enter(40, call("call"));
    roles.get(0).permit().sighted(PLENTY);
    stage.until(10);
    roles.get(1).reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(1))));
    assertThat(stage.lane().slots()).isEqualTo(512);
  }

  @Test
  void a_429_that_says_nothing_leaves_the_slots_alone() {
    var roles = stage.enter(20, call("call"));
    stage.until(0.4);
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
    roles.get(0).reply(throttled(Signals.NONE));
    assertThat(stage.lane().slots()).as("what is in flight may be the limit, or not").isEqualTo(4);
  }

  @Test
  void where_the_provider_counts_what_is_in_flight_that_is_the_cap() {
    stage.with(builder -> builder.profiles(lane -> LaneProfile.UNKNOWN.inFlight(2)));
    var roles = stage.enter(10, call("call"));
    stage.until(60);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    roles.get(0).reply(throttled(Signals.NONE));
    assertThat(stage.lane().slots()).as("and a 429 halves it").isEqualTo(1);
  }

  @Test
  void where_a_rate_is_stated_a_429_cuts_no_slots_even_there() {
    stage.with(builder -> builder.profiles(lane -> LaneProfile.UNKNOWN.inFlight(8)));
    var roles = stage.enter(10, call("call"));
    roles.get(0).permit().sighted(PLENTY);
    stage.until(10);
    roles.get(1).reply(throttled(Signals.NONE));
    assertThat(stage.lane().slots()).isEqualTo(8);
  }

  @Test
  void a_provider_may_say_how_many_may_be_in_flight() {
    var roles = stage.enter(10, call("call"));
    var three =
        new Sighting(
            IN_FLIGHT,
            OptionalLong.of(3),
            OptionalLong.empty(),
            java.util.Optional.empty(),
            Sighting.Snapshot.UNKNOWN,
            1);
    roles.get(0).reply(answered(Signals.of(three)));
    assertThat(stage.lane().slots()).isEqualTo(3);
    assertThat(Stage.inFlight(roles)).isEqualTo(3);
    assertThat(stage.lane().gauges()).as("it is no allowance").isEmpty();
  }

  @Test
  void without_any_word_from_the_provider_it_doubles_each_second() {
    var roles = stage.enter(400, call("call"), n -> new Stage.Answer(0.25, answered()));
    stage.until(4.1);
    assertThat(stage.lane().slots()).isBetween(32, 70);
    stage.finish();
    assertThat(Stage.ended(roles)).isEqualTo(400);
  }
}
