package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.TOKENS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.limit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When a call may go, what it is charged, and what a permit is. */
class AdmissionTest {
  private static final AllowanceTerms INPUT = AllowanceTerms.of(INPUT_TOKENS).limit(60_000);
  private static final AllowanceTerms OUTPUT = AllowanceTerms.of(OUTPUT_TOKENS).limit(6_000);

  @RegisterExtension final Stage stage = new Stage();

  private LaneSnapshot.Gauge gauge(Dimension dimension) {
    return stage.lane().gauges().stream()
        .filter(gauge -> gauge.dimension().equals(dimension))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_call_that_fits_goes_at_once() {
    stage.knowing(INPUT);
    assertThat(stage.enter(call("fits", 60_000)).inFlight()).isTrue();
  }

  @Test
  void a_call_that_does_not_fit_goes_at_the_moment_that_was_answered() {
    stage.knowing(INPUT);
    stage.enter(call("first", 60_000)).reply(answered(60_000, 0));
    var second = stage.enter(call("second", 2_500));
    assertThat(second.waiting())
        .isEqualTo(
            new Admission.Wait<String>(
                new Constraint("input tokens"), Optional.of(Duration.ofMillis(2_500))));
    stage.until(2.499);
    assertThat(second.waits()).isTrue();
    stage.until(2.5);
    assertThat(second.inFlight()).isTrue();
  }

  @Test
  void a_call_that_one_limit_holds_back_is_charged_by_none() {
    stage.knowing(INPUT, OUTPUT);
    var first = stage.enter(call("first").estimated(Estimate.of(100, 6_000)));
    var held = stage.enter(call("held").estimated(Estimate.of(500, 10)));
    assertThat(held.waiting().constraint()).isEqualTo(new Constraint("output tokens"));
    assertThat(gauge(INPUT_TOKENS).held()).isEqualTo(100);
    assertThat(gauge(INPUT_TOKENS).level()).isEqualTo(59_900);
    first.reply(answered(100, 0));
    assertThat(held.inFlight()).isTrue();
    assertThat(gauge(INPUT_TOKENS).held()).isEqualTo(500);
    assertThat(gauge(OUTPUT_TOKENS).held()).as("as the first answer was empty").isZero();
  }

  @Test
  void what_is_held_is_at_every_moment_exactly_what_is_in_flight() {
    Seeds.forAll(
        30,
        random -> {
          var world =
              new Stage()
                  .knowing(
                      INPUT,
                      OUTPUT,
                      AllowanceTerms.of(TOKENS).limit(50_000).enforcedOver(Duration.ofSeconds(20)));
          var roles = new ArrayList<Stage.Role>();
          for (int i = 0; i < 60; i++) {
            var estimate = Estimate.of(random.nextInt(5_000), 2_000).expecting(random.nextInt(900));
            roles.add(world.enter(call("call-" + i).estimated(estimate)));
            var flying = roles.stream().filter(Stage.Role::inFlight).toList();
            if (!flying.isEmpty() && random.nextInt(3) > 0) {
              var role = flying.get(random.nextInt(flying.size()));
              switch (random.nextInt(6)) {
                case 0 -> role.drop();
                case 1 -> role.reply(overloaded());
                case 2 -> role.reply(Stage.broken(random.nextBoolean()));
                default -> role.reply(answered(random.nextInt(5_000), random.nextInt(2_000)));
              }
            }
            world.pass(random.nextDouble() * 3);
            long input = 0;
            long output = 0;
            for (var role : roles) {
              input += role.inFlight() ? role.call().estimate().input() : 0;
              output += role.inFlight() ? role.call().estimate().output().orElse(0) : 0;
            }
            for (var gauge : world.lane().gauges()) {
              boolean both = gauge.dimension().equals(TOKENS);
              boolean in = gauge.dimension().equals(INPUT_TOKENS);
              assertThat(gauge.held())
                  .as("%s", gauge.dimension())
                  .isEqualTo(both ? input + output : in ? input : output);
            }
            assertThat(world.lane().inFlight()).isEqualTo(Stage.inFlight(roles));
          }
        });
  }

  @Test
  void a_second_settle_is_refused() {
    var role = stage.enter(call("once"));
    var permit = role.permit();
    role.reply(answered());
    assertThatThrownBy(() -> permit.settle(answered()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("settled exactly once")
        .hasMessageContaining("once to stage/model");
    assertThat(stage.lane().inFlight()).isZero();
    assertThat(stage.lane().metrics().completed()).isEqualTo(1);
  }

  @Test
  void a_permit_that_was_closed_cannot_be_settled() {
    var role = stage.enter(call("dropped"));
    var permit = role.permit();
    role.drop();
    assertThatThrownBy(() -> permit.settle(answered())).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_permit_that_is_closed_without_settling_gives_everything_back() {
    stage.knowing(INPUT, OUTPUT).with(builder -> builder.mostInFlight(1));
    var dropped = stage.enter(call("dropped").estimated(Estimate.of(50_000, 6_000)));
    var next = stage.enter(call("next").estimated(Estimate.of(60_000, 6_000)));
    assertThat(next.waiting().constraint()).isEqualTo(Constraint.SLOT);
    dropped.drop();
    assertThat(next.inFlight()).as("all of it is there again").isTrue();
    assertThat(gauge(INPUT_TOKENS).level()).isZero();
  }

  @Test
  void closing_a_settled_permit_does_nothing() {
    stage.knowing(INPUT);
    var role = stage.enter(call("settled", 1_000));
    var permit = role.permit();
    role.reply(answered(1_000, 0));
    double level = gauge(INPUT_TOKENS).level();
    permit.close();
    permit.close();
    assertThat(gauge(INPUT_TOKENS).level()).isEqualTo(level);
    assertThat(stage.lane().inFlight()).isZero();
  }

  @Test
  void signals_after_the_settling_are_ignored() {
    var role = stage.enter(call("late"));
    var permit = role.permit();
    role.reply(answered());
    permit.sighted(Signals.of(Sighting.of(INPUT_TOKENS, 9, 0)));
    assertThat(stage.lane().gauges()).isEmpty();
  }

  @Test
  void a_call_above_the_stated_limit_is_refused_at_once_with_the_numbers() {
    stage.knowing(INPUT);
    assertThat(stage.enter(call("huge", 60_001)).refusal())
        .isEqualTo(new Refusal.TooLarge(INPUT_TOKENS, 60_001, 60_000));
  }

  @Test
  void a_call_that_waits_while_the_limit_falls_below_it_is_refused_too() {
    stage.knowing(INPUT);
    var first = stage.enter(call("first", 60_000));
    var second = stage.enter(call("second", 40_000));
    assertThat(second.waits()).isTrue();
    first.permit().sighted(Signals.of(Sighting.of(INPUT_TOKENS, 30_000, 0)));
    stage.pass(60);
    assertThat(second.refusal()).isEqualTo(new Refusal.TooLarge(INPUT_TOKENS, 40_000, 30_000));
  }

  @Test
  void what_is_debited_as_it_is_produced_is_never_too_large() {
    stage.knowing(OUTPUT);
    assertThat(stage.enter(call("long").estimated(Estimate.of(1, 1_000_000))).inFlight()).isTrue();
  }

  @Test
  void the_call_after_the_last_place_in_the_queue_is_refused() {
    stage.with(builder -> builder.mostInFlight(1).mostWaiting(2));
    var roles = stage.enter(4, call("call"));
    assertThat(roles.get(2).waits()).isTrue();
    assertThat(roles.get(3).refusal()).isEqualTo(new Refusal.QueueFull(2));
    roles.get(0).reply(answered());
    assertThat(stage.enter(call("again")).waits()).as("there is a place again").isTrue();
  }

  @Test
  void an_estimate_that_was_too_low_is_earned_back_before_the_next_goes() {
    stage.knowing(INPUT);
    stage.enter(call("misjudged", 50_000)).reply(answered(70_000, 0));
    var next = stage.enter(call("next", 1_000));
    stage.until(10.9);
    assertThat(next.waits()).as("10,000 of debt and 1,000 at 1,000 a second").isTrue();
    stage.until(11);
    assertThat(next.inFlight()).isTrue();
  }

  @Test
  void a_limit_in_a_sub_window_lets_its_part_go_and_then_one_after_the_other() {
    stage.knowing(
        AllowanceTerms.of(new Dimension("images", Duration.ofMinutes(1)))
            .limit(120)
            .enforcedOver(Duration.ofSeconds(1)));
    var roles = stage.enter(8, call("call"), n -> new Stage.Answer(0.01, answered()));
    stage.finish();
    for (int i = 0; i < 8; i++) {
      assertThat(roles.get(i).firstAdmitted())
          .as("call %s", i)
          .isCloseTo(Math.max(0, (i - 1) * 0.5), within(0.02));
    }
  }

  @Test
  void several_periods_of_one_name_are_all_kept_to() {
    var images = new Dimension("images", Duration.ofMinutes(1));
    stage.knowing(
        AllowanceTerms.of(images.per(Duration.ofSeconds(1))).limit(2),
        AllowanceTerms.of(images.per(Duration.ofHours(1))).limit(6));
    var roles = stage.enter(8, call("call"), n -> new Stage.Answer(0.01, answered()));
    stage.until(30);
    assertThat(Stage.ended(roles)).as("the hour's six").isEqualTo(6);
    assertThat(roles.get(5).firstAdmitted()).isCloseTo(2, within(0.1));
    stage.until(610);
    assertThat(Stage.ended(roles)).as("one more each ten minutes").isEqualTo(7);
  }

  @Test
  void without_pacing_every_call_is_sent_at_once_and_a_warning_says_so() {
    stage.knowing(INPUT).with(builder -> builder.withoutPacing().mostInFlight(100));
    var first = stage.enter(call("first", 60_000));
    first.permit().sighted(Signals.of(Sighting.of(Dimension.REQUESTS, 1, 0)));
    var roles = stage.enter(50, call("call", 60_000));
    assertThat(Stage.inFlight(roles)).isEqualTo(50);
    assertThat(stage.events())
        .contains(
            new Event.LimitWarning(Stage.LANE, Event.Warning.PACING_IS_OFF, Optional.empty()));
  }

  @Test
  void lanes_do_not_know_of_each_other() {
    stage.knowing(INPUT);
    var other = LaneId.of("stage", "other");
    stage.enter(call("first", 60_000));
    assertThat(stage.enter(call("second", 1_000)).waits()).isTrue();
    assertThat(stage.enter(call(other, "third").estimated(Estimate.of(60_000, 0))).inFlight())
        .isTrue();
  }

  @Test
  void what_the_provider_refuses_for_good_is_final_after_one_attempt() {
    var role = stage.enter(call("bad"));
    role.reply(Reply.rejected("model not found", "name one that exists"));
    assertThat(role.gaveUp()).isEqualTo("model not found: name one that exists");
    assertThat(role.admitted()).hasSize(1);
    assertThat(stage.enter(call("good")).inFlight()).as("others go on").isTrue();
  }

  @Test
  void a_spend_cap_shuts_the_lane_for_as_long_as_it_said() {
    var roles = stage.enter(6, call("call"));
    roles
        .get(0)
        .reply(
            new Reply.Rejected<>("spend cap", "raise it", true, Optional.of(Duration.ofHours(2))));
    assertThat(roles.get(0).gaveUp()).isEqualTo("spend cap: raise it");
    assertThat(roles.get(4).refusal()).isEqualTo(new Refusal.LaneShut("spend cap", "raise it"));
    assertThat(roles.get(1).inFlight()).as("what is in flight may end").isTrue();
    roles.get(1).reply(overloaded());
    assertThat(roles.get(1).gaveUp()).as("and is not tried again").contains("raise it");
    roles.get(2).reply(answered());
    assertThat(roles.get(2).done()).isTrue();
    stage.until(7_199);
    assertThat(stage.enter(call("early")).refusal()).isInstanceOf(Refusal.LaneShut.class);
    stage.until(7_200);
    assertThat(stage.enter(call("later")).inFlight()).isTrue();
  }

  @Test
  void an_answer_that_comes_late_is_an_answer() {
    var role = stage.enter(call("late").within(Duration.ofSeconds(5)));
    stage.until(60);
    role.reply(answered());
    assertThat(role.done()).isTrue();
  }
}
