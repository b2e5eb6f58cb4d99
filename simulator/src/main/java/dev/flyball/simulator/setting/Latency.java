package dev.flyball.simulator.setting;

import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.RandomDraw;
import java.time.Duration;

/**
 * The time that an answer takes.
 *
 * @param first until the first token
 * @param perToken between two tokens
 * @param spread of the time until the first token, as the sigma of a log-normal factor; 0 is none
 */
public record Latency(Duration first, Duration perToken, double spread) {
  public static final Latency NONE = new Latency(Duration.ZERO, Duration.ZERO, 0);

  public Latency {
    OptionText.check(
        !first.isNegative() && !perToken.isNegative(), "a latency is not negative", first);
    OptionText.check(spread >= 0 && spread <= 3, "a spread is from 0 to 3", spread);
  }

  /** Reads {@code 200ms}, {@code 200ms+5ms} or {@code 200ms+5ms~0.3}: first, per token, spread. */
  public static Latency parse(String text) {
    String[] spread = text.split("~", 2);
    String[] times = spread[0].split("\\+", 2);
    OptionText.check(
        spread.length < 2 || spread[1].matches("\\d(\\.\\d{1,6})?"),
        "a latency is written FIRST[+PER_TOKEN][~SPREAD], as in 200ms+5ms~0.3",
        text);
    return new Latency(
        OptionText.duration(times[0]),
        times.length < 2 ? Duration.ZERO : OptionText.duration(times[1]),
        spread.length < 2 ? 0 : Double.parseDouble(spread[1]));
  }

  public long first(RandomDraw draw) {
    double factor = spread == 0 ? 1 : Math.exp(spread * draw.bell());
    return Math.round(OptionText.micros(first) * factor);
  }
}
