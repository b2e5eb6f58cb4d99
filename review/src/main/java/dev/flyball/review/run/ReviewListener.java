package dev.flyball.review.run;

import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.plan.Unit;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * A listener that is told, five times a second, how far a review is, and of each unit what becomes
 * of it.
 */
@FunctionalInterface
public interface ReviewListener {
  /**
   * It stands so.
   *
   * @param trouble what stands in the way of remembering it, if anything
   */
  void look(ReviewProgress progress, SchedulerSnapshot lanes, Optional<String> trouble);

  /** A unit has come so far; told by any thread, and quick. */
  default void unit(Unit unit, UnitState state) {}

  /** A unit has brought these, before anything is merged; told by any thread, and quick. */
  default void found(Unit unit, List<Claim> claims) {}

  /** For reviews that nobody watches. */
  ReviewListener NOBODY = (progress, lanes, trouble) -> {};
}
