package dev.flyball.simulator.value;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Simulated microseconds since the start, and what they are to callers, who live in real time: at
 * speed 50, a simulated minute is over in 1.2 seconds.
 */
public final class SimulatedClock {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final int speed;
  private final long start = System.nanoTime();
  private final Instant started = Instant.now();
  private long dated;
  private String date = "";

  public SimulatedClock(int speed) {
    this.speed = speed;
  }

  public int speed() {
    return speed;
  }

  public long micros() {
    return (System.nanoTime() - start) * speed / 1_000;
  }

  /** What the calendar says at a simulated moment. */
  public Instant at(long micros) {
    return started.plus(Math.floorDiv(micros, speed), ChronoUnit.MICROS);
  }

  /** Now, as HTTP writes it; once a second, because that costs more than the rest of a reply. */
  public String date() {
    Instant now = at(micros());
    if (now.getEpochSecond() != dated) {
      dated = now.getEpochSecond();
      date = date(now);
    }
    return date;
  }

  /** As HTTP writes a date. */
  public static String date(Instant instant) {
    return DATE.format(instant);
  }

  /** How many real microseconds a simulated time takes, rounded up. */
  public long real(long micros) {
    return Math.ceilDiv(micros, speed);
  }
}
