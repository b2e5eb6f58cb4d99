package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Reply;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.Lenses;
import java.util.List;

/**
 * Lenses that are asked in one question.
 *
 * @param lenses none in the pass across all parts of a change
 * @param size tokens of the question
 */
record LensGroup(List<Lens> lenses, Tier tier, String question, TierTokens size) {
  private static final String ACROSS = "across";

  LensGroup {
    lenses = List.copyOf(lenses);
  }

  String name() {
    return lenses.isEmpty() ? ACROSS : Lenses.name(lenses);
  }

  boolean required() {
    return lenses.isEmpty() || lenses.stream().anyMatch(Lens::required);
  }

  /** The form of its answers. */
  Reply reply() {
    return lenses.isEmpty() ? Reply.FINDINGS : lenses.getFirst().reply();
  }

  /** In hundredths of what a budget leaves after its reserve. */
  int share() {
    return lenses.isEmpty() ? Lenses.SYNTHESIS : lenses.stream().mapToInt(Lens::share).sum();
  }

  boolean looksAt(String path) {
    return lenses.stream().anyMatch(lens -> lens.looksAt(path));
  }
}
