package dev.flyball.history.record;

import dev.flyball.call.Cost;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a tenant gets: its share of what is scarce, and the most that it may use.
 *
 * @param weight of its share while others wait too; above 0
 * @param priority of its calls: interactive, normal or bulk
 * @param requests the most in a minute
 * @param tokens the most in a minute
 * @param inFlight the most at one time
 */
public record TenantTerms(
    double weight,
    String priority,
    OptionalLong requests,
    OptionalLong tokens,
    OptionalLong inFlight,
    Ceiling day,
    Ceiling month) {
  /** An equal share, and no limits. */
  public static final TenantTerms USUAL =
      new TenantTerms(
          1,
          "normal",
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Ceiling.NONE,
          Ceiling.NONE);

  public TenantTerms {
    if (!(weight > 0 && weight <= 1_000_000)) {
      throw new IllegalArgumentException(
          "a tenant's weight is above 0 and at most a million, but was " + weight);
    }
    for (var most : new OptionalLong[] {requests, tokens, inFlight}) {
      if (most.isPresent() && most.getAsLong() < 1) {
        throw new IllegalArgumentException(
            "a tenant's limit is at least 1, but was " + most.getAsLong());
      }
    }
  }

  /** The most that may be used in a period, in tokens and in money. */
  public record Ceiling(OptionalLong tokens, Optional<Cost> cost) {
    public static final Ceiling NONE = new Ceiling(OptionalLong.empty(), Optional.empty());

    public Ceiling {
      if (tokens.isPresent() && tokens.getAsLong() < 0) {
        throw new IllegalArgumentException(
            "a budget has at least 0 tokens, but was " + tokens.getAsLong());
      }
    }

    public boolean isNone() {
      return tokens.isEmpty() && cost.isEmpty();
    }
  }
}
