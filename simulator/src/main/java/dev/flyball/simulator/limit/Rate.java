package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.OptionText;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;

/** An amount of a dimension in a period, as in {@code requests=600/min}. */
public record Rate(Dimension dimension, long amount, Duration period) {
  public Rate {
    OptionText.check(amount >= 1, "a limit is at least 1", amount);
    OptionText.check(amount <= 1_000_000_000_000L, "a limit is at most 1000000000000", amount);
    OptionText.check(period.isPositive(), "a period is positive", period);
  }

  /** What comes in this time, rounded up. */
  public long in(Duration time) {
    return BigInteger.valueOf(amount)
        .multiply(BigInteger.valueOf(OptionText.micros(time)))
        .add(BigInteger.valueOf(OptionText.micros(period) - 1))
        .divide(BigInteger.valueOf(OptionText.micros(period)))
        .longValueExact();
  }

  /** Reads {@code requests=600/min}; {@code in-flight=20} has no period. */
  public static Rate parse(String text) {
    String[] sides = text.split("=", 2);
    OptionText.check(
        sides.length == 2, "a limit is written requests=600/min or in-flight=20", text);
    Dimension dimension = Dimension.of(sides[0].strip());
    if (dimension == Dimension.IN_FLIGHT) {
      return new Rate(dimension, OptionText.whole(sides[1]), Duration.ofSeconds(1));
    }
    String[] parts = sides[1].split("/", 2);
    OptionText.check(
        parts.length == 2, "a limit has a period, as in " + sides[0] + "=600/min", sides[1]);
    return new Rate(dimension, OptionText.whole(parts[0]), period(parts[1].strip()));
  }

  public static Duration period(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "s", "sec", "second" -> Duration.ofSeconds(1);
      case "min", "minute" -> Duration.ofMinutes(1);
      case "h", "hour" -> Duration.ofHours(1);
      case "d", "day" -> Duration.ofDays(1);
      default ->
          throw new IllegalArgumentException("a period is one of sec, min, hour, day, not " + word);
    };
  }
}
