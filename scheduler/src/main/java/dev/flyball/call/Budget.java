package dev.flyball.call;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The most that an account may use, in tokens, in money, or both.
 *
 * @param tokens the most tokens
 * @param money the most money
 * @param reserve the part that is kept back for retries, at least 0 and below 1
 */
public record Budget(OptionalLong tokens, Optional<Cost> money, double reserve) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if neither tokens nor money is limited, or a number is out of
   *     bounds
   */
  public Budget {
    if (tokens.isEmpty() && money.isEmpty()) {
      throw new IllegalArgumentException("a budget limits tokens or money, but had neither");
    }
    if (tokens.orElse(0) < 0 || !(reserve >= 0 && reserve < 1)) {
      throw new IllegalArgumentException(
          "a budget has at least 0 tokens and a reserve of at least 0 and below 1, but was "
              + (tokens + " and " + reserve));
    }
  }

  /**
   * {@return a budget in tokens}
   *
   * @param most at least 0
   */
  public static Budget tokens(long most) {
    return new Budget(OptionalLong.of(most), Optional.empty(), 0);
  }

  /**
   * {@return a budget in money; calls without a price are refused under it}
   *
   * @param most the most money
   */
  public static Budget money(Cost most) {
    return new Budget(OptionalLong.empty(), Optional.of(most), 0);
  }

  /**
   * {@return the same budget, limited in money too}
   *
   * @param most the most money
   */
  public Budget and(Cost most) {
    return new Budget(tokens, Optional.of(most), reserve);
  }

  /**
   * {@return the same budget with a reserve for retries}
   *
   * @param part at least 0 and below 1
   */
  public Budget keepingBack(double part) {
    return new Budget(tokens, money, part);
  }
}
