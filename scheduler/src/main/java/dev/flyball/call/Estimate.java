package dev.flyball.call;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tokens and money a call may use, before it ran.
 *
 * @param input tokens that the provider has not cached
 * @param maxOutput the most it can answer: its {@code max_tokens}, else the model's maximum
 * @param output what it is likely to answer, where the caller knows; else the lane learns it
 * @param cost the most that one attempt can cost; empty when the price is unknown
 */
public record Estimate(long input, long maxOutput, OptionalLong output, Optional<Cost> cost) {
  private static final long MOST = 1L << 48;

  /** For calls whose size nobody knows: only requests are paced. */
  public static final Estimate UNKNOWN = of(0, 0);

  /**
   * Checks the counts.
   *
   * @throws IllegalArgumentException if one is below 0 or above 2⁴⁸
   */
  public Estimate {
    for (long tokens : new long[] {input, maxOutput, output.orElse(0)}) {
      if (tokens < 0 || tokens > MOST) {
        throw new IllegalArgumentException(
            "estimated tokens are at least 0 and at most " + MOST + ", but were " + tokens);
      }
    }
  }

  /**
   * {@return an estimate without a price, whose output the lane learns}
   *
   * @param input tokens that the provider has not cached
   * @param maxOutput the most it can answer
   */
  public static Estimate of(long input, long maxOutput) {
    return new Estimate(input, maxOutput, OptionalLong.empty(), Optional.empty());
  }

  /**
   * {@return the same estimate, with the output that is likely}
   *
   * @param tokens what it is likely to answer
   */
  public Estimate expecting(long tokens) {
    return new Estimate(input, maxOutput, OptionalLong.of(tokens), cost);
  }

  /**
   * {@return the same estimate with a price}
   *
   * @param most the most that one attempt can cost
   */
  public Estimate costingAtMost(Cost most) {
    return new Estimate(input, maxOutput, output, Optional.of(most));
  }

  /** {@return the most tokens that one attempt can use: what a budget holds} */
  public long most() {
    return input + maxOutput;
  }
}
