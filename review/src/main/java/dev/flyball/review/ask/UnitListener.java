package dev.flyball.review.ask;

import dev.flyball.call.Estimate;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.plan.Unit;
import dev.flyball.run.FinishedAttempt;
import java.util.List;

/** A listener that is told what happens to units, from any thread. */
public interface UnitListener {
  /**
   * A unit has come so far.
   *
   * @param why what went wrong, or empty
   */
  void state(Unit unit, UnitState state, String why);

  /** An attempt is over that this much was held for. */
  void tried(Unit unit, FinishedAttempt attempt, Estimate held);

  /** A unit has brought these. */
  void found(Unit unit, List<Claim> claims);
}
