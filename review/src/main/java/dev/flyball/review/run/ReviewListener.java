package dev.flyball.review.run;

import dev.flyball.scheduler.SchedulerSnapshot;
import java.util.Optional;

/** A listener that is told, five times a second, how far a review is. */
@FunctionalInterface
public interface ReviewListener {
  /**
   * It stands so.
   *
   * @param trouble what stands in the way of remembering it, if anything
   */
  void look(ReviewProgress progress, SchedulerSnapshot lanes, Optional<String> trouble);

  /** For reviews that nobody watches. */
  ReviewListener NOBODY = (progress, lanes, trouble) -> {};
}
