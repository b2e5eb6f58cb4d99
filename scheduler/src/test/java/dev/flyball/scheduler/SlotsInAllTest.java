package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Account;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Work;
import dev.flyball.scheduler.Stage.Answer;
import dev.flyball.scheduler.Stage.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** At most so many attempts in flight over all lanes together. */
class SlotsInAllTest {
  private static final LaneId A = LaneId.of("stage", "a");
  private static final LaneId B = LaneId.of("stage", "b");
  private static final LaneId C = LaneId.of("stage", "c");

  @RegisterExtension final Stage stage = new Stage().with(builder -> builder.mostInFlightInAll(2));

  private int inFlight() {
    return inFlight(stage.flyball());
  }

  private static int inFlight(Flyball flyball) {
    return flyball.snapshot().lanes().stream().mapToInt(LaneSnapshot::inFlight).sum();
  }

  @Test
  void lanes_share_the_slots_and_a_call_that_waits_holds_nothing() {
    stage.knowing(AllowanceTerms.of(Dimension.REQUESTS).limit(60_000));
    var first = stage.enter(2, call(A, "first"));
    var waits = stage.enter(call(B, "waits"));
    assertThat(Stage.inFlight(first)).isEqualTo(2);
    assertThat(waits.waiting().constraint()).isEqualTo(Constraint.SLOT);
    assertThat(waits.waiting().left()).isEmpty();
    assertThat(stage.lane(B).inFlight()).isZero();
    assertThat(stage.lane(B).gauges()).allMatch(gauge -> gauge.held() == 0);
    assertThat(stage.lane(B).waitingFor()).contains(Constraint.SLOT);
    stage.pass(3);
    first.get(0).reply(answered());
    assertThat(waits.inFlight()).isTrue();
    assertThat(waits.permit().waited()).containsEntry(Constraint.SLOT, Duration.ofSeconds(3));
  }

