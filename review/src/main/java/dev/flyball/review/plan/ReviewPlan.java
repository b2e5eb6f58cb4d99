package dev.flyball.review.plan;

import dev.flyball.review.select.TreeEntry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a review will ask, before anything is asked.
 *
 * @param mode how a change is gone through; empty for a repository
 * @param complexity of a change, from 0 to 100
 * @param files how many are reviewed
 * @param lines of a change those that were added or deleted, else all
 * @param symbols functions and types of the files
 * @param units what is asked, in order
 * @param beyond what the budget has no room for; a review that leaves out any of a lens that it
 *     cannot do without is incomplete
 * @param dropped lenses that the budget has no room for
 * @param skipped files that are left out
 * @param budget tokens in all, if they are limited
 * @param enough the budget that would leave nothing out, where this one does
 * @param advice what would make it better
 */
public record ReviewPlan(
    String title,
    Optional<ReviewMode> mode,
    int complexity,
    int files,
    long lines,
    int symbols,
    List<Unit> units,
    List<Unit> beyond,
    List<String> dropped,
    List<TreeEntry.Skipped> skipped,
    OptionalLong budget,
    OptionalLong enough,
    List<String> advice,
    List<FileSize> sizes) {

  /** A file as far as rules of thumb go by it. */
  public record FileSize(String path, long tokens, int symbols) {}

  public ReviewPlan {
    units = List.copyOf(units);
    beyond = List.copyOf(beyond);
    dropped = List.copyOf(dropped);
    skipped = List.copyOf(skipped);
    advice = List.copyOf(advice);
    sizes = List.copyOf(sizes);
  }

  /** As it is called. */
  public String modeName() {
    return mode.map(ReviewMode::toString).orElse("repository");
  }
}
