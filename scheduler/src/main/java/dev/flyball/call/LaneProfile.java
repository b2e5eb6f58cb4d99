package dev.flyball.call;

import java.util.List;
import java.util.OptionalInt;

/**
 * The things that are known of a lane before its first reply.
 *
 * @param terms how the provider keeps its allowances; others are learned from replies
 * @param inFlight how many attempts the provider allows at one time, where that is its limit
 */
public record LaneProfile(List<AllowanceTerms> terms, OptionalInt inFlight) {
  /** A lane of which nothing is known. */
  public static final LaneProfile UNKNOWN = new LaneProfile(List.of(), OptionalInt.empty());

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if fewer than 1 may be in flight, a dimension has two sets of
   *     terms, or what is in flight has terms
   */
  public LaneProfile {
    terms = List.copyOf(terms);
    if (inFlight.isPresent() && inFlight.getAsInt() < 1) {
      throw new IllegalArgumentException("at least 1 may be in flight, but was " + inFlight);
    }
    if (terms.stream().map(AllowanceTerms::dimension).distinct().count() < terms.size()) {
      throw new IllegalArgumentException("a dimension has one set of terms, but was " + terms);
    }
    if (terms.stream().anyMatch(some -> isInFlight(some.dimension()))) {
      throw new IllegalArgumentException("what is in flight has no terms: use inFlight");
    }
  }

  /**
   * {@return a profile of what is known of allowances}
   *
   * @param terms one for each dimension
   */
  public static LaneProfile of(AllowanceTerms... terms) {
    return new LaneProfile(List.of(terms), OptionalInt.empty());
  }

  /**
   * {@return the same profile, with a limit on attempts at one time}
   *
   * @param most at least 1
   */
  public LaneProfile inFlight(int most) {
    return new LaneProfile(terms, OptionalInt.of(most));
  }

  /**
   * {@return the terms of a dimension; the most likely ones where none are known}
   *
   * @param dimension what is counted
   */
  public AllowanceTerms termsOf(Dimension dimension) {
    var known = terms.stream().filter(some -> some.dimension().equals(dimension)).findFirst();
    return known.orElseGet(() -> AllowanceTerms.of(dimension));
  }

  /**
   * {@return whether a dimension counts attempts at one time, whatever its period}
   *
   * @param dimension what is counted
   */
  public static boolean isInFlight(Dimension dimension) {
    return dimension.name().equals(Dimension.IN_FLIGHT.name());
  }
}
