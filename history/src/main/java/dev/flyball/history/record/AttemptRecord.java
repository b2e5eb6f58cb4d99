package dev.flyball.history.record;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One try at a call, after it ended.
 *
 * @param number 1 for the first try at its call
 * @param throttledBy the dimension that a {@link AttemptOutcome#THROTTLED} attempt met, or empty
 * @param usage tokens, and the cost if prices are known
 * @param waits what was waited for before admission, and how long
 */
public record AttemptRecord(
    String run,
    CallKey call,
    int number,
    AttemptOutcome outcome,
    String throttledBy,
    Usage usage,
    PriceBasis prices,
    Duration latency,
    Map<String, Duration> waits,
    Instant at) {
  public AttemptRecord {
    if (number < 1) {
      throw new IllegalArgumentException("attempts are counted from 1, but this was " + number);
    }
    if (latency.isNegative()) {
      throw new IllegalArgumentException("a latency is not negative, but was " + latency);
    }
    waits = Map.copyOf(waits);
  }

  /** A first try that was answered. */
  public static AttemptRecord answered(
      String run, CallKey call, Usage usage, PriceBasis prices, Duration latency, Instant at) {
    return new AttemptRecord(
        run, call, 1, AttemptOutcome.ANSWERED, "", usage, prices, latency, Map.of(), at);
  }

  public AttemptRecord tried(int times) {
    return new AttemptRecord(
        run, call, times, outcome, throttledBy, usage, prices, latency, waits, at);
  }

  public AttemptRecord ending(AttemptOutcome other, String dimension) {
    return new AttemptRecord(
        run, call, number, other, dimension, usage, prices, latency, waits, at);
  }

  public AttemptRecord waiting(Map<String, Duration> other) {
    return new AttemptRecord(
        run, call, number, outcome, throttledBy, usage, prices, latency, other, at);
  }

  /** Empty if no price is known. */
  public Optional<Cost> cost() {
    return switch (prices) {
      case PriceBasis.Listed listed -> Optional.of(usage.cost());
      case PriceBasis.Unknown unknown -> Optional.empty();
    };
  }
}
