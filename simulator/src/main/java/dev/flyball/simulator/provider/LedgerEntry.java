package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * One line of the ledger.
 *
 * @param at microseconds since the start
 * @param scope the key, as a fingerprint, and the model class
 * @param limit what was counted, if anything was
 * @param amount how much of it
 * @param level what was left of it afterwards
 */
public record LedgerEntry(
    long sequence,
    long at,
    What what,
    String scope,
    String request,
    String id,
    int attempt,
    @Nullable Limit limit,
    long amount,
    long level,
    String note) {

  /** The event that a line records. */
  public enum What {
    ADMITTED,
    CHARGED,
    DEBITED,
    REFUNDED,
    REJECTED,
    FAULTED,
    FINISHED,
    CUT,
    FOREIGN,
    CHANGED
  }
}
