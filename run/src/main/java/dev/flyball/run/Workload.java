package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.llm.price.Price;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The calls that a run would make: each model's share, and the calls themselves or, of very many,
 * evenly chosen ones.
 *
 * @param lines how many calls there are in all
 */
public record Workload(List<Share> shares, List<Planned> calls, long lines) {
  /**
   * The calls to one model.
   *
   * @param style how its provider counts
   * @param provider whose prices count
   * @param part of what it is asked, where there are several
   * @param price empty when it is not known, and {@code unpriced} says what to do
   * @param inputTokens of all its lines, as they are counted beforehand
   * @param mostOutput the sum of what the lines allow for their answers
   * @param mostCost the most it can cost without retries; empty when that is not known
   */
  public record Share(
      LaneId lane,
      String style,
      String provider,
      String model,
      String part,
      boolean embeds,
      Optional<Price> price,
      String unpriced,
      long lines,
      long inputTokens,
      long mostOutput,
      Optional<Cost> mostCost) {
    /** With one more of them. */
    public Share plus(Planned one, Optional<Cost> most) {
      return new Share(
          lane,
          style,
          provider,
          model,
          part,
          embeds,
          price,
          unpriced,
          lines + 1,
          inputTokens + one.input(),
          mostOutput + one.maxOutput().orElse(0),
          mostCost.flatMap(sum -> most.map(sum::plus)));
    }

    /** The same of so many times as many. */
    public Share times(double factor) {
      return new Share(
          lane,
          style,
          provider,
          model,
          part,
          embeds,
          price,
          unpriced,
          Math.round(lines * factor),
          Math.round(inputTokens * factor),
          Math.round(mostOutput * factor),
          mostCost.map(cost -> new Cost(Math.round(cost.micros() * factor))));
    }
  }

  /**
   * One call as far as its size matters.
   *
   * @param input tokens, to the best of what is known
   * @param plain what its characters alone suggest: the scale on which earlier runs were measured
   * @param expected how long its answer will be, where that is known
   * @param prefix names what it shares with others, for its provider to cache
   * @param later how many such calls are expected after all others, if it is one of those that come
   *     only then; less than one where there may be none
   */
  public record Planned(
      LaneId lane,
      String model,
      String part,
      boolean embeds,
      long input,
      double plain,
      OptionalLong maxOutput,
      OptionalLong expected,
      Optional<String> prefix,
      long prefixTokens,
      OptionalDouble later) {}
}
