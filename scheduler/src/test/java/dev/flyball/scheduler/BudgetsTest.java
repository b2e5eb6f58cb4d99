package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Seeds;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BudgetsTest {
  private static final Account RUN = Account.of("run");
  private static final LaneId OTHER = LaneId.of("stage", "other");

  /** Holds 20,000 tokens. */
  private static final Call LARGE = call("large").estimated(Estimate.of(5_000, 15_000)).paidBy(RUN);

  @RegisterExtension final Stage stage = new Stage();

  private BudgetSnapshot budget(Account account) {
    return stage.flyball().snapshot().budgets().stream()
        .filter(budget -> budget.account().equals(account))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void exactly_as_many_start_as_the_budget_can_hold() {
    stage.flyball().budget(RUN, Budget.tokens(100_000));
    var roles = stage.enter(8, LARGE);
    stage.until(20);
    assertThat(Stage.inFlight(roles)).isEqualTo(5);
    assertThat(roles.get(5).waiting().constraint()).isEqualTo(Constraint.BUDGET);
    assertThat(stage.budget().tokensHeld()).isEqualTo(100_000);
  }

  @Test
  void an_account_that_is_over_leaves_no_budget_behind_and_what_is_in_flight_settles_above() {
    var part = RUN.part("review");
    stage.flyball().budget(RUN, Budget.tokens(100_000));
    stage.flyball().budget(part, Budget.tokens(50_000));
    var roles = stage.enter(1, call("one").estimated(Estimate.of(5_000, 15_000)).paidBy(part));
    stage.until(20);
    assertThat(budget(RUN).tokensHeld()).isEqualTo(20_000);
    stage.flyball().withoutBudget(part);
    roles.getFirst().reply(answered(5_000, 5_000));
    assertThat(stage.flyball().snapshot().budgets()).hasSize(1);
    assertThat(budget(RUN).tokensHeld()).isZero();
    assertThat(budget(RUN).tokensSpent()).isEqualTo(10_000);
    stage.flyball().budget(part, Budget.tokens(1));
  }

  @Test
  void the_rest_start_as_settlements_make_room() {
    stage.flyball().budget(RUN, Budget.tokens(100_000));
    var roles = stage.enter(8, LARGE);
    stage.until(20);
    roles.get(0).reply(answered(5_000, 5_000));
    assertThat(Stage.inFlight(roles)).as("10,000 came back, 20,000 are needed").isEqualTo(4);
    roles.get(1).reply(answered(5_000, 5_000));
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
    assertThat(roles.get(5).inFlight()).isTrue();
    roles.get(2).reply(answered(0, 0));
    assertThat(roles.get(6).inFlight()).as("all came back").isTrue();
  }

  @Test
  void a_reserve_of_a_fifth_lets_four_start() {
    stage.flyball().budget(RUN, Budget.tokens(100_000).keepingBack(0.2));
    var roles = stage.enter(8, LARGE);
    stage.until(20);
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
  }

  @Test
  void the_reserve_is_there_for_retries() {
    stage.flyball().budget(RUN, Budget.tokens(100_000).keepingBack(0.2));
    var roles = stage.enter(5, LARGE);
    stage.until(20);
    roles.get(0).reply(broken(true));
    assertThat(stage.budget().tokensSpent()).isEqualTo(20_000);
    roles.get(1).reply(answered(5_000, 15_000));
    roles.get(2).reply(answered(5_000, 15_000));
    stage.until(30);
    assertThat(roles.get(0).inFlight()).as("its retry").isTrue();
    assertThat(roles.get(4).waits()).as("a first attempt").isTrue();
  }

  @Test
  void what_does_not_fit_is_refused_only_when_nothing_is_held() {
    stage.flyball().budget(RUN, Budget.tokens(30_000));
    var roles = stage.enter(2, LARGE);
    assertThat(roles.get(1).waiting().constraint()).isEqualTo(Constraint.BUDGET);
    roles.get(0).reply(answered(5_000, 10_000));
    assertThat(roles.get(1).refusal())
        .isEqualTo(new Refusal.BudgetSpent(RUN, "tokens", 20_000, 15_000));
    assertThat(stage.events()).contains(new Event.BudgetSpent(Stage.LANE, roles.get(1).refusal()));
  }

  @Test
  void what_can_never_fit_is_refused_at_once() {
    stage.flyball().budget(RUN, Budget.tokens(19_999));
    assertThat(stage.enter(LARGE).refusal())
        .isEqualTo(new Refusal.BudgetSpent(RUN, "tokens", 20_000, 19_999));
  }

  @Test
  void a_smaller_call_may_go_where_a_larger_one_waits_for_room() {
    stage.flyball().budget(RUN, Budget.tokens(30_000));
    stage.enter(LARGE);
    assertThat(stage.enter(LARGE).waits()).isTrue();
    assertThat(stage.enter(call("small", 10_000).paidBy(RUN)).inFlight()).isTrue();
  }

  @Test
  void a_part_and_its_whole_must_both_have_room() {
    var lens = RUN.part("lens");
    stage.flyball().budget(RUN, Budget.tokens(50_000)).budget(lens, Budget.tokens(25_000));
    var first = stage.enter(LARGE.paidBy(lens));
    var second = stage.enter(LARGE.paidBy(lens));
    assertThat(second.waits()).as("the lens has no room").isTrue();
    var third = stage.enter(LARGE.paidBy(RUN.part("other")));
    assertThat(third.inFlight()).as("a part without a budget of its own").isTrue();
    var fourth = stage.enter(LARGE.paidBy(RUN));
    assertThat(fourth.waits()).as("the run has no room").isTrue();
    assertThat(budget(RUN).tokensHeld()).isEqualTo(40_000);
    assertThat(budget(lens).tokensHeld()).isEqualTo(20_000);
    first.reply(answered(1_000, 1_000));
    assertThat(second.inFlight()).isTrue();
    assertThat(fourth.waits()).isTrue();
    assertThat(budget(RUN).tokensSpent()).isEqualTo(2_000);
    assertThat(budget(lens).tokensSpent()).isEqualTo(2_000);
  }

  @Test
  void calls_without_an_account_are_free() {
    stage.flyball().budget(RUN, Budget.tokens(1));
    assertThat(stage.enter(call("free", 1_000)).inFlight()).isTrue();
    assertThat(stage.enter(call("else", 1_000).paidBy(Account.of("else"))).inFlight()).isTrue();
  }

  @Test
  void money_is_held_at_the_most_a_call_can_cost_and_settled_at_what_it_did() {
    stage.flyball().budget(RUN, Budget.money(Cost.dollars("1")));
    var call =
        call("call").paidBy(RUN).estimated(Estimate.of(1, 1).costingAtMost(Cost.dollars("0.4")));
    var roles = stage.enter(3, call);
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    assertThat(stage.budget().moneyHeld()).isEqualTo(Cost.dollars("0.8"));
    roles.get(0).reply(Reply.answered("ok", Usage.of(1, 1).costing(Cost.dollars("0.123456"))));
    assertThat(stage.budget().moneySpent()).isEqualTo(Cost.dollars("0.123456"));
    assertThat(roles.get(2).inFlight()).isTrue();
  }

  @Test
  void without_a_price_a_budget_in_money_fails_closed() {
    stage.flyball().budget(RUN, Budget.money(Cost.dollars("1000000")));
    stage.enter(call("priced").paidBy(RUN).estimated(Estimate.of(1, 1).costingAtMost(new Cost(1))));
    assertThat(stage.enter(call("unpriced").paidBy(RUN)).refusal())
        .as("at once, though something is held")
        .isEqualTo(new Refusal.Unpriced(RUN));
  }

  @Test
  void attempts_that_may_have_been_billed_are_charged_in_full() {
    stage.flyball().budget(RUN, Budget.tokens(1_000_000).and(Cost.dollars("9")));
    var call = LARGE.estimated(Estimate.of(5_000, 15_000).costingAtMost(Cost.dollars("0.5")));
    var role = stage.enter(call);
    role.reply(broken(true));
    assertThat(stage.budget().tokensSpent()).isEqualTo(20_000);
    assertThat(stage.budget().moneySpent()).isEqualTo(Cost.dollars("0.5"));
    stage.until(10);
    role.reply(broken(false));
    assertThat(stage.budget().tokensSpent()).as("never sent").isEqualTo(20_000);
    stage.until(60);
    role.reply(new Reply.CutShort<>("cut", Usage.of(5_000, 70).costing(new Cost(3)), Signals.NONE));
    assertThat(stage.budget().tokensSpent()).as("what was produced").isEqualTo(25_070);
    assertThat(stage.budget().moneySpent()).isEqualTo(new Cost(500_003));
  }

  @Test
  void what_the_provider_turned_away_costs_nothing() {
    stage.flyball().budget(RUN, Budget.tokens(1_000_000));
    var roles = stage.enter(4, LARGE);
    roles.get(0).drop();
    roles.get(1).reply(Reply.rejected("no", "never"));
    roles.get(2).reply(overloaded());
    roles.get(3).reply(Stage.throttled(Signals.NONE.retryAfter(Duration.ofSeconds(1))));
    assertThat(stage.budget().tokensSpent()).isZero();
    assertThat(stage.budget().holds()).isZero();
  }

  @Test
  void a_budget_wakes_calls_of_every_lane_that_wait_for_it() {
    stage.flyball().budget(RUN, Budget.tokens(30_000));
    var first = stage.enter(LARGE);
    var here = stage.enter(LARGE);
    var there = stage.enter(call(OTHER, "there").estimated(LARGE.estimate()).paidBy(RUN));
    assertThat(here.waits()).isTrue();
    assertThat(there.waiting().constraint()).isEqualTo(Constraint.BUDGET);
    first.drop();
    assertThat(here.inFlight() ^ there.inFlight()).as("one of them has room").isTrue();
    (here.inFlight() ? here : there).reply(answered(1, 1));
    assertThat(here.inFlight() || there.inFlight()).as("and then the other").isTrue();
  }

  @Test
  void a_waiting_call_that_is_withdrawn_or_late_holds_nothing() {
    stage.flyball().budget(RUN, Budget.tokens(30_000));
    stage.enter(LARGE);
    stage.enter(LARGE).withdraw();
    var late = stage.enter(LARGE.within(Duration.ofSeconds(5)));
    stage.until(5);
    assertThat(late.refusal()).isInstanceOf(Refusal.TooLate.class);
    assertThat(stage.budget().holds()).isEqualTo(1);
    assertThat(stage.lane().waiting()).isZero();
  }

  @Test
  void what_was_overspent_is_reported() {
    stage.flyball().budget(RUN, Budget.tokens(20_000));
    stage.enter(LARGE).reply(answered(9_000, 15_000));
    assertThat(stage.budget().tokensOverspent()).isEqualTo(4_000);
    assertThat(stage.enter(call("next", 1).paidBy(RUN)).refusal())
        .isEqualTo(new Refusal.BudgetSpent(RUN, "tokens", 1, -4_000));
  }

  @Test
  void an_account_has_one_budget() {
    stage.flyball().budget(RUN, Budget.tokens(1));
    assertThatThrownBy(() -> stage.flyball().budget(RUN, Budget.tokens(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("account 'run' has a budget already");
  }

  @Test
  void no_budget_is_overspent_and_every_hold_is_in_flight() {
    Seeds.forAll(
        60,
        random -> {
          var world = new Stage().with(builder -> builder.retries(RetryPolicy.USUAL.atMost(2)));
          var lens = RUN.part("lens");
          long most = 50_000 + random.nextLong(100_000);
          world
              .flyball()
              .budget(RUN, Budget.tokens(most).keepingBack(random.nextInt(2) * 0.2))
              .budget(lens, Budget.tokens(most / 2));
          var roles = new ArrayList<Stage.Role>();
          for (int i = 0; i < 50; i++) {
            long input = random.nextInt(5_000);
            long output = random.nextInt(10_000);
            var call =
                call(random.nextBoolean() ? Stage.LANE : OTHER, "call-" + i)
                    .estimated(Estimate.of(input, output))
                    .paidBy(random.nextBoolean() ? RUN : lens);
            roles.add(
                world.enter(
                    call,
                    n ->
                        new Stage.Answer(
                            random.nextDouble() * 2,
                            switch (random.nextInt(8)) {
                              case 0 -> overloaded();
                              case 1 -> broken(random.nextBoolean());
                              default -> answered(input, random.nextLong(output + 1));
                            })));
          }
          do {
            int flying = Stage.inFlight(roles);
            for (var budget : world.flyball().snapshot().budgets()) {
              long limit = budget.budget().tokens().orElseThrow();
              assertThat(budget.tokensSpent() + budget.tokensHeld()).isLessThanOrEqualTo(limit);
              assertThat(budget.tokensHeld()).isNotNegative();
              if (budget.account().equals(RUN)) {
                assertThat(budget.holds()).isEqualTo(flying);
              }
            }
          } while (world.time().step(1e7));
          assertThat(Stage.ended(roles)).isEqualTo(50);
          Stage.assertClean(world.flyball());
        });
  }
}
