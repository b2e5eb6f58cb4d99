package dev.flyball.review.ask;

import dev.flyball.review.plan.Unit;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The order in which a budget is spent, over all lanes: what a review can do without starts only
 * when what it cannot do without has its answers, or when there is so much left that these are safe
 * however long they become. A lane keeps the order of its own calls, but two models are two lanes.
 */
final class SpendingOrder {
  private final Supplier<OptionalLong> left;
  private final Map<String, Long> open = new ConcurrentHashMap<>();
  private final AtomicReference<CompletableFuture<Boolean>> change =
      new AtomicReference<>(new CompletableFuture<>());

  /**
   * Of some units.
   *
   * @param left the tokens that are neither used nor held; empty if there is no limit
   */
  SpendingOrder(List<Unit> units, Supplier<OptionalLong> left) {
    this.left = left;
    units.stream().filter(Unit::required).forEach(unit -> open.put(unit.name(), unit.mostTokens()));
  }

  /** Waits until a unit may be asked. */
  void await(Unit unit) throws InterruptedException {
    while (true) {
      var next = change.get();
      if (mayGo(unit)) {
        return;
      }
      try {
        next.get();
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private boolean mayGo(Unit unit) {
    if (unit.required() || open.isEmpty()) {
      return true;
    }
    var tokens = left.get();
    return tokens.isEmpty()
        || tokens.getAsLong()
            >= unit.mostTokens() + open.values().stream().mapToLong(Long::longValue).sum();
  }

  /** A unit has its answer, or will have none. */
  void over(Unit unit) {
    open.remove(unit.name());
    change.getAndSet(new CompletableFuture<>()).complete(true);
  }
}
