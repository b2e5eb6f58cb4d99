package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that may go in several lanes: whichever can admit them first takes them. */
class SeveralLanesTest {
  private static final LaneId A = new LaneId("stage", "model", "key-a", "");
  private static final LaneId B = new LaneId("stage", "model", "key-b", "");
  private static final LaneId C = new LaneId("stage", "model", "key-c", "");
  private static final Signals AN_HOUR = Signals.NONE.retryAfter(Duration.ofHours(1));

  @RegisterExtension final Stage stage = new Stage();

  private static Call call(String name) {
    return Call.to(A, B).named(name);
  }

  private static Reply<String> keyRefused() {
    return new Reply.Rejected<>(
        "401: invalid key", "check the key", true, Optional.empty(), Usage.NONE);
  }

  /** Each lane takes one call at a time. */
  private void oneEach() {
    stage.with(builder -> builder.mostInFlight(1));
  }

  private static LaneId laneOf(Stage.Role role) {
    return role.permit().lane();
  }

  /**
   * Answers whatever is in flight, again and again, and counts how often that was in which lane.
   */
  private int answerAll(List<Stage.Role> roles) {
    int answers = 0;
    for (boolean any = true; any; ) {
      any = false;
      for (var role : roles) {
        if (role.inFlight()) {
          role.reply(answered());
          answers++;
          any = true;
        }
      }
    }
    return answers;
  }

  @Test
  void an_idle_call_goes_in_the_lane_that_is_named_first() {
    var role = stage.enter(call("call"));
    assertThat(laneOf(role)).isEqualTo(A);
    assertThat(stage.lane(A).inFlight()).isEqualTo(1);
    assertThat(stage.lane(B).inFlight()).isZero();
    assertThat(stage.lane(B).waiting()).isZero();
  }

  @Test
  void when_the_first_is_full_the_second_takes_it() {
    oneEach();
    var roles = stage.enter(3, call("call"));
    assertThat(laneOf(roles.get(0))).isEqualTo(A);
    assertThat(laneOf(roles.get(1))).isEqualTo(B);
    assertThat(roles.get(2).waits()).isTrue();
    assertThat(stage.lane(A).waiting()).isEqualTo(1);
    assertThat(stage.lane(B).waiting()).isEqualTo(1);
    roles.get(1).reply(answered());
    assertThat(laneOf(roles.get(2))).isEqualTo(B);
    assertThat(stage.lane(A).waiting()).isZero();
  }

  @Test
  void a_key_that_is_parked_for_an_hour_strands_nothing() {
    oneEach();
    var roles = stage.enter(100, call("call"));
    assertThat(laneOf(roles.getFirst())).isEqualTo(A);
    roles.getFirst().reply(throttled(AN_HOUR));
    assertThat(answerAll(roles)).isEqualTo(100);
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(stage.time().seconds()).isZero();
    assertThat(stage.lane(A).metrics().attempts()).isEqualTo(1);
    assertThat(stage.lane(B).metrics().completed()).isEqualTo(100);
  }

  @Test
  void a_key_that_is_parked_in_the_middle_gives_up_its_queue() {
    stage.with(builder -> builder.mostInFlight(3));
    var roles = stage.enter(60, call("call"));
    for (int i = 0; i < 20; i++) {
      roles.stream().filter(Stage.Role::inFlight).findFirst().orElseThrow().reply(answered());
      stage.pass(0.1);
    }
    var ofA = roles.stream().filter(r -> r.inFlight() && laneOf(r).equals(A)).toList();
    assertThat(ofA).isNotEmpty();
    ofA.forEach(role -> role.reply(throttled(AN_HOUR)));
    assertThat(answerAll(roles)).isEqualTo(40);
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(stage.time().seconds()).isLessThan(3);
  }

