package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.RampPlan;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Traffic that may not grow faster than the provider stands. */
class RampedLaneTest {
  private static final AllowanceTerms LIMIT = AllowanceTerms.of(INPUT_TOKENS).limit(60_000);

  @RegisterExtension final Stage stage = new Stage();

  /** When calls of a second's worth each went, while more are always waiting. */
  private final List<Double> sent = new ArrayList<>();

  private void demand(int calls, double tooFastAt) {
    boolean[] told = {false};
    for (int i = 0; i < calls; i++) {
      stage.enter(
          call("call-" + i, 1_000),
          n -> {
            boolean first = !told[0] && stage.time().seconds() >= tooFastAt;
            told[0] |= first;
            sent.add(stage.time().seconds());
            return new Stage.Answer(
                0.1, first ? throttled(Signals.NONE.tooFast()) : answered(1_000, 0));
          });
    }
  }

  private long sentBetween(double from, double to) {
    return sent.stream().filter(at -> at >= from && at < to).count();
  }

  @Test
  void after_an_acceleration_signal_it_goes_half_as_fast_and_then_slowly_faster() {
    stage.knowing(LIMIT);
    demand(4_000, 200);
    stage.finish();
    assertThat(sentBetween(100, 200)).as("all that the limit allows").isBetween(98L, 102L);
    assertThat(sentBetween(210, 310)).as("half of it").isBetween(48L, 56L);
    long minute = sentBetween(210, 270);
    for (double from = 270; from < 1_600; from += 60) {
      long later = sentBetween(from, from + 60);
      assertThat(later)
          .as("a minute from %s on", from)
          .isLessThanOrEqualTo((long) (minute * Math.pow(1.5, (from - 210) / 900) + 3));
    }
    assertThat(sentBetween(200 + 15 * 60, 200 + 16 * 60)).isBetween(42L, 48L);
    assertThat(stage.lane().metrics().throttledBy()).containsOnlyKeys("acceleration");
  }

  @Test
  void a_plan_of_a_third_holds_from_the_first_call_on() {
    stage.knowing(LIMIT).with(builder -> builder.ramp(new RampPlan(0.3, 0.1, Duration.ofDays(1))));
    demand(200, Double.POSITIVE_INFINITY);
    stage.until(100);
    assertThat(sentBetween(0, 100)).isBetween(29L, 32L);
    assertThat(stage.lane().waitingFor()).contains(Constraint.RAMP);
  }

  @Test
  void a_plan_goes_on_in_the_next_run() {
    var plan = new RampPlan(0.3, 0.1, Duration.ofDays(1));
    stage.knowing(LIMIT).with(builder -> builder.ramp(plan));
    stage.enter(call("early", 10)).reply(answered(10, 0));
    stage.until(3 * 86_400);
    var memory = stage.flyball().memory();
    assertThat(stage.learned().rampShare()).isBetween(0.59, 0.61);
    var next = new Stage().knowing(LIMIT).with(builder -> builder.ramp(plan).memory(memory));
    var roles =
        next.enter(200, call("call", 1_000), n -> new Stage.Answer(0.1, answered(1_000, 0)));
    next.until(100);
    assertThat(Stage.ended(roles)).isBetween(58, 63);
  }

  @Test
  void a_plan_that_has_come_to_its_end_holds_nothing_back() {
    stage
        .knowing(LIMIT)
        .with(builder -> builder.ramp(new RampPlan(0.3, 0.1, Duration.ofSeconds(1))));
    stage.enter(call("early", 10)).reply(answered(10, 0));
    stage.until(10);
    demand(60, Double.POSITIVE_INFINITY);
    stage.until(20);
    assertThat(sent).hasSizeGreaterThan(50);
  }
}
