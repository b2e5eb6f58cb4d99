package dev.flyball.simulator.value;

import java.nio.charset.StandardCharsets;

/**
 * Chance, as one request meets it. It is drawn from what the request is and not from when it came,
 * so the same seed gives the same answers and faults however many threads ask.
 */
public final class RandomDraw {
  private long state;

  private RandomDraw(long state) {
    this.state = state;
  }

  /** A purpose of a draw; draws for two of them have nothing to do with each other. */
  public enum Purpose {
    ANSWER,
    NAME,
    FAULT,
    ESTIMATE,
    LATENCY,
    FOREIGN,
    EMBEDDING;

    private final long salt = hash(name());
  }

  public static RandomDraw of(
      long seed, Purpose purpose, String key, String model, long identity, int attempt) {
    long state = mix(mix(seed + 0x9E3779B97F4A7C15L) + purpose.salt);
    state = mix(state ^ hash(key));
    state = mix(state ^ hash(model));
    state = mix(state ^ identity);
    return new RandomDraw(mix(state + attempt));
  }

  public static long hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /** FNV-1a, mixed. */
  public static long hash(byte[] bytes) {
    long hash = 0xCBF29CE484222325L;
    for (byte each : bytes) {
      hash = (hash ^ (each & 0xFF)) * 0x100000001B3L;
    }
    return mix(hash);
  }

  /** The finish of splitmix64. */
  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  public long bits() {
    state += 0x9E3779B97F4A7C15L;
    return mix(state);
  }

  /** From 0 to 1, without 1. */
  public double share() {
    return (bits() >>> 11) * 0x1p-53;
  }

  /** From the bell curve around 0, with spread 1. */
  public double bell() {
    double radius = Math.sqrt(-2 * Math.log(1 - share()));
    return radius * Math.cos(2 * Math.PI * share());
  }
}