  @Test
  void a_throttled_call_keeps_its_place_in_the_other_lane() {
    oneEach();
    var roles = stage.enter(5, call("call"));
    roles.get(0).reply(throttled(AN_HOUR));
    roles.get(1).reply(answered());
    assertThat(roles.get(0).inFlight()).isTrue();
    assertThat(laneOf(roles.get(0))).isEqualTo(B);
    assertThat(roles.get(0).permit().number()).isEqualTo(2);
    assertThat(roles.get(2).waits()).isTrue();
  }

  @Test
  void priorities_hold_in_every_lane() {
    oneEach();
    var busy = stage.enter(2, call("busy"));
    var bulk = stage.enter(call("bulk").priority(Priority.BULK));
    var urgent = stage.enter(call("urgent").priority(Priority.INTERACTIVE));
    busy.get(1).reply(answered());
    assertThat(urgent.inFlight()).isTrue();
    busy.get(0).reply(answered());
    assertThat(bulk.inFlight()).isTrue();
    assertThat(laneOf(bulk)).isEqualTo(A);
  }

  @Test
  void calls_of_one_lane_and_of_several_take_turns() {
    oneEach();
    var busy = stage.enter(2, call("busy"));
    var ofBoth = stage.enter(call("of both"));
    var ofOne = stage.enter(Call.to(A).named("of one"));
    busy.get(0).reply(answered());
    assertThat(laneOf(ofBoth)).isEqualTo(A);
    assertThat(ofOne.waits()).isTrue();
    busy.get(1).reply(answered());
    assertThat(ofOne.waits()).as("not in B").isTrue();
    ofBoth.reply(answered());
    assertThat(laneOf(ofOne)).isEqualTo(A);
  }

  @Test
  void a_refused_key_fails_nothing_while_another_works() {
    var roles = stage.enter(10, call("call"));
    for (var role : roles) {
      if (role.inFlight() && laneOf(role).equals(A)) {
        role.reply(keyRefused());
      }
    }
    assertThat(answerAll(roles)).isEqualTo(10);
    assertThat(roles).allMatch(Stage.Role::done);
    var later = stage.enter(call("later"));
    assertThat(laneOf(later)).as("A is shut").isEqualTo(B);
  }

  @Test
  void a_key_that_is_refused_by_itself_is_tried_again_after_a_minute() {
    var first = stage.enter(call("first"));
    first.reply(keyRefused());
    assertThat(laneOf(first)).isEqualTo(B);
    stage.pass(61);
    assertThat(laneOf(stage.enter(call("later")))).isEqualTo(A);
  }

  @Test
  void a_key_that_was_never_heard_of_is_tried_with_one_call() {
    var roles = stage.enter(12, call("call"));
    assertThat(Stage.inFlight(roles)).isEqualTo(5);
    assertThat(stage.lane(B).inFlight()).isEqualTo(1);
    var trial = roles.stream().filter(r -> r.inFlight() && laneOf(r).equals(B)).toList();
    trial.getFirst().reply(answered());
    assertThat(stage.lane(B).inFlight()).isGreaterThan(1);
  }

  @Test
  void a_first_reply_that_does_not_come_is_not_waited_for_for_ever() {
    var roles = stage.enter(12, call("call"));
    assertThat(stage.lane(B).inFlight()).isEqualTo(1);
    roles.stream()
        .filter(role -> role.inFlight() && laneOf(role).equals(A))
        .toList()
        .forEach(role -> role.reply(throttled(AN_HOUR)));
    stage.until(9.9);
    assertThat(stage.lane(B).inFlight()).isEqualTo(1);
    stage.until(10.3);
    assertThat(stage.lane(B).inFlight()).isGreaterThan(4);
  }

