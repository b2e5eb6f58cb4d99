package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LaneId;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long there may be no progress. */
class MaxWaitTest {
  private static final LaneId OTHER = LaneId.of("stage", "other");

  @RegisterExtension
  final Stage stage = new Stage().with(builder -> builder.maxWait(Duration.ofMinutes(15)));

  private static Signals hours(long hours) {
    return Signals.NONE.retryAfter(Duration.ofHours(hours));
  }

  @Test
  void a_lane_that_is_parked_for_longer_is_refused_at_once_with_the_time_left() {
    var roles = stage.enter(3, call("call"));
    roles.get(0).reply(answered());
    roles.get(1).reply(answered());
    roles.get(2).reply(throttled(hours(14)));
    assertThat(roles.get(2).refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(14)));
  }

  @Test
  void everything_that_waits_in_it_is_refused_and_so_is_what_comes_later() {
    stage.with(builder -> builder.mostInFlight(1));
    var roles = stage.enter(5, call("call"));
    roles.get(0).reply(throttled(hours(14)));
    assertThat(Stage.ended(roles)).isEqualTo(5);
    stage.pass(3_600);
    assertThat(stage.enter(call("later")).refusal())
        .isEqualTo(new Refusal.Parked(Duration.ofHours(13)));
  }

  @Test
  void a_shorter_wait_is_waited_out() {
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofMinutes(14))));
    stage.pass(14 * 60);
    assertThat(role.inFlight()).isTrue();
  }

  @Test
  void whoever_waits_for_ever_is_never_refused() {
    var patient = new Stage().with(b -> b.maxWait(ChronoUnit.FOREVER.getDuration()));
    var role = patient.enter(call("call"));
    role.reply(throttled(hours(14)));
    patient.until(14 * 3_600);
    assertThat(role.inFlight()).isTrue();
  }

  @Test
  void what_is_in_flight_in_the_lane_is_waited_for() {
    var roles = stage.enter(2, call("call"));
    roles.get(0).reply(throttled(hours(14)));
    stage.pass(3_600);
    assertThat(roles.get(0).waits()).isTrue();
    roles.get(1).reply(answered());
    assertThat(roles.get(0).refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(13)));
  }

  @Test
  void another_lane_that_can_go_keeps_a_parked_one_alive() {
    stage.with(builder -> builder.mostInFlight(1));
    var busy = stage.enter(3, call(OTHER, "busy"));
    var parked = stage.enter(call("parked"));
    parked.reply(throttled(hours(14)));
    stage.pass(3_600);
    busy.get(0).reply(answered());
    stage.pass(3_600);
    assertThat(busy.get(1).inFlight()).isTrue();
    assertThat(parked.waits()).isTrue();
  }

  @Test
  void two_parked_lanes_are_refused_together_with_the_shorter_time() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(2, call("first"));
    var second = stage.enter(2, call(OTHER, "second"));
    first.get(0).reply(throttled(hours(14)));
    assertThat(first.get(1).waits()).isTrue();
    second.get(0).reply(throttled(hours(3)));
    assertThat(first.get(1).refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(3)));
    assertThat(second.get(1).refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(3)));
  }

  @Test
  void queueing_in_turn_is_no_such_wait() {
    stage.with(builder -> builder.mostInFlight(1));
    stage.enter(call("first"));
    var second = stage.enter(call("second"));
    stage.pass(10 * 3_600);
    assertThat(second.waits()).isTrue();
  }

  @Test
  void fifteen_minutes_are_usual() {
    var usual = new Stage();
    var role = usual.enter(call("call"));
    role.reply(throttled(hours(14)));
    assertThat(role.refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(14)));
  }

  static List<Reply<String>> refusals() {
    return List.of(
        throttled(Signals.NONE),
        throttled(Signals.NONE.retryAfter(Duration.ofSeconds(30))),
        throttled(Signals.NONE.tooFast()),
        overloaded(),
        new Reply.Overloaded<>("busy", Signals.NONE.retryAfter(Duration.ofSeconds(30))));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void what_is_refused_for_ever_ends_whatever_is_tried_meanwhile(Reply<String> refusal) {
    for (int count : new int[] {1, 20}) {
      var world = new Stage();
      var roles = world.enter(count, call("call"), n -> new Stage.Answer(0.2, refusal));
      world.until(12 * 60);
      assertThat(Stage.ended(roles)).as("of %s calls", count).isZero();
      world.until(17 * 60);
      assertThat(Stage.ended(roles)).isEqualTo(count);
      assertThat(roles).allMatch(r -> r.refusal() instanceof Refusal.Parked);
      assertThat(((Refusal.Parked) roles.getFirst().refusal()).left())
          .isBetween(Duration.ofMillis(1), Duration.ofSeconds(61));
      Stage.assertClean(world.flyball());
    }
  }

  @Test
  void one_answer_begins_the_time_anew() {
    var roles =
        stage.enter(
            3,
            call("call"),
            n -> {
              double now = stage.time().seconds();
              boolean good = now >= 12 * 60 && now < 13 * 60;
              return new Stage.Answer(0.2, good ? answered() : throttled(Signals.NONE));
            });
    stage.until(13 * 60);
    int done = (int) roles.stream().filter(Stage.Role::done).count();
    assertThat(done).isBetween(1, 3);
    var later = stage.enter(call("later"), n -> new Stage.Answer(0.2, throttled(Signals.NONE)));
    stage.until(26 * 60);
    assertThat(later.ended()).isFalse();
    stage.until(31 * 60);
    assertThat(later.refusal()).isInstanceOf(Refusal.Parked.class);
  }

  @Test
  void a_call_that_is_worked_on_for_longer_is_waited_for() {
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofMinutes(1))));
    stage.until(120);
    stage.pass(3_600);
    role.reply(new Reply.Broken<>("timed out", true));
    stage.pass(60);
    assertThat(role.inFlight()).as("and tried again").isTrue();
  }

  @Test
  void who_comes_after_the_end_has_the_whole_time_again() {
    stage.enter(call("first"), n -> new Stage.Answer(0.2, throttled(Signals.NONE)));
    stage.until(20 * 60);
    var second = stage.enter(call("second"), n -> new Stage.Answer(0.2, throttled(Signals.NONE)));
    stage.until(32 * 60);
    assertThat(second.ended()).isFalse();
    stage.finish();
    assertThat(second.refusal()).isInstanceOf(Refusal.Parked.class);
  }

  @Test
  void an_outage_ends_when_nothing_was_answered_for_so_long() {
    var roles = stage.enter(10, call("call"), n -> new Stage.Answer(0.1, overloaded()));
    stage.until(13 * 60);
    assertThat(Stage.ended(roles)).isZero();
    stage.until(16 * 60);
    assertThat(Stage.ended(roles)).isEqualTo(10);
    assertThat(roles).allSatisfy(r -> assertThat(r.refusal()).isInstanceOf(Refusal.Parked.class));
  }
}
