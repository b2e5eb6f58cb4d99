package dev.flyball.scheduler;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Refusal;
import dev.flyball.call.Usage;
import dev.flyball.limit.BudgetBalance;
import dev.flyball.scheduler.Flyball.SharedBudget;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
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
  /** The amounts that an attempt holds, and of whom, until it is settled. */
  record Hold(List<BudgetBalance> of, @Nullable SharedBudget shared, long tokens, long micros) {
    static final Hold NOTHING = new Hold(List.of(), null, 0, 0);
  }

  /** What an account spends together with others elsewhere. */
  private record Share(Account account, SharedBudget budget) {}

  /** The answer to a hold. */
  sealed interface Room {
    record Held(Hold hold) implements Room {}

    /** Not now, but others hold what may come free. */
    record Later() implements Room {}

    record Never(Refusal why) implements Room {}

    /** Nothing is held, because another lane has taken the call. */
    record Elsewhere() implements Room {}
  }

  private static final Room FREE = new Room.Held(Hold.NOTHING);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Account, BudgetBalance> balances = new HashMap<>();
  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private @Nullable Share share;
  private volatile boolean any;

  void set(Account account, Budget budget) {
    lock.lock();
    try {
      if (balances.putIfAbsent(account, new BudgetBalance(account, budget)) != null) {
        throw new IllegalArgumentException("account '" + account + "' has a budget already");
      }
      any = true;
    } finally {
      lock.unlock();
    }
  }

  /** An account, with all of its parts, spends money together with others elsewhere. */
  void share(Account account, SharedBudget budget) {
    budget.whenRoom(this::lookAgain);
    lock.lock();
    try {
      if (share != null) {
        throw new IllegalArgumentException(
            "one account can have a shared budget, and '" + share.account() + "' has it");
      }
      share = new Share(account, budget);
      any = true;
    } finally {
      lock.unlock();
    }
  }

  private void lookAgain() {
    List<Runnable> told;
    lock.lock();
    try {
      told = List.copyOf(waiting);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    told.forEach(Runnable::run);
  }

  /** No longer limits an account; what is held of it is settled as before. */
  void forget(Account account) {
    lock.lock();
    try {
      balances.remove(account);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes what a call may use from its account and from all that this is part of, or from none.
   *
   * @param whenRoom to be told, once, when something settled; the same object for each lane
   */
  Room hold(Call call, boolean retry, Runnable whenRoom) {
    if (!any || call.account().isEmpty()) {
      return FREE;
    }
    var size = call.estimate();
    long micros = size.cost().orElse(Cost.NOTHING).micros();
    lock.lock();
    try {
      var chain = new ArrayList<BudgetBalance>(2);
      var common = share;
      boolean shares = false;
      for (var at = call.account(); at.isPresent(); at = at.get().parent()) {
        Optional.ofNullable(balances.get(at.get())).ifPresent(chain::add);
        shares |= common != null && common.account().equals(at.get());
      }
      for (var balance : chain) {
        var lack = balance.lacks(size.most(), micros, size.cost().isPresent(), retry);
        if (lack.isPresent()) {
          if (balance.holds() == 0 || lack.get() instanceof Refusal.Unpriced) {
            return new Room.Never(lack.get());
          }
          waiting.add(whenRoom);
          return new Room.Later();
        }
      }
      if (shares && common != null) {
        if (size.cost().isEmpty()) {
          return new Room.Never(new Refusal.Unpriced(common.account()));
        }
        switch (common.budget().hold(micros)) {
          case SharedBudget.Room.Held held -> {}
          case SharedBudget.Room.Later later -> {
            waiting.add(whenRoom);
            return new Room.Later();
          }
          case SharedBudget.Room.Spent(long left) -> {
            return new Room.Never(
                new Refusal.BudgetSpent(common.account(), "millionths of $", micros, left));
          }
        }
      }
      chain.forEach(balance -> balance.hold(size.most(), micros));
      var of = shares && common != null ? common.budget() : null;
      return new Room.Held(new Hold(chain, of, size.most(), micros));
    } finally {
      lock.unlock();
    }
  }

  /** Replaces a hold by what was used; returns who is to be told that there may be room. */
  List<Runnable> settle(Hold hold, Usage used) {
    if (hold.of().isEmpty() && hold.shared() == null) {
      return List.of();
    }
    lock.lock();
    try {
      if (hold.shared() != null) {
        hold.shared().settle(hold.micros(), used.cost().micros());
      }
      for (var balance : hold.of()) {
        balance.settle(hold.tokens(), hold.micros(), used.tokens(), used.cost().micros());
      }
      var told = List.copyOf(waiting);
      waiting.clear();
      return told;
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
}
