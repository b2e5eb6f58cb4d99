package dev.flyball.simulator.wire;

import dev.flyball.simulator.limit.InputSplit;

/**
 * One answer to be written.
 *
 * @param id the hexadecimal part of its id
 * @param created seconds since 1970
 * @param counted how often each token is counted in the usage; once, if that is to be true
 */
public record ModelReply(
    Endpoint endpoint,
    RequestBody.Prompt prompt,
    ModelAnswer answer,
    InputSplit split,
    String id,
    long created,
    long counted) {
  long input() {
    return (split.fresh() + split.read() + split.written()) * counted;
  }

  long output() {
    return answer.tokens() * counted;
  }
}
