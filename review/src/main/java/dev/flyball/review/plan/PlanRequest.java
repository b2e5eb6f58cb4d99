package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The terms of a plan.
 *
 * @param lenses those that are asked, the most important first
 * @param mode instead of the one that fits
 * @param budget tokens in all, if they are limited
 * @param reserve the part of it that is kept back, in hundredths
 * @param samples how often everything is asked
 * @param deep what the model for deep lenses has room for, the question included
 * @param fast the same of the other
 */
public record PlanRequest(
    TokenMeasure measure,
    List<Lens> lenses,
    Optional<ReviewMode> mode,
    OptionalLong budget,
    int reserve,
    int samples,
    PromptRoom deep,
    PromptRoom fast) {
  private static final int MOST_SAMPLES = 2;

  public PlanRequest {
    lenses = List.copyOf(lenses);
    if (lenses.isEmpty()) {
      throw new IllegalArgumentException("a review has at least one lens, but there was none");
    }
    if (samples < 1 || samples > MOST_SAMPLES) {
      throw new IllegalArgumentException(
          "everything is asked once or twice, but was to be %d times".formatted(samples));
    }
  }

  PromptRoom room(Tier tier) {
    return switch (tier) {
      case DEEP -> deep;
      case FAST -> fast;
    };
  }
}
