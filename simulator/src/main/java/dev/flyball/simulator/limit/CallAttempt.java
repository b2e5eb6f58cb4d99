package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.RandomDraw;
import java.util.HexFormat;

/**
 * One attempt of a call: whose it is, which call it is, and how often that came before.
 *
 * @param organization the fingerprint of whose limits count
 * @param key the fingerprint of the key
 * @param id the caller's name for the call; empty if it does not say
 * @param identity a number that stands for the call where chance is concerned
 * @param attempt how often the call was sent before
 * @param met how often it came past the limits before; chance goes by this, so that it does not
 *     depend on how often a limit was in the way
 */
public record CallAttempt(
    String organization, String key, String model, String id, long identity, int attempt, int met) {

  /** The digits that stand for a key where it must not be seen. */
  public static String fingerprint(String key) {
    return HexFormat.of().toHexDigits(RandomDraw.hash(key));
  }

  public RandomDraw draw(long seed, RandomDraw.Purpose purpose) {
    return RandomDraw.of(seed, purpose, key, model, identity, met);
  }
}
