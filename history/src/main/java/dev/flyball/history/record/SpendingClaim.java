package dev.flyball.history.record;

/**
 * The claim of one process to be the one that counts what tenants with budgets spend. A history
 * grants it once at a time; it ends with the process, however that ends.
 */
public interface SpendingClaim extends AutoCloseable {
  /** Whether it still holds. */
  boolean holds();

  @Override
  void close();
}
