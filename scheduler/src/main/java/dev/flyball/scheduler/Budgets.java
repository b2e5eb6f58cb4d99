package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Refusal;
import dev.flyball.call.Usage;
import dev.flyball.limit.Balance;
import dev.flyball.limit.Budget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Every account's balance, behind one lock, so that a hold takes from all parents or from none. */
final class Budgets {
  /** What an attempt holds, until it is settled. */
  record Hold(Account account, long tokens, long micros) {}

  /** Whether there was room. */
  sealed interface Room {
    record Held(@Nullable Hold hold) implements Room {}

    /** Not now, but others hold what may come free. */
    record Later() implements Room {}

    record Never(Refusal why) implements Room {}
  }

  private static final Room FREE = new Room.Held(null);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Account, Balance> balances = new HashMap<>();
  private final Set<Lane> waiting = new LinkedHashSet<>();
  private volatile boolean any;

  void set(Account account, Budget budget) {
    lock.lock();
    try {
      if (balances.putIfAbsent(account, new Balance(account, budget)) != null) {
        throw new IllegalArgumentException("account '" + account + "' has a budget already");
      }
      any = true;
    } finally {
      lock.unlock();
    }
  }

  Room hold(Optional<Account> payer, Estimate estimate, boolean retry, Lane lane) {
    if (!any || payer.isEmpty()) {
      return FREE;
    }
    long tokens = estimate.most();
    long micros = estimate.cost().orElse(Cost.NOTHING).micros();
    lock.lock();
    try {
      var chain = chain(payer.get());
      for (var balance : chain) {
        var lack = balance.lacks(tokens, micros, estimate.cost().isPresent(), retry);
        if (lack.isPresent()) {
          boolean hope = balance.holds() > 0 && !(lack.get() instanceof Refusal.Unpriced);
          if (hope) {
            waiting.add(lane);
          }
          return hope ? new Room.Later() : new Room.Never(lack.get());
        }
      }
      chain.forEach(balance -> balance.hold(tokens, micros));
      return new Room.Held(new Hold(payer.get(), tokens, micros));
    } finally {
      lock.unlock();
    }
  }

  /** Replaces a hold by what was used; returns the lanes in which calls wait for room. */
  List<Lane> settle(@Nullable Hold hold, Usage used) {
    if (hold == null) {
      return List.of();
    }
    lock.lock();
    try {
      for (var balance : chain(hold.account())) {
        balance.settle(hold.tokens(), hold.micros(), used.tokens(), used.cost().micros());
      }
      var lanes = List.copyOf(waiting);
      waiting.clear();
      return lanes;
    } finally {
      lock.unlock();
    }
  }

  List<BudgetSnapshot> snapshot() {
    lock.lock();
    try {
      return balances.values().stream().map(BudgetSnapshot::of).toList();
    } finally {
      lock.unlock();
    }
  }

  private List<Balance> chain(Account payer) {
    var chain = new ArrayList<Balance>(2);
    for (var at = Optional.of(payer); at.isPresent(); at = at.get().parent()) {
      var balance = balances.get(at.get());
      if (balance != null) {
        chain.add(balance);
      }
    }
    return chain;
  }
}
