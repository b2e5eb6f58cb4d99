package dev.flyball.call;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an account may use at most, in tokens, in money, or both.
 *
 * @param reserve the part that is kept back for retries
 */
public record Budget(OptionalLong tokens, Optional<Cost> money, double reserve) {
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

  public static Budget tokens(long most) {
    return new Budget(OptionalLong.of(most), Optional.empty(), 0);
  }

  public static Budget money(Cost most) {
    return new Budget(OptionalLong.empty(), Optional.of(most), 0);
  }

  public Budget and(Cost most) {
    return new Budget(tokens, Optional.of(most), reserve);
  }

  public Budget keepingBack(double part) {
    return new Budget(tokens, money, part);
  }
}
