package dev.flyball.simulator;

import java.util.HexFormat;
import java.util.List;

/**
 * A request that is well formed, as the limits see it.
 *
 * @param organization the fingerprint of whose limits count
 * @param key the fingerprint of the key
 * @param id what the caller calls it; empty if it does not say
 * @param identity what stands for it where chance is concerned
 * @param attempt how often it was sent before
 * @param met how often it came past the limits before; chance goes by this, so that it does not
 *     depend on how often a limit was in the way
 * @param input tokens of input, cached or not
 * @param breakpoints the prefixes that may be kept in the prompt cache, shortest first
 * @param longest the longest answer that was asked for; 0 if nobody said
 * @param output tokens of the answer that it will get
 * @param metered false if it is counted by requests alone, as counting tokens is
 */
record Ask(
    String organization,
    String key,
    String model,
    String id,
    long identity,
    int attempt,
    int met,
    long input,
    List<PromptCache.Prefix> breakpoints,
    long longest,
    long output,
    boolean stream,
    boolean metered) {

  /** What stands for a key where it must not be seen. */
  static String fingerprint(String key) {
    return HexFormat.of().toHexDigits(Draw.hash(key));
  }

  Draw draw(long seed, Draw.Purpose purpose) {
    return Draw.of(seed, purpose, key, model, identity, met);
  }
}
