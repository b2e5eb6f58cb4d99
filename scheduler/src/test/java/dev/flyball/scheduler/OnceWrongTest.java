package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Account;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.BreakerState;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.RampPlan;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Tenant;
import dev.flyball.call.Usage;
import dev.flyball.call.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What was wrong once, each shown by the smallest story that shows it. */
@Timeout(20)
class OnceWrongTest {
  private static final LaneId OTHER = LaneId.of("stage", "other");
  private static final Signals FOURTEEN_HOURS = Signals.NONE.retryAfter(Duration.ofHours(14));

  @RegisterExtension final Stage stage = new Stage();

  @Test
  void tenants_whose_calls_cost_less_than_estimated_share_a_lane() {
    var tenants = List.of(new Tenant("a", 1), new Tenant("b", 1), new Tenant("c", 1));
    for (int seed = 0; seed < 50; seed++) {
      var random = new SplittableRandom(seed);
      var world = new Stage();
      var roles = new ArrayList<Stage.Role>();
      for (int i = 0; i < 100; i++) {
        var call =
            call("call-" + i).on(tenants.get(random.nextInt(3))).estimated(Estimate.of(100, 9_000));
        long output = random.nextInt(5) == 0 ? 9_000 : random.nextInt(100);
        double latency = random.nextDouble();
        roles.add(world.enter(call, n -> new Stage.Answer(latency, answered(100, output))));
      }
      world.finish();
      assertThat(Stage.ended(roles)).as("seed %s", seed).isEqualTo(100);
      Stage.assertClean(world.flyball());
    }
  }

