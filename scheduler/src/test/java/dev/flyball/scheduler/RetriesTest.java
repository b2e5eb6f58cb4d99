package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetriesTest {
  @RegisterExtension final Stage stage = new Stage();

  static List<Reply<String>> failures() {
    return List.of(
        overloaded(),
        broken(true),
        broken(false),
        new Reply.CutShort<>("cut", Usage.NONE, Signals.NONE));
  }

  /** Fails a call, and answers enough others that the lane is known to be well. */
  private static void fail(Stage on, Stage.Role role, Reply<String> failure) {
    role.reply(failure);
    keepWell(on);
  }

  private static void keepWell(Stage on) {
    for (int i = 0; i < 3; i++) {
      on.enter(call("well"), n -> new Stage.Answer(0, answered()));
      on.pass(0);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_failed_call_is_tried_again_as_often_as_allowed(Reply<String> failure) {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(3)));
    keepWell(stage);
    var role = stage.enter(call("failing"));
    while (!role.ended()) {
      if (role.inFlight()) {
        fail(stage, role, failure);
      }
      stage.pass(1);
    }
    assertThat(role.admitted()).hasSize(4);
    var gaveUp = (Outcome.GaveUp<String>) role.outcome();
    assertThat(gaveUp.attempts()).isEqualTo(4);
    assertThat(gaveUp.last()).contains(failure);
    assertThat(gaveUp.why()).contains("4 attempts");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void with_no_retries_there_is_one_attempt_whatever_happens(Reply<String> failure) {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(0)));
    keepWell(stage);
    var role = stage.enter(call("failing"));
    role.reply(failure);
    assertThat(role.outcome()).isInstanceOf(Outcome.GaveUp.class);
    stage.finish();
    assertThat(role.admitted()).hasSize(1);
  }

  @Test
  void five_retries_are_usual() {
    keepWell(stage);
    var role = stage.enter(call("failing"));
    while (!role.ended()) {
      if (role.inFlight()) {
        fail(stage, role, overloaded());
      }
      stage.pass(0.5);
    }
    assertThat(role.admitted()).hasSize(6);
  }

  @Test
  void the_pauses_before_retries_double_and_are_spread() {
    Seeds.forAll(
        30,
        random -> {
          var policy = new RetryPolicy(6, Duration.ofSeconds(5), Duration.ofSeconds(120), 0.2);
          var world =
              new Stage()
                  .with(
                      builder ->
                          builder.retries(policy).random(new SplittableRandom(random.nextLong())));
          keepWell(world);
          var role = world.enter(call("failing"));
          double[] least = {4, 8, 16, 32, 64, 96};
          for (int failure = 0; failure < 6; failure++) {
            double failedAt = world.time().seconds();
            fail(world, role, overloaded());
            assertThat(role.waiting().constraint()).isEqualTo(Constraint.RETRY);
            while (role.waits()) {
              assertThat(world.time().step(1e6)).isTrue();
            }
            assertThat(role.admitted().getLast() - failedAt)
                .as("pause after failure %s", failure)
                .isBetween(least[failure], 1.5 * least[failure] + 1e-6);
          }
          role.reply(answered());
          assertThat(role.done()).isTrue();
        });
  }

  @Test
  void a_retry_keeps_its_place() {
    stage.with(builder -> builder.mostInFlight(1));
    var roles = stage.enter(4, call("call"));
    roles.get(0).reply(overloaded());
    assertThat(roles.get(1).inFlight()).as("a pause holds no slot").isTrue();
    stage.pass(2);
    roles.get(1).reply(answered());
    assertThat(roles.get(0).inFlight()).isTrue();
    assertThat(roles.get(2).waits()).isTrue();
  }

  @Test
  void what_a_busy_lane_may_retry_in_all_is_ten_and_a_fifth_of_its_first_attempts() {
    var roles = new ArrayList<Stage.Role>();
    for (int i = 0; i < 1_600; i++) {
      boolean bad = i % 4 == 0;
      roles.add(
          stage.enter(
              call("call-" + i),
              n -> new Stage.Answer(0.2, bad && n == 1 ? overloaded() : answered())));
    }
    int bound = 0;
    while (Stage.ended(roles) < roles.size() && stage.time().step(1e6)) {
      var waiting = stage.lane().metrics().waited();
      bound += waiting.containsKey(Constraint.RETRY_BUDGET) ? 1 : 0;
      var metrics = stage.lane().metrics();
      if (metrics.attempts() < 1_000) {
        long firsts = metrics.attempts() - metrics.retried();
        assertThat(metrics.retried()).isLessThanOrEqualTo((long) Math.ceil(10 + 0.2 * firsts));
      }
    }
    assertThat(bound).as("it was waited for").isPositive();
    assertThat(roles).allMatch(Stage.Role::done);
  }

  @Test
  void an_idle_lane_may_always_try_again_whatever_it_may_retry_in_all() {
    keepWell(stage);
    // So large that many may pass them.
    var large = call("bad").estimated(Estimate.of(1_000_000, 0));
    var bad = new ArrayList<Stage.Role>();
    for (int i = 0; i < 80; i++) {
      // One failure after three answers: nothing that would open a breaker.
      var script = List.of(new Stage.Answer(0, overloaded()), new Stage.Answer(0, answered()));
      bad.add(stage.enter(large, n -> script.get(n - 1)));
      stage.pass(0.1);
      keepWell(stage);
    }
    stage.pass(3);
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
    assertThat(bad).allMatch(Stage.Role::done);
  }

  @Test
  void a_retry_that_could_not_end_in_time_is_not_made() {
    stage.with(
        builder ->
            builder.retries(new RetryPolicy(5, Duration.ofSeconds(20), Duration.ofSeconds(20), 0)));
    var role = stage.enter(call("hasty").within(Duration.ofSeconds(10)));
    stage.pass(1);
    role.reply(overloaded());
    assertThat(role.gaveUp()).isEqualTo("no answer within PT10S");
  }

  @Test
  void usage_covers_every_attempt_that_was_or_may_have_been_billed() {
    var replies =
        List.of(
            broken(true),
            broken(false),
            new Reply.CutShort<String>("cut", Usage.of(100, 7), Signals.NONE),
            answered(100, 20));
    keepWell(stage);
    var role = stage.enter(call("call").estimated(Estimate.of(100, 1_000)));
    for (var reply : replies) {
      fail(stage, role, reply);
      while (role.waits()) {
        assertThat(stage.time().step(1e6)).isTrue();
      }
    }
    var done = (Outcome.Done<String>) role.outcome();
    assertThat(done.usage()).isEqualTo(Usage.of(100 + 100 + 100, 1_000 + 7 + 20));
    assertThat(done.attempts()).isEqualTo(4);
  }
}
