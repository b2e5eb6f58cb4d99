package dev.flyball.call;

import java.time.Duration;

/**
 * A thing that a limit counts, and the period over which it does. The list is open: a provider may
 * count anything, and one name may be limited over several periods at once.
 *
 * @param name such as {@code requests}; not blank
 * @param period above 0
 */
public record Dimension(String name, Duration period) {
  /** The usual period. */
  public static final Duration MINUTE = Duration.ofMinutes(1);

  /** Requests a minute. */
  public static final Dimension REQUESTS = new Dimension("requests", MINUTE);

  /** Tokens a minute that are read and not cached. */
  public static final Dimension INPUT_TOKENS = new Dimension("input_tokens", MINUTE);

  /** Tokens a minute that are produced. */
  public static final Dimension OUTPUT_TOKENS = new Dimension("output_tokens", MINUTE);

  /** Tokens a minute, read and produced. */
  public static final Dimension TOKENS = new Dimension("tokens", MINUTE);

  /** Attempts at one time; its period says nothing. */
  public static final Dimension IN_FLIGHT = new Dimension("in_flight", MINUTE);

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if the name is blank or the period not above 0
   */
  public Dimension {
    if (name.isBlank() || !period.isPositive()) {
      throw new IllegalArgumentException(
          "a dimension has a name and a positive period, but was '" + name + "' per " + period);
    }
  }

  /**
   * {@return the same thing over another period}
   *
   * @param other above 0
   */
  public Dimension per(Duration other) {
    return new Dimension(name, other);
  }

  /** {@return the name, and the period where it is not a minute} */
  @Override
  public String toString() {
    return period.equals(MINUTE) ? name : name + "/" + period.toString().substring(2);
  }
}
