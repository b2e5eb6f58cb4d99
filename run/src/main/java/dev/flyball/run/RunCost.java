package dev.flyball.run;

import dev.flyball.call.Cost;
import java.util.List;
import java.util.Optional;

/**
 * The cost of a run so far, by a list of prices.
 *
 * @param priced the sum of what has a price
 * @param unpricedCalls those whose cost is not known
 * @param unpriced which models these were, and what to do
 * @param pricesVersion which list it was
 */
public record RunCost(
    Cost priced, long unpricedCalls, List<String> unpriced, String pricesVersion) {
  /** The sum, if everything has a price. */
  public Optional<Cost> known() {
    return unpricedCalls == 0 ? Optional.of(priced) : Optional.empty();
  }
}
