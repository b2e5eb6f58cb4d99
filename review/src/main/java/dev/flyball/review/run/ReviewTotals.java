package dev.flyball.review.run;

import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The sums of a review that has ended.
 *
 * @param budget as it was at the end, if there was one
 * @param interrupted whether somebody stopped it
 * @param unsure findings that were left out because nobody was sure enough of them
 */
record ReviewTotals(
    ReviewProgress progress,
    Optional<BudgetSnapshot> budget,
    UnitRunner.Answers answers,
    Duration took,
    boolean interrupted,
    long unsure) {
  ReviewUsage usage() {
    var used = progress.usage();
    return new ReviewUsage(
        budget.map(it -> it.budget().tokens()).orElse(OptionalLong.empty()),
        used.tokens(),
        new ReviewUsage.Excess(
            budget.map(BudgetSnapshot::tokensOverspent).orElse(0L),
            progress.underestimated(),
            progress.uncertain()),
        dropped(),
        used.cost(),
        took,
        progress.byLens().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, lens -> lens.getValue().tokens())),
        ending(),
        answers.asked(),
        answers.cached(),
        answers.lost(),
        unsure);
  }

  /** What has no answer in full because of the budget. */
  private List<String> dropped() {
    return answers.unanswered().stream()
        .filter(each -> each.cause() == ModelClient.Cause.BUDGET)
        .map(each -> each.unit().part())
        .distinct()
        .sorted()
        .toList();
  }

  private ReviewUsage.Ending ending() {
    if (answers.unanswered().isEmpty()) {
      return ReviewUsage.Ending.COMPLETION;
    }
    if (interrupted) {
      return ReviewUsage.Ending.INTERRUPT;
    }
    var causes = answers.unanswered().stream().map(UnitRunner.Unanswered::cause).toList();
    return causes.contains(ModelClient.Cause.BUDGET)
        ? ReviewUsage.Ending.BUDGET
        : causes.contains(ModelClient.Cause.STOPPED)
            ? ReviewUsage.Ending.DEADLINE
            : ReviewUsage.Ending.FAILURES;
  }
}
