package dev.flyball.review.plan;

import dev.flyball.review.select.TreeEntry;
import java.util.List;
import java.util.Optional;

/**
 * The subject of a plan: how much there is, and how it is gone through.
 *
 * @param title as the user named it
 * @param mode how a change is gone through; empty for a repository
 * @param complexity of a change, from 0 to 100
 * @param files how many are reviewed
 * @param lines of a change those that were added or deleted, else all
 * @param symbols functions and types of the files
 * @param skipped files that are left out
 */
public record PlanScope(
    String title,
    Optional<ReviewMode> mode,
    int complexity,
    int files,
    long lines,
    int symbols,
    List<TreeEntry.Skipped> skipped,
    List<FileSize> sizes) {

  /** A file as far as rules of thumb go by it. */
  public record FileSize(String path, long tokens, int symbols) {}

  public PlanScope {
    skipped = List.copyOf(skipped);
    sizes = List.copyOf(sizes);
  }

  /** The name of the mode, for people and programs. */
  public String modeName() {
    return mode.map(ReviewMode::toString).orElse("repository");
  }
}
