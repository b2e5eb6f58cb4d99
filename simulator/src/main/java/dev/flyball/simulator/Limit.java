package dev.flyball.simulator;

import java.time.Duration;

/**
 * One true limit of a model class.
 *
 * @param amount how much a period refills
 * @param window how long one window is, of a kind that has windows
 * @param burst how much is there at most
 */
public record Limit(
    Dimension dimension,
    Kind kind,
    long amount,
    Duration period,
    Duration window,
    long burst,
    Charge charge,
    Settle settle) {

  /** How a limit comes back. */
  public enum Kind {
    /** Steadily. */
    BUCKET,
    /** All at once, when a new period starts. */
    FIXED_WINDOW,
    /** All at once, when a new part of the period starts. */
    SUBWINDOW,
    /** When what holds it has ended. */
    CONCURRENCY
  }

  /** What a request is charged on admission. */
  public enum Charge {
    ONE,
    /** The input that did not come from the prompt cache, as estimated on arrival. */
    INPUT,
    /** The larger of the estimated input and the longest answer that was asked for. */
    LARGER,
    /** The estimated input and the longest answer. */
    SUM,
    /** The longest answer. */
    LONGEST,
    /** Nothing; but something must be left. */
    NOTHING
  }

  /** What happens to the charge when the truth is known. */
  public enum Settle {
    /** It becomes the truth. */
    REFUND,
    /** It stays, unless the truth is more. */
    KEEP,
    /** Output is charged while it is produced. */
    AS_PRODUCED
  }

  public Limit {
    Words.check(amount >= 1, "a limit is at least 1", amount);
    Words.check(burst >= 1, "a burst is at least 1", burst);
    Words.check(period.isPositive(), "a period is positive", period);
    Words.check(window.isPositive(), "a window is positive", window);
    // Twice over, so that a debt as large as the burst can be counted too.
    Words.check(
        Math.max(amount, burst) <= Long.MAX_VALUE / 4 / Words.micros(period),
        "a limit of " + dimension.word() + " per " + period + " is smaller",
        Math.max(amount, burst));
  }

  /** The usual way of counting a dimension. */
  static Limit of(Rate rate) {
    return switch (rate.dimension()) {
      case REQUESTS -> bucket(rate, Charge.ONE, Settle.KEEP);
      case INPUT -> bucket(rate, Charge.INPUT, Settle.REFUND);
      case OUTPUT -> bucket(rate, Charge.NOTHING, Settle.AS_PRODUCED);
      case TOKENS -> bucket(rate, Charge.LARGER, Settle.KEEP);
      case IN_FLIGHT ->
          new Limit(
              rate.dimension(),
              Kind.CONCURRENCY,
              rate.amount(),
              rate.period(),
              rate.period(),
              rate.amount(),
              Charge.ONE,
              Settle.REFUND);
    };
  }

  private static Limit bucket(Rate rate, Charge charge, Settle settle) {
    return new Limit(
        rate.dimension(),
        Kind.BUCKET,
        rate.amount(),
        rate.period(),
        rate.period(),
        rate.amount(),
        charge,
        settle);
  }

  /** Counted in the same way at another rate; what fits at once is in proportion. */
  Limit at(Rate rate) {
    long inWindow = Math.ceilDiv(rate.amount() * Words.micros(window), Words.micros(rate.period()));
    return switch (kind) {
      case BUCKET, CONCURRENCY ->
          new Limit(
              dimension,
              kind,
              rate.amount(),
              rate.period(),
              rate.period(),
              rate.amount(),
              charge,
              settle);
      case FIXED_WINDOW ->
          new Limit(
              dimension,
              kind,
              rate.amount(),
              rate.period(),
              rate.period(),
              rate.amount(),
              charge,
              settle);
      case SUBWINDOW ->
          new Limit(
              dimension, kind, rate.amount(), rate.period(), window, inWindow, charge, settle);
    };
  }

  Limit bursting(long most) {
    return new Limit(dimension, kind, amount, period, window, most, charge, settle);
  }

  /** As providers write it: {@code minute}. */
  String per() {
    return switch ((int) period.toSeconds()) {
      case 1 -> "second";
      case 60 -> "minute";
      case 3_600 -> "hour";
      case 86_400 -> "day";
      default -> period.toSeconds() + " seconds";
    };
  }
}
