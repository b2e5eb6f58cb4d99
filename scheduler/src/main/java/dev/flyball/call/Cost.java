package dev.flyball.call;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * Money in millionths of a dollar, exact.
 *
 * @param micros millionths of a dollar, at least 0
 */
public record Cost(long micros) implements Comparable<Cost> {
  private static final long MICROS_OF_A_CENT = 10_000;

  /** No money. */
  public static final Cost NOTHING = new Cost(0);

  /**
   * Checks the amount.
   *
   * @throws IllegalArgumentException if it is below 0
   */
  public Cost {
    if (micros < 0) {
      throw new IllegalArgumentException("a cost is at least 0, but was " + micros + " millionths");
    }
  }

  /**
   * {@return an amount in dollars; what is finer than a millionth is rounded up}
   *
   * @param amount a decimal number, such as {@code 0.25}
   * @throws ArithmeticException if it is too large
   * @throws NumberFormatException if it is no number
   */
  public static Cost dollars(String amount) {
    var micros = new BigDecimal(amount).movePointRight(6);
    return new Cost(micros.setScale(0, java.math.RoundingMode.CEILING).longValueExact());
  }

  /**
   * {@return the sum}
   *
   * @param other what is added
   * @throws ArithmeticException if the sum is too large
   */
  public Cost plus(Cost other) {
    return new Cost(Math.addExact(micros, other.micros));
  }

  @Override
  public int compareTo(Cost other) {
    return Long.compare(micros, other.micros);
  }

  /** {@return the dollars with their six decimals and no sign: {@code 0.012300}} */
  public String decimal() {
    return BigDecimal.valueOf(micros, 6).toPlainString();
  }

  @Override
  public String toString() {
    return "$" + decimal();
  }

  /** {@return for people: such as {@code $12.50}, or {@code $0.0025} for less than a cent} */
  public String shown() {
    if (micros == 0 || micros >= MICROS_OF_A_CENT) {
      return String.format(Locale.ROOT, "$%,.2f", micros / 1e6);
    }
    int decimals = micros >= 1_000 ? 4 : micros >= 100 ? 5 : 6;
    return String.format(Locale.ROOT, "$%." + decimals + "f", micros / 1e6);
  }
}
