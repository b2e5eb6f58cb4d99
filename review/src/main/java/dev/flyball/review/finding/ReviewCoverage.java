package dev.flyball.review.finding;

import java.util.List;

/**
 * The part that a review has seen of what there was.
 *
 * @param files all that there were
 * @param reviewed those that were seen
 * @param skipped those that were left out on purpose
 * @param unanswered what should have had an answer and has none: files, or units by name
 * @param copiesOnly of a review without models, the files that were compared with others and not
 *     looked through for defects; they do not count as seen
 */
public record ReviewCoverage(
    int files,
    int reviewed,
    List<Skipped> skipped,
    List<String> unanswered,
    List<String> copiesOnly) {
  /** A file that was left out, and why. */
  public record Skipped(String path, String reason) {}

  public ReviewCoverage {
    if (reviewed < 0 || reviewed > files) {
      throw new IllegalArgumentException(
          "of %d files 0 to %d are reviewed, but were %d".formatted(files, files, reviewed));
    }
    skipped = List.copyOf(skipped);
    unanswered = List.copyOf(unanswered);
    copiesOnly = List.copyOf(copiesOnly);
  }

  /** Of a review that asked models. */
  public ReviewCoverage(int files, int reviewed, List<Skipped> skipped, List<String> unanswered) {
    this(files, reviewed, skipped, unanswered, List.of());
  }

  /** Whether everything that should have had an answer has one. */
  public boolean complete() {
    return unanswered.isEmpty();
  }
}
