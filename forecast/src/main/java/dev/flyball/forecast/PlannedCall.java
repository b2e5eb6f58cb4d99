package dev.flyball.forecast;

import dev.flyball.call.LaneId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A call as it is known before it is sent.
 *
 * @param input tokens of its whole prompt, what may be cached among them
 * @param maxOutput what it allows for its answer, where it says so
 * @param output how long its answer will be, where that is certain
 * @param prefix what its provider will cache of it
 */
public record PlannedCall(
    LaneId lane,
    String model,
    long input,
    OptionalLong maxOutput,
    OptionalLong output,
    Optional<Prefix> prefix) {

  /** The part of a prompt that calls share: the first of them fills the cache, the others read. */
  public record Prefix(String name, long tokens) {}

  public PlannedCall {
    if (input < 0 || maxOutput.orElse(0) < 0 || output.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "planned tokens are at least 0, but were "
              + (input + ", " + maxOutput.orElse(0) + ", " + output.orElse(0)));
    }
    if (prefix.isPresent() && (prefix.get().tokens() < 0 || prefix.get().tokens() > input)) {
      throw new IllegalArgumentException(
          "a prefix is a part of its prompt of " + input + " tokens, but was " + prefix.get());
    }
  }

  static PlannedCall of(LaneId lane, String model, long input, long maxOutput) {
    return new PlannedCall(
        lane,
        model,
        input,
        OptionalLong.of(maxOutput),
        OptionalLong.empty(),
        Optional.<Prefix>empty());
  }

  PlannedCall answering(long tokens) {
    return new PlannedCall(lane, model, input, maxOutput, OptionalLong.of(tokens), prefix);
  }

  PlannedCall sharing(String name, long tokens) {
    var shared = Optional.of(new Prefix(name, tokens));
    return new PlannedCall(lane, model, input, maxOutput, output, shared);
  }

  /** The answer's length, between nothing and what the call allows. */
  long length(AnswerLengths lengths, double gaussian, double doubt) {
    return output.orElseGet(
        () -> Math.min(lengths.draw(gaussian, doubt), maxOutput.orElse(Long.MAX_VALUE)));
  }
}
