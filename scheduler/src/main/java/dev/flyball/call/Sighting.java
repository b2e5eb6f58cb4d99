package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One allowance as a reply described it. What makes no sense (a count below 0 or of trillions, a
 * reset years away, or more than a day away for a limit of a shorter period) is as if it had not
 * been said; a reset in the past is now.
 *
 * <p>Many headers do not say over which period they count. Then the dimension's period is a guess,
 * which a later reply may correct, and {@code header} is what stays the same: one header is one
 * allowance in a lane, whatever its period is taken for.
 *
 * @param dimension what is counted
 * @param limit how much the provider says it allows in a period
 * @param remaining how much was left at the snapshot point
 * @param reset how long, from the reply's headers on, until it is full again
 * @param snapshot when the provider looked at the level
 * @param rounding the step to which {@code remaining} is rounded; 1 when it is exact
 * @param header the header that told it, where the dimension's period is a guess; empty where the
 *     period was said
 */
public record Sighting(
    Dimension dimension,
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> reset,
    Snapshot snapshot,
    long rounding,
    String header) {

  /** The moments at which a provider may look at the level that it reports. */
  public enum Snapshot {
    /** As it let the attempt in: what was sent later is not in it. */
    ADMISSION,
    /** As it wrote the response headers: all that was sent before is in it. */
    HEADERS,
    /** Not known: what was sent later counts, and refill only from the headers on. */
    UNKNOWN
  }

  /** The longest wait that any hint is believed to mean; what is longer is no hint. */
  public static final Duration LONGEST = Duration.ofDays(366);

  private static final Duration DAY = Duration.ofDays(1);

  private static final long MOST = 1L << 48;

  /**
   * Drops what makes no sense.
   *
   * @throws IllegalArgumentException if the rounding step is below 1
   */
  public Sighting {
    if (rounding < 1) {
      throw new IllegalArgumentException("a rounding step is at least 1, but was " + rounding);
    }
    limit = sane(limit, 1);
    remaining = sane(remaining, 0);
    boolean daily = dimension.period().compareTo(DAY) >= 0;
    reset = reset.filter(wait -> wait.compareTo(daily ? LONGEST : DAY) <= 0).map(Sighting::notPast);
  }

  /**
   * A sighting of a limit whose period was said.
   *
   * @param dimension what is counted
   * @param limit how much the provider says it allows in a period
   * @param remaining how much was left at the snapshot point
   * @param reset how long, from the reply's headers on, until it is full again
   * @param snapshot when the provider looked at the level
   * @param rounding the step to which {@code remaining} is rounded
   */
  public Sighting(
      Dimension dimension,
      OptionalLong limit,
      OptionalLong remaining,
      Optional<Duration> reset,
      Snapshot snapshot,
      long rounding) {
    this(dimension, limit, remaining, reset, snapshot, rounding, "");
  }

  private static OptionalLong sane(OptionalLong count, long least) {
    boolean absurd = count.orElse(least) < least || count.orElse(least) > MOST;
    return absurd ? OptionalLong.empty() : count;
  }

  private static Duration notPast(Duration wait) {
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  /**
   * {@return a sighting that says nothing yet}
   *
   * @param dimension what is counted
   */
  public static Sighting of(Dimension dimension) {
    var none = OptionalLong.empty();
    return new Sighting(dimension, none, none, Optional.empty(), Snapshot.UNKNOWN, 1);
  }

  /**
   * {@return a sighting of a limit and of what remains}
   *
   * @param dimension what is counted
   * @param limit how much the provider says it allows in a period
   * @param remaining how much was left
   */
  public static Sighting of(Dimension dimension, long limit, long remaining) {
    return of(dimension).limit(OptionalLong.of(limit)).remaining(OptionalLong.of(remaining));
  }

  /**
   * {@return the same sighting with the limit that was stated, if it was}
   *
   * @param most how much the provider says it allows in a period
   */
  public Sighting limit(OptionalLong most) {
    return new Sighting(dimension, most, remaining, reset, snapshot, rounding, header);
  }

  /**
   * {@return the same sighting with what was left, if that was stated}
   *
   * @param left how much was left at the snapshot point
   */
  public Sighting remaining(OptionalLong left) {
    return new Sighting(dimension, limit, left, reset, snapshot, rounding, header);
  }

  /**
   * {@return the same sighting with a reset}
   *
   * @param duration how long, from the reply's headers on, until it is full again
   */
  public Sighting resetIn(Duration duration) {
    return new Sighting(
        dimension, limit, remaining, Optional.of(duration), snapshot, rounding, header);
  }

  /**
   * {@return the same sighting with a snapshot point}
   *
   * @param point when the provider looked
   */
  public Sighting at(Snapshot point) {
    return new Sighting(dimension, limit, remaining, reset, point, rounding, header);
  }

  /**
   * {@return the same sighting with a rounding step}
   *
   * @param step at least 1
   */
  public Sighting roundedTo(long step) {
    return new Sighting(dimension, limit, remaining, reset, snapshot, step, header);
  }

  /**
   * {@return the same sighting, whose period is a guess}
   *
   * @param name the header that told it, and that tells it again in later replies
   */
  public Sighting guessedFrom(String name) {
    return new Sighting(dimension, limit, remaining, reset, snapshot, rounding, name);
  }

  /** {@return whether the dimension's period is a guess} */
  public boolean guessed() {
    return !header.isEmpty();
  }
}
