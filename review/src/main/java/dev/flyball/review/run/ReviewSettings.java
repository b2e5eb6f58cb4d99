package dev.flyball.review.run;

import dev.flyball.review.ask.ModelEffort;
import dev.flyball.review.plan.PlanRequest.TestDepth;
import dev.flyball.review.plan.ReviewMode;
import dev.flyball.run.RunBounds;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The choices that somebody has about a review.
 *
 * @param models who is asked, and how long answers may be
 * @param lenses only these; none means all that are usual
 * @param mode how a change is gone through; empty decides by its size
 * @param bounds how far it may go; its tokens are those of the whole review
 * @param reserve the percentage of the budget that lenses which are not required leave
 * @param samples how often everything is asked
 * @param deliberate whether contradictions are settled by one more call
 * @param verify whether grave findings get a second look
 * @param tests how far tests are reviewed
 * @param purpose what a change is for, beside what its commits say; may be empty
 */
public record ReviewSettings(
    Models models,
    List<String> lenses,
    Optional<ReviewMode> mode,
    RunBounds bounds,
    int reserve,
    int samples,
    boolean deliberate,
    boolean verify,
    TestDepth tests,
    String purpose) {
  private static final int USUAL_RESERVE = 20;

  /**
   * The models that are asked.
   *
   * @param deep for lenses that need thought; empty takes what the provider is known for
   * @param fast for the others
   * @param lead for what spans a whole review; empty takes the deep one
   * @param maxOutput tokens that an answer may have; whatever is thought before it is not counted
   * @param effort that models are told to make, if anything
   */
  public record Models(
      Optional<String> deep,
      Optional<String> fast,
      Optional<String> lead,
      OptionalLong maxOutput,
      Optional<ModelEffort> effort) {
    /** What the provider is known for. */
    public static final Models USUAL =
        new Models(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty());

    /** The same with a model for lenses that need thought. */
    public Models deep(String name) {
      return new Models(Optional.of(name), fast, lead, maxOutput, effort);
    }
  }

  public ReviewSettings {
    lenses = List.copyOf(lenses);
  }

  /** Everything as it usually is. */
  public static ReviewSettings usual() {
    return new ReviewSettings(
        Models.USUAL,
        List.of(),
        Optional.empty(),
        RunBounds.USUAL,
        USUAL_RESERVE,
        1,
        false,
        true,
        TestDepth.LIGHT,
        "");
  }

  /** The same with a model for lenses that need thought. */
  public ReviewSettings model(String name) {
    return new ReviewSettings(
        models.deep(name),
        lenses,
        mode,
        bounds,
        reserve,
        samples,
        deliberate,
        verify,
        tests,
        purpose);
  }

  /** The same within other bounds. */
  public ReviewSettings within(RunBounds other) {
    return new ReviewSettings(
        models, lenses, mode, other, reserve, samples, deliberate, verify, tests, purpose);
  }

  /** The same asked so often. */
  public ReviewSettings sampled(int times) {
    return new ReviewSettings(
        models, lenses, mode, bounds, reserve, times, deliberate, verify, tests, purpose);
  }

  /** The same of a change that its author describes, beside what was said of it already. */
  public ReviewSettings about(String words) {
    return new ReviewSettings(
        models,
        lenses,
        mode,
        bounds,
        reserve,
        samples,
        deliberate,
        verify,
        tests,
        (words + "\n\n" + purpose).strip());
  }

  /** The same with or without a second look. */
  public ReviewSettings verified(boolean again) {
    return new ReviewSettings(
        models, lenses, mode, bounds, reserve, samples, deliberate, again, tests, purpose);
  }
}