  @Test
  void a_slot_goes_to_the_lane_that_has_waited_longest() {
    var first = stage.enter(4, call(A, "first"));
    var b = stage.enter(2, call(B, "b"));
    var c = stage.enter(1, call(C, "c"));
    var order = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      var all = Stream.of(first, b, c).flatMap(List::stream).toList();
      var before = all.stream().filter(Role::inFlight).toList();
      before.getFirst().reply(answered());
      all.stream()
          .filter(role -> role.inFlight() && !before.contains(role))
          .forEach(role -> order.add(role.call().name()));
      assertThat(inFlight()).isEqualTo(2);
    }
    assertThat(order).containsExactly("first-2", "b-0", "c-0", "first-3", "b-1");
  }

  @Test
  void a_lane_that_cannot_use_a_slot_hands_it_on() {
    var first = stage.enter(2, call(A, "first"));
    var gone = stage.enter(call(B, "gone"));
    var next = stage.enter(call(C, "next"));
    gone.withdraw();
    first.get(0).reply(answered());
    assertThat(next.inFlight()).isTrue();
    first.get(1).reply(answered());
    assertThat(stage.enter(call(B, "later")).inFlight()).as("no slot is lost").isTrue();
  }

  @Test
  void a_lane_that_may_not_go_yet_leaves_the_slot_to_others_and_takes_one_when_it_may() {
    var hurt = stage.enter(call(A, "hurt"));
    var other = stage.enter(call(B, "other"));
    hurt.reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(10))));
    var third = stage.enter(call(C, "third"));
    assertThat(third.inFlight()).isTrue();
    stage.until(11);
    assertThat(hurt.waiting().constraint()).isEqualTo(Constraint.SLOT);
    other.reply(answered());
    assertThat(hurt.inFlight()).isTrue();
  }

  @Test
  void a_call_without_room_in_its_budget_leaves_the_slot_to_others() {
    var account = Account.of("run");
    stage.flyball().budget(account, Budget.tokens(100));
    var paid = call(A, "paid").estimated(Estimate.of(100, 0)).paidBy(account);
    var holds = stage.enter(paid);
    var poor = stage.enter(call(B, "poor").estimated(Estimate.of(100, 0)).paidBy(account));
    assertThat(poor.waiting().constraint()).isEqualTo(Constraint.BUDGET);
    var free = stage.enter(call(C, "free"));
    assertThat(free.inFlight()).isTrue();
    free.reply(answered());
    holds.reply(answered(10, 0));
    assertThat(poor.refusal()).isInstanceOf(Refusal.BudgetSpent.class);
    assertThat(Stage.inFlight(stage.enter(2, call(C, "both")))).isEqualTo(2);
  }

  @Test
  void whatever_ends_an_attempt_gives_its_slot_back() {
    stage.enter(call(A, "dropped")).drop();
    stage.enter(call(A, "withdrawn")).withdraw();
    stage.enter(call(A, "broken")).reply(Reply.rejected("no", "never"));
    var late = stage.enter(3, call(B, "late").within(Duration.ofSeconds(1)));
    stage.until(2);
    assertThat(late.get(2).refusal()).isInstanceOf(Refusal.TooLate.class);
    late.subList(0, 2).forEach(role -> role.reply(answered()));
    assertThat(Stage.inFlight(stage.enter(2, call(C, "both")))).isEqualTo(2);
  }

  @Test
  void draining_refuses_those_who_wait_for_a_slot() {
    var first = stage.enter(2, call(A, "first"));
    var waits = stage.enter(call(B, "waits"));
    stage.flyball().drain();
    assertThat(waits.refusal()).isInstanceOf(Refusal.ShuttingDown.class);
    first.forEach(role -> role.reply(answered()));
    assertThat(inFlight()).isZero();
  }

  @Test
  void less_than_one_is_refused() {
    assertThatThrownBy(() -> Flyball.builder().mostInFlightInAll(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but the cap was 0");
  }

  /** Any number of lanes, any replies, anything taken back: never more, and none is wasted. */
  @RepeatedTest(40)
  void no_slot_is_lost_or_used_twice(RepetitionInfo repetition) {
    var random = new SplittableRandom(repetition.getCurrentRepetition());
    int most = 1 + random.nextInt(12);
    int lanes = 1 + random.nextInt(30);
    var world = new Stage().with(builder -> builder.mostInFlightInAll(most));
    var roles = new ArrayList<Role>();
    for (int i = 0; i < 150; i++) {
      var lane = LaneId.of("stage", "lane-" + random.nextInt(lanes));
      var call = call(lane, "call-" + i);
      call =
          random.nextInt(5) == 0 ? call.within(Duration.ofMillis(1 + random.nextInt(9_000))) : call;
      roles.add(world.enter(call, attempt -> answer(random, attempt)));
      if (random.nextInt(4) == 0) {
        world.pass(random.nextDouble());
      }
      if (random.nextInt(6) == 0) {
        var role = roles.get(random.nextInt(roles.size()));
        if (role.waits()) {
          role.withdraw();
        }
      }
      look(world.flyball(), roles, most);
    }
    while (world.time().step(1e8)) {
      look(world.flyball(), roles, most);
    }
    assertThat(roles).allMatch(Role::ended);
    Stage.assertClean(world.flyball());
    var fresh = new ArrayList<Role>();
    for (int i = 0; i < most; i++) {
      fresh.add(world.enter(call(LaneId.of("fresh", "lane-" + i), "again")));
    }
    assertThat(Stage.inFlight(fresh)).as("all slots are there").isEqualTo(most);
  }

  private static Answer answer(SplittableRandom random, int attempt) {
    int dice = attempt > 2 ? 9 : random.nextInt(10);
    var reply =
        switch (dice) {
          case 0 -> overloaded();
          case 1 -> broken(random.nextBoolean());
          case 2 -> throttled(Signals.NONE.retryAfter(Duration.ofMillis(random.nextInt(3_000))));
          case 3 -> Reply.<String>rejected("no", "never");
          default -> answered();
        };
    return new Answer(0.01 + random.nextDouble(), reply);
  }

  private static void look(Flyball flyball, List<Role> roles, int most) {
    int inFlight = inFlight(flyball);
    assertThat(inFlight).isLessThanOrEqualTo(most);
    if (inFlight < most) {
      for (var lane : flyball.snapshot().lanes()) {
        assertThat(
                lane.waitingFor().filter(Constraint.SLOT::equals).isPresent()
                    && lane.inFlight() < lane.slots())
            .as("a slot is free, and %s waits for one: %s", lane.lane(), roles)
            .isFalse();
      }
    }
  }

  /** Threads that block, threads that are interrupted, and a provider that counts. */
  @Timeout(60)
  @RepeatedTest(3)
  void many_threads_on_many_lanes_never_exceed_it(RepetitionInfo repetition)
      throws InterruptedException {
    int most = 7;
    int lanes = 50;
    var random = new SplittableRandom(repetition.getCurrentRepetition());
    var now = new AtomicInteger();
    var peak = new AtomicInteger();
    var ended = new AtomicInteger();
    var flyball = Flyball.builder().mostInFlightInAll(most).build();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 3_000; i++) {
      var lane = LaneId.of("stage", "lane-" + random.nextInt(lanes));
      Work<String> work =
          attempt -> {
            peak.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
              LockSupport.parkNanos(1);
              if (Thread.interrupted()) {
                throw new InterruptedException("in the middle");
              }
              return answered();
            } finally {
              now.decrementAndGet();
            }
          };
      Call call = Call.to(lane);
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  flyball.run(call, work);
                } catch (InterruptedException interrupted) {
                  Thread.currentThread().interrupt();
                } finally {
                  ended.incrementAndGet();
                }
              }));
      if (random.nextInt(5) == 0) {
        threads.get(random.nextInt(threads.size())).interrupt();
      }
    }
    for (var thread : threads) {
      thread.join();
    }
    assertThat(ended.get()).isEqualTo(3_000);
    assertThat(peak.get()).isLessThanOrEqualTo(most);
    Stage.assertClean(flyball);
    for (int i = 0; i < most; i++) {
      var again = flyball.enter(call(LaneId.of("fresh", "lane-" + i), "again"), () -> {});
      assertThat(again.admission()).isInstanceOf(Admission.Granted.class);
    }
  }
}
