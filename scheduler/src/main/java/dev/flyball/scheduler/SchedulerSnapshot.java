package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.limit.BudgetBalance;
import java.util.List;

/** Everything at one moment, for people: lanes are looked at one after the other. */
public record SchedulerSnapshot(
    List<LaneSnapshot> lanes, List<BudgetSnapshot> budgets, Metrics total, long eventsDropped) {

  /** One budget at one moment. */
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

    /** Tokens used beyond the ceiling: the estimate error of what was in flight. */
    public long tokensOverspent() {
      return budget.tokens().isEmpty() ? 0 : Math.max(0, tokensSpent - budget.tokens().getAsLong());
    }

    /** Money spent beyond the ceiling, in the same way. */
    public Cost moneyOverspent() {
      long most = budget.money().map(Cost::micros).orElse(Long.MAX_VALUE);
      return new Cost(Math.max(0, moneySpent.micros() - most));
    }
  }
}
