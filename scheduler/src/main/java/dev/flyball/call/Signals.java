package dev.flyball.call;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything a reply said about limits.
 *
 * @param sightings the allowances that it described
 * @param retryAfter how long the provider asks to wait; zero or less is no hint at all, and neither
 *     is more than a year; anything between is believed as it is
 * @param exceeded the dimension that the provider says was exceeded
 * @param acceleration whether it said that the traffic grew too fast
 */
public record Signals(
    List<Sighting> sightings,
    Optional<Duration> retryAfter,
    Optional<Dimension> exceeded,
    boolean acceleration) {
  /** It said nothing. */
  public static final Signals NONE =
      new Signals(List.of(), Optional.empty(), Optional.empty(), false);

  /** Keeps a copy, and drops a wait that makes no sense. */
  public Signals {
    sightings = List.copyOf(sightings);
    retryAfter =
        retryAfter.filter(wait -> wait.isPositive() && wait.compareTo(Sighting.LONGEST) <= 0);
  }

  /**
   * {@return signals that consist of sightings}
   *
   * @param sightings the allowances that a reply described
   */
  public static Signals of(Sighting... sightings) {
    return new Signals(List.of(sightings), Optional.empty(), Optional.empty(), false);
  }

  /**
   * {@return the same signals with a wait}
   *
   * @param wait how long the provider asks to wait
   */
  public Signals retryAfter(Duration wait) {
    return new Signals(sightings, Optional.of(wait), exceeded, acceleration);
  }

  /**
   * {@return the same signals, naming what was exceeded}
   *
   * @param dimension the dimension
   */
  public Signals exceeding(Dimension dimension) {
    return new Signals(sightings, retryAfter, Optional.of(dimension), acceleration);
  }

  /** {@return the same signals, saying that the traffic grew too fast} */
  public Signals tooFast() {
    return new Signals(sightings, retryAfter, exceeded, true);
  }
}
