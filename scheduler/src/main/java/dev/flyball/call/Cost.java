package dev.flyball.call;

import java.math.BigDecimal;

/** Money in millionths of a dollar, exact. */
public record Cost(long micros) implements Comparable<Cost> {
  public static final Cost NOTHING = new Cost(0);

  public Cost {
    if (micros < 0) {
      throw new IllegalArgumentException("a cost is at least 0, but was " + micros + " millionths");
    }
  }

  /** Reads dollars; what is finer than a millionth is rounded up. */
  public static Cost dollars(String amount) {
    var micros = new BigDecimal(amount).movePointRight(6);
    return new Cost(micros.setScale(0, java.math.RoundingMode.CEILING).longValueExact());
  }

  public Cost plus(Cost other) {
    return new Cost(Math.addExact(micros, other.micros));
  }

  @Override
  public int compareTo(Cost other) {
    return Long.compare(micros, other.micros);
  }

  /** The dollars with their six decimals and no sign: {@code 0.012300}. */
  public String decimal() {
    return BigDecimal.valueOf(micros, 6).toPlainString();
  }

  @Override
  public String toString() {
    return "$" + decimal();
  }
}
