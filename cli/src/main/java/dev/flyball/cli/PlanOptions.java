package dev.flyball.cli;

import dev.flyball.review.plan.BudgetShares;
import dev.flyball.review.plan.Lens;
import dev.flyball.review.plan.ReviewMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what a review asks, and how much it may use. */
final class PlanOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--fast-model",
      paramLabel = "NAME",
      description = "The model for lenses that need less thought; --model is for the others.")
  private @Nullable String fastModel;

  @Option(
      names = "--lenses",
      paramLabel = "NAMES",
      split = ",",
      description = "Only these questions, as in security,correctness.")
  private List<String> lenses = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "auto|sequential|parallel|incremental|chunked",
      defaultValue = "auto",
      description = "How a change is gone through. (${DEFAULT-VALUE}: by its size)")
  private String mode;

  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description = "The most tokens it may use; 100000 for a change if not said.")
  private @Nullable Long budgetTokens;

  @Option(
      names = "--reserve",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "The part of the budget that is kept back for what has to be asked again."
              + " (${DEFAULT-VALUE})")
  private int reserve;

  @Option(
      names = "--samples",
      paramLabel = "1|2",
      defaultValue = "1",
      description =
          "How often everything is asked; the second time at a higher temperature, where the model"
              + " has one. What is found twice is surer. (${DEFAULT-VALUE})")
  private int samples;

  /** Refuses what cannot be. */
  void check() {
    mode();
    samples();
    reserve();
    budget(Lens.SubjectKind.CHANGE);
  }

  Optional<String> fastModel() {
    return Optional.ofNullable(fastModel);
  }

  List<String> lenses() {
    return List.copyOf(lenses);
  }

  Optional<ReviewMode> mode() {
    try {
      return mode.equals("auto") ? Optional.empty() : Optional.of(ReviewMode.of(mode));
    } catch (IllegalArgumentException no) {
      throw new ParameterException(spec.commandLine(), "--mode: " + no.getMessage(), no);
    }
  }

  /** What was said, else what is usual for what is reviewed. */
  OptionalLong budget(Lens.SubjectKind subject) {
    if (budgetTokens != null) {
      if (budgetTokens < 1) {
        throw new ParameterException(
            spec.commandLine(), "--budget-tokens: at least 1 is expected, not " + budgetTokens);
      }
      return OptionalLong.of(budgetTokens);
    }
    return switch (subject) {
      case CHANGE -> OptionalLong.of(BudgetShares.USUAL_BUDGET);
      case REPOSITORY -> OptionalLong.empty();
    };
  }

  /** Whether somebody said how much it may use. */
  boolean isBounded() {
    return budgetTokens != null;
  }

  int samples() {
    if (samples < 1 || samples > 2) {
      throw new ParameterException(
          spec.commandLine(), "--samples: 1 or 2 is expected, not " + samples);
    }
    return samples;
  }

  int reserve() {
    if (reserve < 0 || reserve > 99) {
      throw new ParameterException(
          spec.commandLine(), "--reserve: 0 to 99 is expected, not " + reserve);
    }
    return reserve;
  }
}
