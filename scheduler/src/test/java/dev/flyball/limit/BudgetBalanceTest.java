package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.call.Refusal;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class BudgetBalanceTest {
  private static final Account RUN = Account.of("run");

  private static BudgetBalance of(Budget budget) {
    return new BudgetBalance(RUN, budget);
  }

  @Test
  void what_is_held_is_not_there_for_others() {
    var balance = of(Budget.tokens(100));
    assertThat(balance.lacks(60, 0, false, false)).isEmpty();
    balance.hold(60, 0);
    assertThat(balance.lacks(40, 0, false, false)).isEmpty();
    assertThat(balance.lacks(41, 0, false, false))
        .contains(new Refusal.BudgetSpent(RUN, "tokens", 41, 40));
  }

  @Test
  void settling_replaces_the_hold_by_what_was_spent() {
    var balance = of(Budget.tokens(100));
    balance.hold(60, 0);
    balance.settle(60, 0, 10, 0);
    assertThat(balance.tokensHeld()).isZero();
    assertThat(balance.tokensSpent()).isEqualTo(10);
    assertThat(balance.holds()).isZero();
    assertThat(balance.lacks(90, 0, false, false)).isEmpty();
    assertThat(balance.lacks(91, 0, false, false)).isPresent();
  }

  @Test
  void the_reserve_is_there_for_retries_alone() {
    var balance = of(Budget.tokens(100).keepingBack(0.2));
    assertThat(balance.lacks(80, 0, false, false)).isEmpty();
    assertThat(balance.lacks(81, 0, false, false))
        .contains(new Refusal.BudgetSpent(RUN, "tokens", 81, 80));
    assertThat(balance.lacks(100, 0, false, true)).isEmpty();
    assertThat(balance.lacks(101, 0, false, true)).isPresent();
  }

  @Test
  void money_is_counted_in_millionths() {
    var balance = of(Budget.money(Cost.dollars("0.000010")));
    balance.hold(0, 7);
    assertThat(balance.lacks(0, 3, true, false)).isEmpty();
    assertThat(balance.lacks(0, 4, true, false))
        .contains(new Refusal.BudgetSpent(RUN, "millionths of $", 4, 3));
  }

  @Test
  void without_a_price_a_budget_in_money_lets_nothing_go() {
    assertThat(of(Budget.money(Cost.dollars("100"))).lacks(1, 0, false, false))
        .contains(new Refusal.Unpriced(RUN));
    assertThat(of(Budget.tokens(100).and(Cost.dollars("1"))).lacks(1, 0, false, true))
        .contains(new Refusal.Unpriced(RUN));
    assertThat(of(Budget.tokens(100)).lacks(1, 0, false, false)).isEmpty();
  }

  @Test
  void both_tokens_and_money_must_have_room() {
    var balance = of(Budget.tokens(100).and(new Cost(100)));
    assertThat(balance.lacks(101, 1, true, false)).isPresent();
    assertThat(balance.lacks(1, 101, true, false)).isPresent();
    assertThat(balance.lacks(100, 100, true, false)).isEmpty();
  }

  @Test
  void holds_that_are_asked_for_never_overspend_and_always_add_up() {
    Seeds.forAll(
        300,
        random -> {
          long tokens = random.nextLong(10_000);
          long micros = random.nextLong(10_000);
          double reserve = random.nextInt(3) == 0 ? random.nextDouble() : 0;
          var balance = of(Budget.tokens(tokens).and(new Cost(micros)).keepingBack(reserve));
          var holds = new ArrayList<long[]>();
          long heldTokens = 0;
          long heldMicros = 0;
          for (int i = 0; i < 200; i++) {
            if (random.nextBoolean()) {
              long[] wanted = {random.nextLong(2_000), random.nextLong(2_000)};
              if (balance.lacks(wanted[0], wanted[1], true, random.nextBoolean()).isEmpty()) {
                balance.hold(wanted[0], wanted[1]);
                holds.add(wanted);
                heldTokens += wanted[0];
                heldMicros += wanted[1];
              }
            } else if (!holds.isEmpty()) {
              long[] held = holds.remove(random.nextInt(holds.size()));
              balance.settle(
                  held[0], held[1], random.nextLong(held[0] + 1), random.nextLong(held[1] + 1));
              heldTokens -= held[0];
              heldMicros -= held[1];
            }
            assertThat(balance.tokensHeld()).isEqualTo(heldTokens);
            assertThat(balance.microsHeld()).isEqualTo(heldMicros);
            assertThat(balance.holds()).isEqualTo(holds.size());
            assertThat(balance.tokensHeld() + balance.tokensSpent()).isLessThanOrEqualTo(tokens);
            assertThat(balance.microsHeld() + balance.microsSpent()).isLessThanOrEqualTo(micros);
          }
        });
  }

  @Test
  void impossible_budgets_are_refused_with_rule_and_value() {
    assertThatThrownBy(
            () -> new Budget(java.util.OptionalLong.empty(), java.util.Optional.empty(), 0))
        .hasMessage("a budget limits tokens or money, but had neither");
    assertThatThrownBy(() -> Budget.tokens(-1)).hasMessageContaining("OptionalLong[-1]");
    assertThatThrownBy(() -> Budget.tokens(1).keepingBack(1)).hasMessageContaining("1.0");
    assertThatThrownBy(() -> Budget.tokens(1).keepingBack(-0.1)).hasMessageContaining("-0.1");
    assertThatThrownBy(() -> Budget.tokens(1).keepingBack(Double.NaN)).hasMessageContaining("NaN");
  }
}
