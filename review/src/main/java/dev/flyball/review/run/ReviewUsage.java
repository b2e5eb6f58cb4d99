package dev.flyball.review.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.UnitRunner;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The use that a review made of its budget, and what ended it.
 *
 * @param budget as it was at the end, if there was one
 * @param interrupted whether somebody stopped it
 * @param unsure findings that were left out because nobody was sure enough of them
 */
public record ReviewUsage(
    ReviewProgress progress,
    Optional<BudgetSnapshot> budget,
    UnitRunner.Answers answers,
    Duration took,
    boolean interrupted,
    long unsure) {
  ObjectNode json() {
    var used = progress.usage();
    var node = JsonNodeFactory.instance.objectNode();
    var most = budget.flatMap(it -> it.budget().tokens().stream().boxed().findFirst());
    if (most.isPresent()) {
      node.put("maxTokens", most.get());
      node.put("usedTokens", used.tokens());
      node.put("remainingTokens", Math.max(0, most.get() - used.tokens()));
      node.put("percentUsed", Math.round(1_000.0 * used.tokens() / most.get()) / 10.0);
    } else {
      node.putNull("maxTokens").put("usedTokens", used.tokens());
      node.putNull("remainingTokens").putNull("percentUsed");
    }
    node.put("overspentTokens", overspent());
    node.put("underestimatedTokens", progress.underestimated());
    node.put("costUsd", used.cost().toString().substring(1));
    node.put("durationMs", took.toMillis());
    var byLens = node.putObject("byLens");
    progress.byLens().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(lens -> byLens.put(lens.getKey(), lens.getValue().tokens()));
    double seconds = Math.max(1, took.toMillis()) / 1e3;
    node.put("tokensPerSecond", Math.round(used.tokens() / seconds));
    node.put("endedBy", endedBy());
    node.put("asked", answers.asked()).put("cached", answers.cached());
    node.put("droppedFindings", answers.lost()).put("unsureFindings", unsure);
    return node;
  }

  /** Tokens used beyond the budget. */
  public long overspent() {
    return budget.map(BudgetSnapshot::tokensOverspent).orElse(0L);
  }

  private String endedBy() {
    if (answers.unanswered().isEmpty()) {
      return "completion";
    }
    if (interrupted) {
      return "interrupt";
    }
    var causes = answers.unanswered().stream().map(UnitRunner.Unanswered::cause).toList();
    return causes.contains(ModelClient.Cause.BUDGET)
        ? "budget"
        : causes.contains(ModelClient.Cause.STOPPED) ? "deadline" : "failures";
  }
}
