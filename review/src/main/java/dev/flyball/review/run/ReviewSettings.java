package dev.flyball.review.run;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.plan.BudgetShares;
import dev.flyball.review.plan.ReviewMode;
import dev.flyball.run.RunBounds;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The choices that somebody has about a review.
 *
 * @param model for lenses that need thought; empty takes what the provider is known for
 * @param fastModel for the others
 * @param lenses only these; none means all that apply
 * @param mode how a change is gone through; empty decides by its size
 * @param bounds how far it may go; its tokens are those of the whole review
 * @param reserve the percentage of the budget that is kept back for what has to be asked again
 * @param samples how often everything is asked
 * @param deliberate whether contradictions are settled by one more call
 */
public record ReviewSettings(
    Optional<String> model,
    Optional<String> fastModel,
    List<String> lenses,
    Optional<ReviewMode> mode,
    RunBounds bounds,
    int reserve,
    int samples,
    boolean deliberate) {
  private static final int USUAL_RESERVE = 20;

  public ReviewSettings {
    lenses = List.copyOf(lenses);
  }

  /** Everything as it usually is. */
  public static ReviewSettings usual() {
    return new ReviewSettings(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        RunBounds.USUAL,
        USUAL_RESERVE,
        1,
        false);
  }

  /** The same with a model for lenses that need thought. */
  public ReviewSettings model(String name) {
    return new ReviewSettings(
        Optional.of(name), fastModel, lenses, mode, bounds, reserve, samples, deliberate);
  }

  /** The same within other bounds. */
  public ReviewSettings within(RunBounds other) {
    return new ReviewSettings(model, fastModel, lenses, mode, other, reserve, samples, deliberate);
  }

  /** The budget in tokens: what was said, else what is usual for what is reviewed. */
  public OptionalLong budget(Lens.SubjectKind subject) {
    if (bounds.budgetTokens().isPresent()) {
      return bounds.budgetTokens();
    }
    return switch (subject) {
      case CHANGE -> OptionalLong.of(BudgetShares.USUAL_BUDGET);
      case REPOSITORY -> OptionalLong.empty();
    };
  }
}
