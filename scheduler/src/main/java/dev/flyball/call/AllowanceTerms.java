package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The terms on which a provider keeps one allowance, as far as they are known before the first
 * reply.
 *
 * @param dimension what is counted, and over which period
 * @param charge what a call counts for
 * @param settle what becomes of a charge when the real usage is known
 * @param limit what it allows in a period, where that is known
 * @param window the sub-window over which the limit is enforced, where it is not the whole period:
 *     600 a minute over 1 s lets 10 go at once
 * @param failedCounts whether an attempt that it turned away is charged all the same
 */
public record AllowanceTerms(
    Dimension dimension,
    Charge charge,
    Settle settle,
    OptionalLong limit,
    Optional<Duration> window,
    boolean failedCounts) {

  /** The ways in which a charge is corrected when the real usage is known. */
  public enum Settle {
    /** The difference is given back, or taken. */
    REFUND,
    /** What was charged too much stays charged. */
    NO_REFUND,
    /** Nothing is charged at admission: usage is taken while it is produced, down into debt. */
    AS_PRODUCED
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the limit is not above 0, or the window longer than the
   *     period
   */
  public AllowanceTerms {
    if (limit.isPresent() && limit.getAsLong() <= 0) {
      throw new IllegalArgumentException("a limit is above 0, but " + dimension + " has " + limit);
    }
    if (window.isPresent() && window.get().compareTo(dimension.period()) > 0) {
      throw new IllegalArgumentException(
          "a sub-window is at most its period, but " + dimension + " has " + window.get());
    }
  }

  /**
   * {@return the terms that are most likely, by the dimension's name}
   *
   * @param dimension what is counted
   */
  public static AllowanceTerms of(Dimension dimension) {
    var name = dimension.name();
    var charge =
        name.startsWith("requests")
            ? Charge.ONE
            : name.startsWith("input")
                ? Charge.INPUT
                : name.startsWith("output")
                    ? Charge.OUTPUT
                    : name.contains("tokens") ? Charge.INPUT_AND_OUTPUT : Charge.ONE;
    var settle = charge == Charge.OUTPUT ? Settle.AS_PRODUCED : Settle.REFUND;
    return new AllowanceTerms(
        dimension, charge, settle, OptionalLong.empty(), Optional.empty(), false);
  }

  /**
   * {@return the same terms with another charge}
   *
   * @param other what a call counts for
   * @param mode what becomes of the charge when the real usage is known
   */
  public AllowanceTerms charging(Charge other, Settle mode) {
    return new AllowanceTerms(dimension, other, mode, limit, window, failedCounts);
  }

  /**
   * {@return the same terms with a limit}
   *
   * @param most what is allowed in a period, above 0
   */
  public AllowanceTerms limit(long most) {
    return new AllowanceTerms(
        dimension, charge, settle, OptionalLong.of(most), window, failedCounts);
  }

  /**
   * {@return the same terms, enforced over a part of the period}
   *
   * @param subWindow at most the period
   */
  public AllowanceTerms enforcedOver(Duration subWindow) {
    return new AllowanceTerms(
        dimension, charge, settle, limit, Optional.of(subWindow), failedCounts);
  }

  /** {@return the same terms, by which an attempt that was turned away is charged all the same} */
  public AllowanceTerms countingFailed() {
    return new AllowanceTerms(dimension, charge, settle, limit, window, true);
  }
}
