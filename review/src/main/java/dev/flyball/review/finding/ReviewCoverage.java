package dev.flyball.review.finding;

import java.util.ArrayList;
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
 * @param depths of checks without models, how far they looked, language by language
 */
public record ReviewCoverage(
    int files,
    int reviewed,
    List<Skipped> skipped,
    List<String> unanswered,
    List<String> copiesOnly,
    List<LanguageDepth> depths) {
  /**
   * How far checks looked into the files of one language.
   *
   * @param defects files that were looked through for defects
   * @param copies files that were only looked through for copies and unused code
   * @param unchecked files that no check looked at
   */
  public record LanguageDepth(String language, int defects, int copies, int unchecked) {
    /** The same in words. */
    public String words() {
      var words = new ArrayList<String>();
      if (defects > 0) {
        words.add(defects + " checked for defects");
      }
      if (copies > 0) {
        words.add(copies + " only for copies and unused code");
      }
      if (unchecked > 0) {
        words.add(unchecked + " not checked");
      }
      return String.join(", ", words);
    }
  }

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
    depths = List.copyOf(depths);
  }

  /** Of a review that asked models. */
  public ReviewCoverage(int files, int reviewed, List<Skipped> skipped, List<String> unanswered) {
    this(files, reviewed, skipped, unanswered, List.of(), List.of());
  }

  /** Whether everything that should have had an answer has one. */
  public boolean complete() {
    return unanswered.isEmpty();
  }
}
