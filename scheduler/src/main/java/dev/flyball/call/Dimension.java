package dev.flyball.call;

import java.time.Duration;

/**
 * What a limit counts, and over which period. The list is open: a provider may count anything, and
 * one name may be limited over several periods at once.
 */
public record Dimension(String name, Duration period) {
  public static final Duration MINUTE = Duration.ofMinutes(1);
  public static final Dimension REQUESTS = new Dimension("requests", MINUTE);
  public static final Dimension INPUT_TOKENS = new Dimension("input_tokens", MINUTE);
  public static final Dimension OUTPUT_TOKENS = new Dimension("output_tokens", MINUTE);
  public static final Dimension TOKENS = new Dimension("tokens", MINUTE);

  /** Attempts at one time; its period says nothing. */
  public static final Dimension IN_FLIGHT = new Dimension("in_flight", MINUTE);

  public Dimension {
    if (name.isBlank() || !period.isPositive()) {
      throw new IllegalArgumentException(
          "a dimension has a name and a positive period, but was '" + name + "' per " + period);
    }
  }

  public Dimension per(Duration other) {
    return new Dimension(name, other);
  }

  @Override
  public String toString() {
    return period.equals(MINUTE) ? name : name + "/" + period.toString().substring(2);
  }
}
