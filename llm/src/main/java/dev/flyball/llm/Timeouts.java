package dev.flyball.llm;

import java.time.Duration;

/**
 * The time that one attempt may take, by four clocks that do not know each other.
 *
 * @param connect until the connection stands; one address of several has half of it
 * @param firstByte from sending to the reply's headers; a plain answer has these only at its end
 * @param idle between two pieces of a body
 * @param total from sending to the end
 */
public record Timeouts(Duration connect, Duration firstByte, Duration idle, Duration total) {
  public static final Timeouts USUAL =
      new Timeouts(
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(2),
          Duration.ofMinutes(60));

  public Timeouts {
    for (var each : new Duration[] {connect, firstByte, idle, total}) {
      if (!each.isPositive()) {
        throw new IllegalArgumentException("a timeout is above 0, but was " + each);
      }
    }
  }

  Timeouts connect(Duration other) {
    return new Timeouts(other, firstByte, idle, total);
  }

  public Timeouts firstByte(Duration other) {
    return new Timeouts(connect, other, idle, total);
  }

  Timeouts idle(Duration other) {
    return new Timeouts(connect, firstByte, other, total);
  }

  Timeouts total(Duration other) {
    return new Timeouts(connect, firstByte, idle, other);
  }
}
