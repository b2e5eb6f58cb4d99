package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.OptionText;
import java.math.BigInteger;
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

  /** The way in which a limit comes back. */
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

  /** The amount that a request is charged on admission. */
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

  /** The fate of a charge once the truth is known. */
  public enum Settle {
    /** It becomes the truth. */
    REFUND,
    /** It stays, unless the truth is more. */
    KEEP,
    /** Output is charged while it is produced. */
    AS_PRODUCED
  }

  public Limit {
    OptionText.check(amount >= 1, "a limit is at least 1", amount);
    OptionText.check(burst >= 1, "a burst is at least 1", burst);
    OptionText.check(period.isPositive(), "a period is positive", period);
    OptionText.check(window.isPositive(), "a window is positive", window);
    // Four times over, so that a debt larger than the burst can be counted too.
    long most = Long.MAX_VALUE / 4 / (OptionText.micros(period) / common(amount, period));
    OptionText.check(
        Math.max(amount, burst) <= most,
        "a limit or burst of %s in %d seconds is at most %d here, or a rounder number"
            .formatted(dimension.noun(), period.toSeconds(), most),
        Math.max(amount, burst));
  }

  private static long common(long amount, Duration period) {
    return BigInteger.valueOf(amount)
        .gcd(BigInteger.valueOf(OptionText.micros(period)))
        .longValueExact();
  }

  /** What the amount and the microseconds of the period can both be divided by. */
  long common() {
    return common(amount, period);
  }

  /** The usual way of counting a dimension. */
  public static Limit of(Rate rate) {
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

  /** Counted in the same way at another rate, a whole period or window of which fits at once. */
  public Limit at(Rate rate) {
    Duration part = kind == Kind.SUBWINDOW ? window : rate.period();
    return new Limit(
        dimension, kind, rate.amount(), rate.period(), part, rate.in(part), charge, settle);
  }

  /** At another rate, of which as large a part fits at once as does now. */
  public Limit changedTo(Rate rate) {
    Limit other = at(rate);
    long whole = new Rate(dimension, amount, period).in(window);
    double part = (double) burst / whole;
    return burst == whole ? other : other.bursting(Math.max(1, Math.round(other.burst * part)));
  }

  public Limit bursting(long most) {
    return new Limit(dimension, kind, amount, period, window, most, charge, settle);
  }

  /** As providers write it: {@code minute}. */
  public String per() {
    return switch ((int) period.toSeconds()) {
      case 1 -> "second";
      case 60 -> "minute";
      case 3_600 -> "hour";
      case 86_400 -> "day";
      default -> period.toSeconds() + " seconds";
    };
  }
}