  @Test
  void a_lane_that_is_shut_by_hand_hands_its_calls_to_the_others() {
    oneEach();
    var roles = stage.enter(5, call("call"));
    var alone = stage.enter(Call.to(B).named("alone"));
    stage.flyball().shut(B, "not needed", "use A");
    assertThat(alone.refusal()).isEqualTo(new Refusal.LaneShut("not needed", "use A"));
    roles.get(1).reply(throttled(Signals.NONE));
    assertThat(stage.lane(B).waiting()).isZero();
    assertThat(answerAll(roles)).isEqualTo(5);
    stage.pass(3_600);
    assertThat(stage.enter(Call.to(B).named("later")).refusal())
        .isInstanceOf(Refusal.LaneShut.class);
  }

  @Test
  void only_when_all_keys_are_refused_is_the_call() {
    oneEach();
    var roles = stage.enter(5, call("call"));
    roles.get(0).reply(keyRefused());
    assertThat(Stage.ended(roles)).isZero();
    roles.get(1).reply(keyRefused());
    assertThat(roles)
        .allSatisfy(
            role ->
                assertThat(role.refusal())
                    .isEqualTo(new Refusal.LaneShut("401: invalid key", "check the key")));
    assertThat(stage.enter(call("later")).refusal()).isInstanceOf(Refusal.LaneShut.class);
  }

