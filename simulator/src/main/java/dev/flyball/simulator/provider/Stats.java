package dev.flyball.simulator.provider;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;

/**
 * The numbers of all that a simulator has seen so far.
 *
 * @param invalid those that were refused before any limit saw them
 * @param requests all others
 * @param retries those that had been sent before
 * @param cut admitted, and not answered to the end
 * @param rejected how many by which limit
 * @param faults how many of which kind
 */
public record Stats(
    long invalid,
    long requests,
    long retries,
    long admitted,
    long answered,
    long cut,
    long inFlight,
    long mostInFlight,
    @JsonUnwrapped TokenTotals tokens,
    Map<String, Long> rejected,
    Map<String, Long> faults) {

  public long inputTokens() {
    return tokens.inputTokens();
  }

  public long outputTokens() {
    return tokens.outputTokens();
  }

  public long cacheReadTokens() {
    return tokens.cacheReadTokens();
  }

  public long cacheWrittenTokens() {
    return tokens.cacheWrittenTokens();
  }

  /** All that were turned away with a 429 by a limit. */
  public long throttled() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }
}
