package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.BreakerState;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Tenant;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a server needs that holds no thread for a call: its clients leave, ask and move. */
@Timeout(20)
class EventLoopTest {
  private static final LaneId ELSEWHERE = new LaneId("other", "models", "", "");

  @RegisterExtension final Stage stage = new Stage();

  @Test
  void clients_that_leave_change_neither_breaker_nor_slots() {
    stage.with(builder -> builder.mostInFlight(16));
    for (int i = 0; i < 40; i++) {
      var one = stage.enter(call("warm"));
      one.reply(answered());
    }
    int slots = stage.lane().slots();
    for (int i = 0; i < 1_000; i++) {
      var left = stage.enter(call("left"));
      if (i % 2 == 0) {
        left.permit().sighted(Signals.NONE);
      }
      left.leave(Usage.of(5, i % 2 == 0 ? 3 : 0));
    }
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
    assertThat(stage.lane().slots()).isGreaterThanOrEqualTo(slots);
    assertThat(stage.lane().inFlight()).isZero();
  }

  @Test
  void who_left_pays_for_what_was_used_and_not_for_the_longest_answer() {
    var account = Account.of("team");
    stage.flyball().budget(account, Budget.tokens(1_000));
    var one = stage.enter(call("one").estimated(Estimate.of(100, 800)).paidBy(account));
    var permit = one.permit();
    one.leave(Usage.of(100, 20));
    permit.abandon(Usage.of(100, 800));
    var two = stage.enter(call("two").estimated(Estimate.of(100, 780)).paidBy(account));
    assertThat(two.inFlight()).isTrue();
    two.reply(answered());
  }

  @Test
  void a_probe_whose_client_left_lets_the_next_one_probe() {
    for (int i = 0; i < 3; i++) {
      stage.enter(call("fails")).replyForGood(Stage.overloaded());
    }
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.OPEN);
    var probe = stage.enter(call("probe"));
    stage.pass(6);
    probe.leave(Usage.NONE);
    var next = stage.enter(call("next"));
    assertThat(next.inFlight()).isTrue();
    next.reply(answered());
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void a_stream_that_broke_is_not_tried_again() {
    var one = stage.enter(call("stream"));
    var cut = new Reply.CutShort<String>("cut", Usage.of(10, 3), Signals.NONE);
    assertThat(one.replyForGood(cut))
        .isInstanceOfSatisfying(
            NextStep.Ended.class,
            ended ->
                assertThat(ended.outcome())
                    .isInstanceOfSatisfying(
                        Outcome.GaveUp.class, end -> assertThat(end.attempts()).isOne()));
    assertThat(stage.lane().inFlight()).isZero();
    assertThat(stage.lane().waiting()).isZero();
  }

