package dev.flyball.call;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything a reply said about limits.
 *
 * @param retryAfter how long the provider asks to wait; zero or less is no hint at all
 * @param exceeded the dimension that the provider says was exceeded
 * @param acceleration whether it said that the traffic grew too fast
 */
public record Signals(
    List<Sighting> sightings,
    Optional<Duration> retryAfter,
    Optional<Dimension> exceeded,
    boolean acceleration) {
  public static final Signals NONE =
      new Signals(List.of(), Optional.empty(), Optional.empty(), false);

  public Signals {
    sightings = List.copyOf(sightings);
    retryAfter = retryAfter.map(Sighting::sane).filter(Duration::isPositive);
  }

  public static Signals of(Sighting... sightings) {
    return new Signals(List.of(sightings), Optional.empty(), Optional.empty(), false);
  }

  public Signals retryAfter(Duration wait) {
    return new Signals(sightings, Optional.of(wait), exceeded, acceleration);
  }

  public Signals exceeding(Dimension dimension) {
    return new Signals(sightings, retryAfter, Optional.of(dimension), acceleration);
  }

  public Signals tooFast() {
    return new Signals(sightings, retryAfter, exceeded, true);
  }
}
