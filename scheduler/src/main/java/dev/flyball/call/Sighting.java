package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One allowance as a reply described it.
 *
 * @param limit how much the provider says it allows in a period
 * @param remaining how much was left at the snapshot point
 * @param reset how long, from the reply's headers on, until it is full again
 * @param rounding the step to which {@code remaining} is rounded; 1 when it is exact
 */
public record Sighting(
    Dimension dimension,
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> reset,
    Snapshot snapshot,
    long rounding) {

  /** When the provider looked at the level that it reports. */
  public enum Snapshot {
    /** As it let the attempt in: what was sent later is not in it. */
    ADMISSION,
    /** As it wrote the response headers: all that was sent before is in it. */
    HEADERS,
    /** Not known: what was sent later counts, and refill only from the headers on. */
    UNKNOWN
  }

  /** The longest wait that any hint is believed to mean. */
  public static final Duration LONGEST = Duration.ofHours(24);

  private static final long MOST = 1L << 48;

  /** What makes no sense (a count below 0 or of trillions, a wait below 0) is never believed. */
  public Sighting {
    if (rounding < 1) {
      throw new IllegalArgumentException("a rounding step is at least 1, but was " + rounding);
    }
    limit = sane(limit, 1);
    remaining = sane(remaining, 0);
    reset = reset.map(Sighting::sane);
  }

  private static OptionalLong sane(OptionalLong count, long least) {
    boolean absurd = count.orElse(least) < least || count.orElse(least) > MOST;
    return absurd ? OptionalLong.empty() : count;
  }

  static Duration sane(Duration wait) {
    return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  /** A sighting that says nothing yet. */
  public static Sighting of(Dimension dimension) {
    var none = OptionalLong.empty();
    return new Sighting(dimension, none, none, Optional.empty(), Snapshot.UNKNOWN, 1);
  }

  public static Sighting of(Dimension dimension, long limit, long remaining) {
    return of(dimension).limit(OptionalLong.of(limit)).remaining(OptionalLong.of(remaining));
  }

  public Sighting limit(OptionalLong most) {
    return new Sighting(dimension, most, remaining, reset, snapshot, rounding);
  }

  public Sighting remaining(OptionalLong left) {
    return new Sighting(dimension, limit, left, reset, snapshot, rounding);
  }

  public Sighting resetIn(Duration duration) {
    return new Sighting(dimension, limit, remaining, Optional.of(duration), snapshot, rounding);
  }

  public Sighting at(Snapshot point) {
    return new Sighting(dimension, limit, remaining, reset, point, rounding);
  }

  public Sighting roundedTo(long step) {
    return new Sighting(dimension, limit, remaining, reset, snapshot, step);
  }
}