  @Test
  void an_interrupted_attempt_leaves_nothing_behind() throws InterruptedException {
    var time = new HandTime();
    var flyball = Flyball.builder().time(time).build();
    var started = new CountDownLatch(1);
    var thrown = new AtomicReference<Throwable>();
    Work<String> work =
        attempt -> {
          started.countDown();
          new CountDownLatch(1).await();
          return answered();
        };
    var call = Call.to(LANE);
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                flyball.run(call, work);
              } catch (InterruptedException interrupted) {
                thrown.set(interrupted);
              }
            });
    started.await();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    time.pass(Duration.ofMinutes(5));
    Stage.assertClean(flyball);
  }

  @Test
  void close_returns_when_the_last_permit_is_given_back() throws InterruptedException {
    var flyball = Flyball.builder().time(new HandTime()).build();
    var permit = ((Admission.Granted<String>) flyball.<String>admit(call("only"))).permit();
    var closer = Thread.ofPlatform().daemon().start(flyball::close);
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    permit.close();
    assertThat(closer.join(Duration.ofSeconds(5))).as("close has returned").isTrue();
  }

  @Test
  void a_permit_that_is_given_back_finishes_its_call() {
    stage.enter(call("dropped")).drop();
    assertThat(stage.events().getLast()).isInstanceOf(Event.Finished.class);
  }

  @Test
  void a_parked_lane_is_not_refused_while_another_has_an_attempt_in_flight() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(15)));
    var busy = stage.enter(call(OTHER, "busy"));
    var parked = stage.enter(call("parked"));
    parked.reply(throttled(FOURTEEN_HOURS));
    stage.pass(60);
    assertThat(parked.waits()).isTrue();
    busy.reply(answered());
    stage.pass(1);
    assertThat(parked.refusal()).isInstanceOf(Refusal.Parked.class);
  }

  @Test
  void a_parked_lane_is_refused_when_the_last_lane_that_could_go_is_done() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(15)).mostInFlight(1));
    var busy = stage.enter(2, call(OTHER, "busy"));
    var parked = stage.enter(call("parked"));
    parked.reply(throttled(FOURTEEN_HOURS));
    stage.pass(1);
    busy.get(0).reply(answered());
    stage.pass(1);
    assertThat(parked.waits()).isTrue();
    busy.get(1).reply(answered());
    stage.pass(1);
    assertThat(parked.refusal()).isInstanceOf(Refusal.Parked.class);
  }

  @Test
  void a_budget_set_while_calls_are_in_flight_counts_from_then_on() {
    var run = Account.of("run");
    stage.flyball().budget(run.part("lens"), Budget.tokens(1_000));
    var call = stage.enter(call("early", 100).paidBy(run.part("lens")));
    stage.flyball().budget(run, Budget.tokens(1_000));
    call.reply(answered(100, 0));
    assertThat(stage.flyball().snapshot().budgets()).allMatch(budget -> budget.holds() == 0);
  }

  @Test
  void a_remembered_limit_refuses_nothing() {
    stage.with(
        builder ->
            builder.memory(
                remembered(LearnedLimits.Felt.NOTHING, 1, learned(INPUT_TOKENS, 1_000))));
    var large = stage.enter(call("large", 5_000));
    stage.pass(61);
    assertThat(large.inFlight()).as(large.toString()).isTrue();
  }

  @Test
  void a_remembered_pace_that_is_far_too_slow_is_soon_forgotten() {
    stage.with(builder -> builder.memory(remembered(new LearnedLimits.Felt(1e-4, 1), 1)));
    var plenty = Signals.of(Sighting.of(REQUESTS, 6_000, 5_990).resetIn(Duration.ofMillis(100)));
    var roles = stage.enter(20, call("call"), n -> new Stage.Answer(0.2, answered(plenty)));
    stage.until(600);
    assertThat(Stage.ended(roles)).isEqualTo(20);
  }

  private static LearnedLimits.Learned learned(dev.flyball.call.Dimension dimension, long limit) {
    return new LearnedLimits.Learned(dimension, limit, limit / 60.0);
  }

  private static LearnedLimits remembered(
      LearnedLimits.Felt pace, double rampShare, LearnedLimits.Learned... allowances) {
    return new LearnedLimits(
        Map.of(
            LANE,
            new LearnedLimits.OfLane(
                List.of(allowances), pace, Map.of(), rampShare, Instant.EPOCH)));
  }

  @Test
  void an_old_test_is_not_taken_for_the_probe() {
    var opener = stage.enter(call("opener"));
    opener.reply(
        answered(Signals.of(Sighting.of(REQUESTS, 60_000, 59_000).resetIn(Duration.ofSeconds(1)))));
    stage.pass(5);
    var early = stage.enter(4, call("early"));
    stage.pass(0.5);
    var failing = stage.enter(4, call("failing"));
    stage.pass(0.5);
    failing.get(0).reply(overloaded());
    early.forEach(role -> role.reply(answered()));
    failing.get(1).reply(overloaded());
    var test = stage.enter(call("test"));
    assertThat(test.inFlight()).as("after two failures one goes at a time").isTrue();
    stage.pass(0.01);
    failing.get(2).reply(overloaded());
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.OPEN);
    stage.pass(5.5);
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.PROBING);
    test.reply(overloaded());
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.PROBING);
  }

  @Test
  void a_rest_that_is_over_refuses_nobody() {
    stage.with(builder -> builder.refuseWhileResting().retries(RetryPolicy.USUAL.atMost(0)));
    var roles = stage.enter(8, call("call"));
    stage.until(4.5);
    assertThat(Stage.inFlight(roles)).isEqualTo(8);
    roles.get(0).permit().sighted(Signals.NONE);
    for (int i = 5; i < 8; i++) {
      roles.get(i).reply(overloaded());
    }
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.OPEN);
    stage.until(20);
    var late = stage.enter(call("late"));
    assertThat(late.waits()).as(late.toString()).isTrue();
  }

  @Test
  void token_headers_alone_open_the_lane_at_once() {
    var roles = stage.enter(40, call("call", 10));
    stage.pass(0.2);
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
    roles
        .get(0)
        .reply(
            answered(
                Signals.of(
                    Sighting.of(INPUT_TOKENS, 100_000, 99_990).resetIn(Duration.ofSeconds(1)))));
    assertThat(stage.lane().slots()).isEqualTo(512);
    stage.pass(4);
    assertThat(Stage.inFlight(roles)).isEqualTo(39);
  }

  @Test
  void a_ramp_asked_for_holds_though_an_earlier_run_had_none() {
    stage.enter(call("earlier"), n -> new Stage.Answer(1, answered()));
    stage.finish();
    var plan = new RampPlan(0.3, 0.1, Duration.ofDays(1));
    for (var memory : List.of(LearnedLimits.NONE, stage.flyball().memory())) {
      var next =
          new Stage()
              .with(builder -> builder.memory(memory).ramp(plan))
              .knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000));
      var roles =
          next.enter(100, call("call", 1_000), n -> new Stage.Answer(0.1, answered(1_000, 0)));
      next.until(30);
      assertThat(Stage.ended(roles)).as("with %s", memory).isLessThan(15);
    }
  }

  @Test
  void an_exhausted_call_says_what_to_change() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    var role = stage.enter(call("call"), n -> new Stage.Answer(1, overloaded()));
    stage.finish();
    assertThat(role.gaveUp()).contains("overloaded", "2 attempts", "etries");
  }

  @Test
  void the_time_left_is_that_of_the_call() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(6_000));
    stage.enter(call("first", 6_000));
    var head = stage.enter(call("head", 1_000));
    var small = stage.enter(call("small", 200));
    assertThat(small.waits()).isTrue();
    assertThat(head.waiting().left()).contains(Duration.ofSeconds(10));
  }

  @Test
  void a_call_that_waits_for_a_slot_does_not_know_for_how_long() {
    stage.with(builder -> builder.mostInFlight(1));
    stage.enter(call("first"));
    var second = stage.enter(call("second").within(Duration.ofSeconds(77)));
    assertThat(second.waiting().constraint()).isEqualTo(Constraint.SLOT);
    assertThat(second.waiting().left()).isEmpty();
  }

  @Test
  void a_time_longer_than_the_clock_is_no_deadline() {
    for (var within : List.of(Duration.ofDays(106_751), Duration.ofSeconds(Long.MAX_VALUE))) {
      stage.pass(1);
      var role = stage.enter(call("patient").within(within));
      assertThat(role.inFlight()).as("%s: %s", within, role).isTrue();
    }
  }

  @Test
  void the_longest_wait_may_be_for_ever() {
    stage.with(builder -> builder.maxWait(Duration.ofSeconds(Long.MAX_VALUE)));
    var role = stage.enter(call("patient"));
    role.reply(throttled(FOURTEEN_HOURS));
    stage.pass(14 * 3600 + 1);
    assertThat(role.inFlight()).isTrue();
  }

  @Test
  void an_estimate_that_no_number_holds_is_refused_where_it_is_made() {
    assertThatThrownBy(() -> Estimate.of(Long.MAX_VALUE, Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_wake_that_throws_harms_nobody() {
    var flyball = Flyball.builder().time(new HandTime()).mostInFlight(1).build();
    var woken = new ArrayList<String>();
    flyball.enter(call("first"), () -> woken.add("first"));
    flyball.enter(
        call("second"),
        () -> {
          throw new Stage.OnPurpose();
        });
    flyball.enter(call("third"), () -> woken.add("third"));
    flyball.drain();
    assertThat(woken).containsExactly("first", "third");
  }

  @Test
  void a_clock_may_start_below_zero() {
    var time = new HandTime();
    time.pass(Duration.ofNanos(-1L << 60));
    var flyball =
        Flyball.builder()
            .time(time)
            .profiles(lane -> LaneProfile.of(AllowanceTerms.of(REQUESTS).limit(60)))
            .build();
    var waiters = new ArrayList<Waiter<String>>();
    for (int i = 0; i < 60; i++) {
      waiters.add(flyball.enter(call("call-" + i), () -> {}));
    }
    for (int tenths = 0; tenths < 1_200; tenths++) {
      for (var waiter : List.copyOf(waiters)) {
        if (waiter.admission() instanceof Admission.Granted<String>(var permit)) {
          waiters.remove(waiter);
          permit.settle(answered());
        }
      }
      time.pass(Duration.ofMillis(100));
    }
    assertThat(waiters).as("left after two minutes").isEmpty();
  }

  @Test
  void closed_flyballs_leave_no_thread() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      try (var flyball = Flyball.create()) {
        flyball.answer(
            Call.to(LANE).within(Duration.ofMinutes(1)),
            attempt -> Reply.answered("ok", Usage.NONE));
      }
    }
    long clocks =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("flyball-time"))
            .count();
    assertThat(clocks).as("threads").isLessThanOrEqualTo(1);
  }

  @Test
  void a_429_long_after_another_does_not_slow_the_lane_for_hours() {
    int[] afterThePause = {0};
    var roles =
        stage.enter(
            40,
            call("call"),
            n -> {
              boolean early = stage.time().seconds() < 3_600;
              boolean second = !early && ++afterThePause[0] == 2;
              return new Stage.Answer(
                  0.2,
                  early
                      ? throttled(Signals.NONE.retryAfter(Duration.ofHours(1)))
                      : second ? throttled(Signals.NONE) : answered());
            });
    stage.until(3_600 + 300);
    assertThat(Stage.ended(roles)).isEqualTo(40);
  }

  @Test
  void a_call_whose_wait_was_named_goes_when_it_is_over() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000));
    var large = stage.enter(call("large", 5_000));
    large.reply(throttled(Signals.NONE.exceeding(INPUT_TOKENS).retryAfter(Duration.ofSeconds(2))));
    stage.until(1.99);
    assertThat(large.waits()).isTrue();
    stage.until(4);
    assertThat(large.inFlight()).isTrue();
  }

  @Test
  void retries_that_wait_for_the_retry_budget_hold_up_no_first_attempt() {
    var failed = new ArrayList<Stage.Role>();
    for (int i = 0; i < 40; i++) {
      // One failure after two answers: nothing that would open a breaker.
      for (int good = 0; good < 2; good++) {
        var well = stage.enter(call("well"), n -> new Stage.Answer(0, answered()));
        stage.pass(0);
        assertThat(well.done()).as("first attempt after %s failures", i).isTrue();
      }
      var role =
          stage.enter(
              call("failing"), n -> new Stage.Answer(0, n == 1 ? overloaded() : answered()));
      failed.add(role);
      stage.pass(0.1);
    }
    assertThat(failed).anyMatch(Stage.Role::waits);
  }

  @Test
  void an_overload_in_the_cold_start_halves_what_was_in_flight() {
    var roles = stage.enter(20, call("call"));
    stage.until(1.7);
    assertThat(Stage.inFlight(roles)).isEqualTo(8);
    roles.get(0).reply(overloaded());
    assertThat(stage.lane().slots()).isEqualTo(4);
  }

  @Test
  void two_parked_lanes_are_refused_together() {
    stage.with(builder -> builder.maxWait(Duration.ofMinutes(15)).mostInFlight(1));
    var first = stage.enter(2, call("first"));
    var second = stage.enter(2, call(OTHER, "second"));
    first.get(0).reply(throttled(FOURTEEN_HOURS));
    second.get(0).reply(throttled(FOURTEEN_HOURS));
    assertThat(Stage.ended(first) + Stage.ended(second)).isEqualTo(4);
  }

  @Test
  void a_shut_lane_says_why_and_what_to_do() {
    assertThat(new Refusal.LaneShut("spend cap", "raise it").advice())
        .isEqualTo("spend cap: raise it");
  }

  @Test
  void a_stated_limit_below_one_call_does_not_hold_the_lane_or_spin() {
    var first = stage.enter(2, call("long").estimated(Estimate.of(1, 20_000)));
    stage.pass(1);
    var little = Signals.of(Sighting.of(OUTPUT_TOKENS, 8_000, 8_000));
    first.get(0).reply(Reply.answered("ok", Usage.of(1, 1), little));
    var plenty = Signals.of(Sighting.of(REQUESTS, 60_000, 59_900).resetIn(Duration.ofSeconds(1)));
    first.get(1).reply(Reply.answered("ok", Usage.of(1, 1), plenty));
    stage.pass(60);
    var roles =
        stage.enter(
            50,
            call("short").estimated(Estimate.of(1, 1)),
            n -> new Stage.Answer(0.1, answered(1, 1)));
    int steps = 0;
    while (Stage.ended(roles) < 50) {
      assertThat(steps++).as("alarms").isLessThan(1_000);
      assertThat(stage.time().step(1_000)).isTrue();
    }
    assertThat(stage.time().seconds()).isLessThan(90);
  }

  @Test
  void a_memory_without_a_rate_does_not_stop_a_lane() {
    for (double nonsense : new double[] {0, -1, Double.NaN, 1e-300}) {
      var world =
          new Stage()
              .with(
                  builder ->
                      builder.memory(
                          remembered(
                              LearnedLimits.Felt.NOTHING,
                              1,
                              new LearnedLimits.Learned(INPUT_TOKENS, 60_000, nonsense))));
      var roles = world.enter(20, call("call", 100), n -> new Stage.Answer(0.1, answered(100, 0)));
      world.until(60);
      assertThat(Stage.ended(roles)).as("with %s", nonsense).isEqualTo(20);
    }
  }

  @Test
  void one_broken_attempt_while_others_are_in_flight_shuts_no_lane() {
    var roles = stage.enter(10, call("call"));
    stage.until(2.5);
    assertThat(Stage.inFlight(roles)).isEqualTo(10);
    roles.get(0).reply(Stage.broken(true));
    assertThat(Stage.ended(roles)).isZero();
    roles.subList(1, 10).forEach(role -> role.reply(answered()));
    stage.pass(2);
    assertThat(roles.get(0).inFlight()).isTrue();
  }

  @Test
  void small_calls_after_large_ones_go_as_fast_as_the_tokens_allow() {
    var seen = Signals.of(Sighting.of(INPUT_TOKENS, 60_000, 30_000));
    var large =
        stage.enter(
            60,
            call("large", 1_000),
            n -> new Stage.Answer(0.1, Reply.answered("", Usage.of(1_000, 0), seen)));
    while (Stage.ended(large) < 60) {
      assertThat(stage.time().step(1_000)).isTrue();
    }
    double from = stage.time().seconds();
    var small =
        stage.enter(
            500,
            call("small", 10),
            n -> new Stage.Answer(0.1, Reply.answered("", Usage.of(10, 0), seen)));
    while (Stage.ended(small) < 500) {
      assertThat(stage.time().step(1_000)).isTrue();
    }
    assertThat(stage.time().seconds() - from).isLessThan(60);
  }

  @Test
  void a_rejection_until_the_end_of_time_only_shuts_the_lane() {
    var roles = stage.enter(2, call("call"));
    var never = Optional.of(Duration.ofSeconds(Long.MAX_VALUE));
    roles.get(0).reply(new Reply.Rejected<>("no", "pay", true, never));
    assertThat(Stage.ended(roles)).isGreaterThanOrEqualTo(1);
  }

  @Test
  void a_limit_that_is_named_though_enough_is_left_of_it_is_one_that_is_not_stated() {
    var plenty = Signals.of(Sighting.of(REQUESTS, 600, 597)).exceeding(REQUESTS);
    var roles = stage.enter(4, call("call"));
    roles
        .subList(0, 3)
        .forEach(role -> role.reply(answered(Signals.of(Sighting.of(REQUESTS, 600, 597)))));
    roles.get(3).reply(throttled(plenty.retryAfter(Duration.ofMillis(47))));
    assertThat(stage.flyball().snapshot().total().throttledBy()).containsOnlyKeys("unstated");
  }

  @Test
  void what_is_given_for_a_day_is_no_pace() {
    var daily = Sighting.of(REQUESTS.per(Duration.ofDays(1)), 1_000, 970);
    for (int i = 0; i < 40; i++) {
      var role = stage.enter(call("call-" + i));
      stage.pass(0.1);
      role.reply(Reply.answered("", Usage.of(1, 1), Signals.of(daily)));
    }
    var last = stage.enter(call("last"));
    last.reply(throttled(Signals.NONE));
    // A thousand a day is one in 86 s; ten a second went through.
    assertThat(stage.lane().pacePerSecond()).isGreaterThan(0.1);
    stage.pass(30);
    last.reply(answered());
  }
}