  @Test
  void a_call_waits_no_longer_than_it_wants_to_and_its_attempts_may_take_longer() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(call("first").waitingAtMost(Duration.ofSeconds(1)));
    var second = stage.enter(call("second").waitingAtMost(Duration.ofSeconds(3)));
    stage.pass(2);
    assertThat(first.inFlight()).isTrue();
    assertThat(second.waits()).isTrue();
    stage.pass(2);
    assertThat(second.refusal()).isEqualTo(new Refusal.TooLate(Duration.ofSeconds(3)));
    // The four seconds of its attempt were no wait: it is tried again.
    first.reply(Stage.broken(true));
    assertThat(first.ended()).isFalse();
    stage.pass(1);
    assertThat(first.ended() || first.inFlight()).isTrue();
    if (first.inFlight()) {
      first.reply(answered());
    }
  }

  @Test
  void the_predicted_wait_is_about_the_wait() {
    stage.knowing(AllowanceTerms.of(REQUESTS).limit(60).enforcedOver(Duration.ofSeconds(1)));
    for (int i = 0; i < 30; i++) {
      stage.enter(1, call("n" + i), attempt -> new Stage.Answer(0.1, answered()));
    }
    var mine = call("mine");
    var predicted = stage.flyball().place(mine);
    assertThat(predicted.ahead()).isBetween(25, 30);
    var role = stage.enter(mine, attempt -> new Stage.Answer(0.1, answered()));
    assertThat(role.waiter().place().ahead()).isEqualTo(predicted.ahead());
    stage.finish();
    assertThat(predicted.left().toMillis() / 1e3)
        .isBetween(role.firstAdmitted() * 0.8, role.firstAdmitted() * 1.2);
    assertThat(predicted.constraint().name()).isEqualTo("requests");
  }

  /** 40 a period that nobody states, taken for a minute; it is a second. */
  private static Signals left(long remaining) {
    var sighting =
        new Sighting(
            REQUESTS,
            OptionalLong.of(40),
            OptionalLong.of(remaining),
            Optional.empty(),
            Sighting.Snapshot.ADMISSION,
            1,
            "x-limit");
    return Signals.of(sighting);
  }

  @Test
  void a_wait_that_follows_from_a_guess_is_told_apart_from_one_that_was_shown() {
    var first = stage.enter(call("first"));
    first.permit().sighted(left(39));
    for (int i = 0; i < 200; i++) {
      stage.enter(2, call("n" + i), attempt -> new Stage.Answer(0.1, answered()));
    }
    stage.pass(2);
    var guessed = stage.flyball().place(call("mine"));
    assertThat(guessed.left()).isGreaterThan(Duration.ofMinutes(2));
    assertThat(guessed.proved()).isLessThan(Duration.ofSeconds(10));
    first.reply(answered());
    stage.finish();
  }

  @Test
  void a_wait_by_what_was_configured_is_no_guess() {
    stage.knowing(AllowanceTerms.of(REQUESTS).limit(60).enforcedOver(Duration.ofSeconds(1)));
    for (int i = 0; i < 30; i++) {
      stage.enter(1, call("n" + i), attempt -> new Stage.Answer(0.1, answered()));
    }
    var predicted = stage.flyball().place(call("mine"));
    assertThat(predicted.left()).isGreaterThan(Duration.ofSeconds(20));
    assertThat(predicted.proved()).isEqualTo(predicted.left());
    stage.finish();
  }

  @Test
  void a_call_of_another_tenant_or_priority_is_not_behind_everybody() {
    stage.with(builder -> builder.mostInFlight(1));
    for (int i = 0; i < 101; i++) {
      stage.enter(1, call("n" + i), attempt -> new Stage.Answer(1, answered()));
    }
    var flyball = stage.flyball();
    assertThat(flyball.place(call("same")).ahead()).isEqualTo(100);
    assertThat(flyball.place(call("urgent").priority(Priority.INTERACTIVE)).ahead()).isZero();
    assertThat(flyball.place(call("other").on(new Tenant("other", 1))).ahead()).isBetween(0, 1);
    stage.finish();
  }

  @Test
  void a_call_that_moves_keeps_its_time() {
    stage.with(builder -> builder.mostInFlight(1));
    var busy = stage.enter(call(ELSEWHERE, "busy"));
    var here = stage.enter(call("here"));
    stage.pass(10);
    var later = stage.enter(call(ELSEWHERE, "later"));
    here.replyForGood(Stage.overloaded());
    var moved = stage.move(call(ELSEWHERE, "here"), here);
    assertThat(moved.waiter().place().ahead()).isZero();
    assertThat(later.waiter().place().ahead()).isOne();
    busy.reply(answered());
    assertThat(moved.inFlight()).isTrue();
    assertThat(later.waits()).isTrue();
    moved.reply(answered());
    later.reply(answered());
  }

  @Test
  void whoever_is_told_has_the_place_in_hand() {
    var flyball = Flyball.builder().time(new HandTime()).build();
    var told = new ArrayList<Waiter<String>>();
    var at = new ArrayList<Admission<String>>();
    var waiter =
        flyball.<String>enter(
            Call.to(LANE),
            place -> {
              told.add(place);
              at.add(place.admission());
            });
    assertThat(told).containsExactly(waiter);
    assertThat(at).hasSize(1).first().isInstanceOf(Admission.Granted.class);
    ((Admission.Granted<String>) waiter.admission()).permit().settle(answered());
  }
}
