package dev.flyball.review.run;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Tenant;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.util.Optional;

/**
 * The scheduler of one review, its own or one that it shares, and who pays there.
 *
 * @param own whether it is over with the review
 */
record ReviewScheduler(Flyball flyball, Tenant tenant, Account payer, boolean own)
    implements AutoCloseable {
  /** One for this review alone, within its bounds. */
  static ReviewScheduler own(ReviewSetup setup, ReviewPlan plan) {
    var profile = setup.profile();
    var flyball =
        setup
            .settings()
            .bounds()
            .tokens(plan.budget())
            .scheduler(ModelClient.ACCOUNT, lane -> profile, setup.learned().lanes(), setup.run());
    return new ReviewScheduler(flyball, Tenant.ONLY, ModelClient.ACCOUNT, true);
  }

  /** A part in one that others use too, within the budget of this review. */
  static ReviewScheduler in(SharedScheduler shared, ReviewSetup setup, ReviewPlan plan) {
    var bounds = setup.settings().bounds().tokens(plan.budget());
    if (bounds.isBudgeted()) {
      shared
          .flyball()
          .budget(
              shared.payer(),
              new Budget(bounds.budgetTokens(), bounds.budgetMoney(), bounds.reserve()));
    }
    return new ReviewScheduler(shared.flyball(), shared.tenant(), shared.payer(), false);
  }

  /** What the review has used of its own budget, if it has one. */
  Optional<BudgetSnapshot> budget() {
    return flyball.snapshot().budgets().stream()
        .filter(each -> each.account().equals(payer))
        .findFirst();
  }

  /** Lets nothing of the review start any more, if nobody else is concerned. */
  void drain() {
    if (own) {
      flyball.drain();
    }
  }

  @Override
  public void close() {
    if (own) {
      flyball.close();
    } else {
      flyball.withoutBudget(payer);
    }
  }
}
