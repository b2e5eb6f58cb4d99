package dev.flyball.review.ask;

import dev.flyball.llm.Dialect;
import dev.flyball.llm.price.Price;
import dev.flyball.run.KeyLanes;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A model that is asked, and the way to it.
 *
 * @param keys the lanes in which it is asked, one for each key
 * @param simulated whether the answers are made up on this machine
 * @param forms whether the provider holds answers to a schema
 * @param price what it costs, if that is known
 * @param effort what it is told to make of an effort, if anything
 */
public record Reviewer(
    KeyLanes keys,
    Dialect dialect,
    boolean simulated,
    String model,
    boolean forms,
    Optional<Price> price,
    Optional<ModelEffort> effort) {
  /** Of a model whose longest answer nobody has listed. */
  private static final long UNLISTED_OUTPUT = 32_000;

  /**
   * Whether a prompt may cost more than its input, because it is written to a cache: where we ask
   * for that, and where it has a price. Others cache by themselves and charge nothing for it.
   */
  public static boolean pays(Dialect dialect, Price price) {
    return dialect == Dialect.ANTHROPIC || price.chargesWrites();
  }

  /** The longest answer that it can be allowed, whatever it is usually allowed. */
  long longestAnswer() {
    return price
        .map(it -> it.limits().maxOutput())
        .orElse(OptionalLong.empty())
        .orElse(UNLISTED_OUTPUT);
  }
}
