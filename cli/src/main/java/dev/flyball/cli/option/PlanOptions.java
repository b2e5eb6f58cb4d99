package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.review.plan.ReviewMode;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.run.RunBounds;
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
public final class PlanOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--fast-model",
      paramLabel = "NAME",
      description = "The model for lenses that need less thought; --model is for the others.")
  private @Nullable String fastModel;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--lenses",
      paramLabel = "NAMES",
      split = ",",
      description = "Only these questions, as in security,correctness.")
  private List<String> lenses = new ArrayList<>();

  @SetBy(Who.PROJECT)
  @Option(
      names = "--mode",
      paramLabel = "auto|sequential|parallel|incremental|chunked",
      defaultValue = "auto",
      description = "How a change is gone through. (${DEFAULT-VALUE}: by its size)")
  private String mode;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description = "The most tokens it may use; 100000 for a change if not said.")
  private @Nullable Long budgetTokens;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--reserve",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "The part of the budget that is kept back for what has to be asked again."
              + " (${DEFAULT-VALUE})")
  private int reserve;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--samples",
      paramLabel = "1|2",
      defaultValue = "1",
      description =
          "How often everything is asked; the second time at a higher temperature, where the model"
              + " has one. What is found twice is surer. (${DEFAULT-VALUE})")
  private int samples;

  /** All of them with those beside, refused if they cannot be. */
  public ReviewSettings settings(Optional<String> model, RunBounds bounds, boolean deliberate) {
    return new ReviewSettings(
        model,
        Optional.ofNullable(fastModel),
        lenses,
        mode(),
        bounds.tokens(budget()),
        reserve(),
        samples(),
        deliberate);
  }

  private Optional<ReviewMode> mode() {
    try {
      return mode.equals("auto") ? Optional.empty() : Optional.of(ReviewMode.of(mode));
    } catch (IllegalArgumentException no) {
      throw new ParameterException(spec.commandLine(), "--mode: " + no.getMessage(), no);
    }
  }

  private OptionalLong budget() {
    if (budgetTokens == null) {
      return OptionalLong.empty();
    }
    if (budgetTokens < 1) {
      throw new ParameterException(
          spec.commandLine(), "--budget-tokens: at least 1 is expected, not " + budgetTokens);
    }
    return OptionalLong.of(budgetTokens);
  }

  /** Whether somebody said how much it may use. */
  boolean isBounded() {
    return budgetTokens != null;
  }

  private int samples() {
    if (samples < 1 || samples > 2) {
      throw new ParameterException(
          spec.commandLine(), "--samples: 1 or 2 is expected, not " + samples);
    }
    return samples;
  }

  private int reserve() {
    if (reserve < 0 || reserve > 99) {
      throw new ParameterException(
          spec.commandLine(), "--reserve: 0 to 99 is expected, not " + reserve);
    }
    return reserve;
  }
}
