package dev.flyball.simulator;

import java.util.List;

/**
 * A request that is well formed, as the limits see it.
 *
 * @param key the fingerprint of the key
 * @param id what the caller calls it; empty if it does not say
 * @param identity what stands for it where chance is concerned
 * @param attempt how often it was sent before
 * @param input tokens of input, cached or not
 * @param breakpoints the prefixes that may be kept in the prompt cache, shortest first
 * @param longest the longest answer that was asked for
 * @param output tokens of the answer that it will get
 * @param metered false if it is counted by requests alone, as counting tokens is
 */
record Ask(
    String key,
    String model,
    String id,
    long identity,
    int attempt,
    long input,
    List<PromptCache.Prefix> breakpoints,
    long longest,
    long output,
    boolean metered) {

  Draw draw(long seed, int purpose) {
    return Draw.of(seed + purpose, key, model, identity, attempt);
  }
}