  @Test
  void a_key_that_answers_no_at_once_and_for_no_time_is_not_asked_for_ever() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(3)));
    var role =
        stage.enter(
            call("call"),
            attempt ->
                new Stage.Answer(
                    0.1,
                    new Reply.Rejected<>(
                        "no", "never", true, Optional.of(Duration.ofMillis(1)), Usage.NONE)));
    stage.finish();
    assertThat(role.gaveUp()).isEqualTo("no: never");
  }

  @Test
  void what_breaks_in_one_lane_is_tried_in_whichever_can() {
    var role = stage.enter(call("call"));
    role.reply(broken(true));
    stage.pass(120);
    assertThat(role.inFlight()).isTrue();
    assertThat(role.permit().number()).isEqualTo(2);
    role.reply(answered(10, 5));
  }

  @Test
  void attempts_and_what_they_used_are_counted_over_all_lanes() {
    var role = stage.enter(call("call"));
    role.reply(throttled(AN_HOUR));
    assertThat(laneOf(role)).isEqualTo(B);
    role.reply(new Reply.CutShort<>("cut", Usage.of(10, 5), Signals.NONE));
    stage.pass(120);
    assertThat(role.permit().number()).isEqualTo(3);
    role.reply(answered(10, 7));
    assertThat(role.outcome())
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            done -> {
              assertThat(done.attempts()).isEqualTo(3);
              assertThat(done.usage()).isEqualTo(Usage.of(20, 12));
            });
    assertThat(stage.flyball().snapshot().total().retried()).isEqualTo(2);
  }

  @Test
  void an_overload_that_names_an_hour_holds_only_its_own_lane() {
    var role = stage.enter(call("call"));
    role.reply(new Reply.Overloaded<>("overloaded", AN_HOUR));
    stage.pass(120);
    assertThat(laneOf(role)).isEqualTo(B);
  }

  @Test
  void a_call_is_withdrawn_from_all_lanes() {
    oneEach();
    var busy = stage.enter(2, call("busy"));
    var role = stage.enter(call("call"));
    role.withdraw();
    assertThat(stage.lane(A).waiting()).isZero();
    assertThat(stage.lane(B).waiting()).isZero();
    busy.forEach(each -> each.reply(answered()));
    assertThat(role.admitted()).isEmpty();
  }

  @Test
  void a_call_in_flight_is_withdrawn_from_the_lane_that_has_it() {
    oneEach();
    stage.enter(call("busy"));
    var role = stage.enter(call("call"));
    assertThat(laneOf(role)).isEqualTo(B);
    role.withdraw();
    assertThat(stage.lane(B).inFlight()).isZero();
  }

  @Test
  void withdrawing_after_the_end_does_nothing() {
    var role = stage.enter(call("call"));
    role.reply(answered());
    role.waiter().withdraw();
    assertThat(role.done()).isTrue();
    assertThat(stage.flyball().snapshot().total().errored()).isZero();
  }

  @Test
  void a_deadline_ends_it_once() {
    oneEach();
    stage.enter(2, call("busy"));
    var role = stage.enter(call("call").within(Duration.ofSeconds(5)));
    stage.until(6);
    assertThat(role.refusal()).isEqualTo(new Refusal.TooLate(Duration.ofSeconds(5)));
    assertThat(stage.flyball().snapshot().total().errored()).isEqualTo(1);
    assertThat(stage.lane(A).waiting() + stage.lane(B).waiting()).isZero();
  }

  @Test
  void a_budget_is_held_once() {
    var account = Account.of("run");
    stage.flyball().budget(account, Budget.tokens(250));
    var sized = call("call").estimated(Estimate.of(100, 0)).paidBy(account);
    var roles = stage.enter(4, sized);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    assertThat(stage.budget().tokensHeld()).isEqualTo(200);
    roles.get(0).reply(throttled(AN_HOUR));
    assertThat(laneOf(roles.get(0))).isEqualTo(B);
    assertThat(stage.budget().tokensHeld()).isEqualTo(200);
    roles.get(0).reply(answered(100, 0));
    assertThat(stage.budget().tokensHeld()).isEqualTo(100);
    roles.get(1).reply(answered(100, 0));
    assertThat(roles.get(2).refusal()).isInstanceOf(Refusal.BudgetSpent.class);
    assertThat(roles.get(3).refusal()).isInstanceOf(Refusal.BudgetSpent.class);
  }

  @Test
  void a_call_that_is_too_large_for_one_key_goes_with_another() {
    stage.with(
        builder ->
            builder.profiles(
                lane ->
                    lane.equals(A)
                        ? LaneProfile.of(AllowanceTerms.of(Dimension.INPUT_TOKENS).limit(1_000))
                        : LaneProfile.UNKNOWN));
    var role = stage.enter(call("call").estimated(Estimate.of(5_000, 0)));
    assertThat(laneOf(role)).isEqualTo(B);
  }

  @Test
  void each_lane_has_a_leader_of_its_own() {
    var roles = stage.enter(4, call("call").sharing("prefix"));
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    assertThat(laneOf(roles.get(0))).isEqualTo(A);
    assertThat(laneOf(roles.get(1))).isEqualTo(B);
    assertThat(roles.get(2).waiting().constraint()).isEqualTo(Constraint.LEADER);
    roles.get(1).reply(answered());
    assertThat(laneOf(roles.get(2))).isEqualTo(B);
    assertThat(laneOf(roles.get(3))).isEqualTo(B);
  }

  @Test
  void it_waits_for_the_lane_that_will_be_first() {
    oneEach();
    var roles = stage.enter(2, call("call"));
    roles.get(0).reply(throttled(AN_HOUR));
    roles.get(1).reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(20))));
    assertThat(roles.get(0).waiting().left().orElseThrow())
        .isLessThanOrEqualTo(Duration.ofSeconds(20));
    stage.pass(21);
    assertThat(laneOf(roles.get(0))).isEqualTo(B);
  }

  @Test
  void it_is_parked_only_when_all_its_lanes_are() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(15)));
    oneEach();
    var roles = stage.enter(4, call("call"));
    roles.get(0).reply(throttled(AN_HOUR));
    assertThat(Stage.ended(roles)).isZero();
    roles.get(1).reply(answered());
    assertThat(laneOf(roles.get(0))).isEqualTo(B);
    roles.get(0).reply(throttled(Signals.NONE.retryAfter(Duration.ofHours(3))));
    assertThat(roles.get(0).refusal()).isEqualTo(new Refusal.Parked(Duration.ofHours(1)));
    assertThat(Stage.ended(roles)).isEqualTo(4);
  }

  @Test
  void a_parked_lane_that_is_named_first_refuses_nothing_that_another_can_take() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(15)));
    var first = stage.enter(call("first"));
    first.reply(throttled(AN_HOUR));
    first.reply(answered());
    var next = stage.enter(call("next"));
    assertThat(laneOf(next)).isEqualTo(B);
  }

  @Test
  void draining_refuses_it_once() {
    oneEach();
    stage.enter(2, call("busy"));
    var role = stage.enter(call("call"));
    stage.flyball().drain();
    assertThat(role.refusal()).isEqualTo(new Refusal.ShuttingDown());
    assertThat(stage.flyball().snapshot().total().errored()).isEqualTo(1);
    assertThat(stage.enter(call("later")).refusal()).isEqualTo(new Refusal.ShuttingDown());
  }

  @Test
  void calls_are_refused_while_all_lanes_rest_if_nobody_is_to_wait_for_that() {
    stage.with(Flyball.Builder::refuseWhileResting);
    var roles = stage.enter(8, call("call"), n -> new Stage.Answer(0.1, overloaded()));
    stage.until(200);
    assertThat(Stage.ended(roles)).isEqualTo(8);
  }

  @Test
  void the_cap_over_all_lanes_holds_for_them_together() {
    stage.with(builder -> builder.mostInFlightInAll(2));
    var roles = stage.enter(20, Call.to(A, B, C).named("call"));
    int most = 0;
    while (Stage.inFlight(roles) > 0) {
      most = Math.max(most, Stage.inFlight(roles));
      var next = roles.stream().filter(Stage.Role::inFlight).toList().getLast();
      next.reply(answered());
    }
    assertThat(most).isEqualTo(2);
    assertThat(roles).allMatch(Stage.Role::done);
  }

  @Test
  void it_is_queued_and_finished_once_and_admitted_where_it_goes() {
    oneEach();
    stage.enter(call("busy"));
    var role = stage.enter(call("call"));
    role.reply(throttled(AN_HOUR));
    stage.pass(3_601);
    role.reply(answered());
    var events = new ArrayList<String>();
    for (var event : stage.events()) {
      switch (event) {
        case Event.Queued it when it.name().equals("call") -> events.add("queued");
        case Event.Admitted it when it.name().equals("call") ->
            events.add("admitted " + it.lane().keyFingerprint() + " " + it.attempt());
        case Event.Finished it when it.name().equals("call") ->
            events.add("finished " + it.lane().keyFingerprint());
        default -> {}
      }
    }
    assertThat(events)
        .containsExactly("queued", "admitted key-b 1", "admitted key-b 2", "finished key-b");
  }

  @Test
  void two_keys_are_twice_as_fast_as_one() {
    stage.knowing(
        AllowanceTerms.of(Dimension.REQUESTS).limit(60).enforcedOver(Duration.ofSeconds(1)));
    var roles = stage.enter(60, call("call"), n -> new Stage.Answer(0.1, answered()));
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(stage.lane(A).metrics().completed()).isBetween(28L, 32L);
    double last = roles.stream().mapToDouble(Stage.Role::firstAdmitted).max().orElse(0);
    assertThat(last).isBetween(28.0, 31.0);
  }

  @Test
  void a_lane_that_is_named_twice_counts_once() {
    assertThat(Call.to(A, B, A, B).others()).containsExactly(B);
    assertThat(Call.to(A, A)).isEqualTo(Call.to(A));
  }

  @Test
  void work_is_told_which_lane_it_goes_in() throws InterruptedException {
    var flyball = Flyball.builder().mostInFlight(1).build();
    if (flyball.<String>admit(Call.to(A)) instanceof Admission.Granted<String>(var held)) {
      var lane =
          flyball.answer(call("call"), attempt -> Reply.answered(attempt.lane(), Usage.NONE));
      assertThat(lane).isEqualTo(B);
      held.settle(answered());
    }
    Stage.assertClean(flyball);
  }
}
