package dev.flyball.forecast;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A model as far as its use costs.
 *
 * @param smallestPrefix the fewest tokens that its provider caches, where it does and that is known
 * @param price what use costs by the list; empty where it is unknown
 */
public record Model(
    String id,
    BillingMode mode,
    OptionalLong smallestPrefix,
    Function<Usage, Optional<Cost>> price) {

  /** A model of this machine: nobody is paid. */
  public static Model local() {
    return new Model(
        "local", BillingMode.LOCAL, OptionalLong.empty(), used -> Optional.of(Cost.NOTHING));
  }

  /** Whether a prefix of so many tokens is cached. */
  public boolean caches(long tokens) {
    return smallestPrefix.isPresent() && tokens >= smallestPrefix.getAsLong();
  }
}
