package dev.flyball.history.record;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The promise to say what became of something that was recorded. */
public final class Receipt {
  /** The end of what was recorded. */
  public enum Fate {
    /** It is committed, and outlives this process. */
    KEPT,
    /** The database failed for too long. */
    LOST
  }

  private final CompletableFuture<Fate> fate = new CompletableFuture<>();

  public Receipt() {}

  public static Receipt lost() {
    var receipt = new Receipt();
    receipt.settle(Fate.LOST);
    return receipt;
  }

  public void settle(Fate known) {
    fate.complete(known);
  }

  /** Waits until it is known. */
  public Fate await() throws InterruptedException {
    try {
      return fate.get();
    } catch (ExecutionException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
