package dev.flyball.forecast;

import java.time.Duration;

/**
 * The time that answers take: one until the first token and one for each token.
 *
 * @param spread by how much answers of one length differ, as the sigma of a log-normal factor
 */
public record AnswerLatency(Duration first, Duration perToken, double spread) {
  /** That of a large model, where nothing better is known. */
  public static final AnswerLatency USUAL =
      new AnswerLatency(Duration.ofSeconds(1), Duration.ofMillis(15), 0.3);

  public AnswerLatency {
    if (first.isNegative() || perToken.isNegative() || !(spread >= 0 && spread <= 3)) {
      throw new IllegalArgumentException(
          "a latency is not negative and its spread is from 0 to 3, but was %s, %s a token, %s"
              .formatted(first, perToken, spread));
    }
  }

  /** Reads {@code 800ms+12ms}, as account profiles have it: to the first token, and for each. */
  public static AnswerLatency parse(String text) {
    var parts = text.split("\\+", 2);
    return new AnswerLatency(time(parts[0]), parts.length < 2 ? Duration.ZERO : time(parts[1]), 0);
  }

  private static Duration time(String text) {
    if (!text.matches("\\d{1,9}(ms|s)?")) {
      throw new IllegalArgumentException(
          "a latency is written as in 800ms+12ms or 1s+20ms, but was " + text);
    }
    long amount = Long.parseLong(text.replaceAll("\\D", ""));
    return text.endsWith("ms") ? Duration.ofMillis(amount) : Duration.ofSeconds(amount);
  }

  /** That of an answer of so many tokens, on average. */
  public Duration of(double tokens) {
    return first.plus(Duration.ofNanos(Math.round((double) perToken.toNanos() * tokens)));
  }

  /** The seconds of one answer; {@code gaussian} is drawn from the normal distribution. */
  double seconds(long tokens, double gaussian) {
    return of((double) tokens).toNanos() / 1e9 * Math.exp(spread * gaussian - spread * spread / 2);
  }
}
