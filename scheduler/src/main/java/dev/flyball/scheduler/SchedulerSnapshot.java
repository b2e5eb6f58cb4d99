package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.limit.BudgetBalance;
import java.util.List;

/**
 * Everything at about one moment, for people: lanes are looked at one after the other.
 *
 * @param lanes by name
 * @param budgets in no order
 * @param total what all lanes have done so far
 * @param eventsDropped how many events listeners were too slow for
 */
public record SchedulerSnapshot(
    List<LaneSnapshot> lanes, List<BudgetSnapshot> budgets, Metrics total, long eventsDropped) {

  /**
   * One budget at one moment.
   *
   * @param account whose
   * @param budget the most it may use
   * @param tokensSpent what was used
   * @param tokensHeld what attempts in flight hold
   * @param moneySpent what was spent
   * @param moneyHeld what attempts in flight hold
   * @param holds how many attempts in flight hold part of it
   */
  public record BudgetSnapshot(
      Account account,
      Budget budget,
      long tokensSpent,
      long tokensHeld,
      Cost moneySpent,
      Cost moneyHeld,
      int holds) {
    static BudgetSnapshot of(BudgetBalance balance) {
      return new BudgetSnapshot(
          balance.account(),
          balance.budget(),
          balance.tokensSpent(),
          balance.tokensHeld(),
          new Cost(balance.microsSpent()),
          new Cost(balance.microsHeld()),
          balance.holds());
    }

    /** {@return tokens used beyond the ceiling: the estimate error of what was in flight} */
    public long tokensOverspent() {
      return budget.tokens().isEmpty() ? 0 : Math.max(0, tokensSpent - budget.tokens().getAsLong());
    }

    /** {@return money spent beyond the ceiling, in the same way} */
    public Cost moneyOverspent() {
      long most = budget.money().map(Cost::micros).orElse(Long.MAX_VALUE);
      return new Cost(Math.max(0, moneySpent.micros() - most));
    }
  }
}
