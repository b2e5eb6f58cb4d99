package dev.flyball.review.plan;

import java.util.List;
import java.util.OptionalLong;

/**
 * The units that a review will ask, before anything is asked.
 *
 * @param scope what they are about
 * @param units what is asked, in order
 * @param beyond what the budget seems to have no room for; it is asked last, as far as something is
 *     left, and a review that leaves out any of a lens that it cannot do without is incomplete
 * @param dropped lenses that the budget seems to have no room for
 * @param budget tokens in all, if they are limited: what somebody said, or what is enough
 * @param enough the budget that would leave nothing out, where this one does
 * @param advice what would make it better
 */
public record ReviewPlan(
    PlanScope scope,
    List<Unit> units,
    List<Unit> beyond,
    List<String> dropped,
    OptionalLong budget,
    OptionalLong enough,
    List<String> advice) {

  public ReviewPlan {
    units = List.copyOf(units);
    beyond = List.copyOf(beyond);
    dropped = List.copyOf(dropped);
    advice = List.copyOf(advice);
  }
}
