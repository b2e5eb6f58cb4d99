package dev.flyball.llm;

import java.time.Duration;

/**
 * The time that one attempt may take, by four clocks that do not know each other.
 *
 * @param connect until the connection stands; one address of several has half of it
 * @param firstByte from sending to the reply's headers; a plain answer has these only at its end
 * @param idle between two pieces of a body, whatever is in them
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

  /** How long a token may take: slower than any model that somebody would wait for. */
  private static final Duration EACH_TOKEN = Duration.ofMillis(250);

  /**
   * The same for one request. Its total follows from the longest answer that it asks for: nothing
   * before the first byte and a slow model after it.
   */
  Timeouts of(ProviderRequest request) {
    if (request.within().isPresent()) {
      return total(request.within().get());
    }
    long most = total.dividedBy(EACH_TOKEN);
    var bound =
        request.longest().isPresent() && request.longest().getAsLong() < most
            ? firstByte.plus(EACH_TOKEN.multipliedBy(request.longest().getAsLong()))
            : total;
    return bound.compareTo(total) < 0 ? total(bound) : this;
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
