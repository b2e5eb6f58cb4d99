package dev.flyball.gateway.tenant;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Cost;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * What a tenant has spent of its day and its month, and the accounts that its calls are paid by.
 *
 * <p>The scheduler holds and settles. Each month of a tenant is an account, and each day a part of
 * it, so a day that begins is a new account with a new budget, and a call pays for the day in which
 * it came in. A budget that is opened in the middle of a period, after a restart or under new
 * terms, is what was not spent by then. Days and months are those of UTC. Thread-safe.
 */
final class TenantSpend {
  private static final double LEARNS = 0.1;

  /** Accounts are never used twice, even for one period. */
  private static final AtomicLong OPENED = new AtomicLong();

  /** What was used in one period. */
  record Used(long tokens, long micros) {
    static final Used NOTHING = new Used(0, 0);

    Used plus(Used more) {
      return new Used(tokens + more.tokens, micros + more.micros);
    }

    /** The largest part of a ceiling that is used up. */
    double partOf(Ceiling ceiling) {
      return Math.max(
          part(tokens, ceiling.tokens()),
          part(
              micros,
              ceiling.cost().isPresent()
                  ? OptionalLong.of(ceiling.cost().get().micros())
                  : OptionalLong.empty()));
    }

    private static double part(long used, OptionalLong most) {
      if (most.isEmpty()) {
        return 0;
      }
      return most.getAsLong() == 0 ? 1 : (double) used / most.getAsLong();
    }
  }

  private final String tenant;
  private final BiConsumer<Account, Budget> budgets;
  private final ReentrantLock lock = new ReentrantLock();

  // All of these are guarded by the lock.
  private TenantTerms terms;
  private final Map<String, Used> used = new HashMap<>();
  private final Map<String, Used> unwritten = new HashMap<>();
  private String day = "";
  private Account account;
  private Used usual = Used.NOTHING;

  /**
   * The spending of one tenant.
   *
   * @param budgets is told each budget that begins
   */
  TenantSpend(String tenant, TenantTerms terms, BiConsumer<Account, Budget> budgets) {
    this.tenant = tenant;
    this.terms = terms;
    this.budgets = budgets;
    this.account = Account.of(tenant);
  }

  /** The period of a day. */
  static String day(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC).toString();
  }

  /** The period of a month. */
  static String month(Instant now) {
    return YearMonth.from(now.atZone(ZoneOffset.UTC)).toString();
  }

  /** What was spent before this server began. */
  void load(TenantSpending earlier) {
    lock.lock();
    try {
      used.merge(earlier.period(), new Used(earlier.tokens(), earlier.cost().micros()), Used::plus);
    } finally {
      lock.unlock();
    }
  }

  /** What was written counts, and what is not yet; budgets begin anew with what that leaves. */
  void goOnFrom(Collection<TenantSpending> written) {
    lock.lock();
    try {
      used.clear();
      used.putAll(unwritten);
      written.forEach(this::load);
      day = "";
    } finally {
      lock.unlock();
    }
  }

  /** Other terms hold from now on, for calls that come in from now on. */
  void terms(TenantTerms other) {
    lock.lock();
    try {
      if (!terms.equals(other)) {
        terms = other;
        day = "";
      }
    } finally {
      lock.unlock();
    }
  }

  /** The account that pays for a call that comes in now. */
  Account account(Instant now) {
    lock.lock();
    try {
      var today = day(now);
      if (!day.equals(today)) {
        open(today, month(now));
      }
      return account;
    } finally {
      lock.unlock();
    }
  }

  private void open(String today, String month) {
    long number = OPENED.incrementAndGet();
    day = today;
    used.keySet().retainAll(List.of(today, month));
    var whole = Account.of("tenant " + tenant).part(month + "#" + number);
    account = whole.part(today + "#" + number);
    left(terms.month(), spent(month)).ifPresent(budget -> budgets.accept(whole, budget));
    left(terms.day(), spent(today)).ifPresent(budget -> budgets.accept(account, budget));
  }

  private static Optional<Budget> left(Ceiling ceiling, Used used) {
    if (ceiling.isNone()) {
      return Optional.empty();
    }
    var tokens =
        ceiling.tokens().isPresent()
            ? OptionalLong.of(Math.max(0, ceiling.tokens().getAsLong() - used.tokens()))
            : OptionalLong.empty();
    var money = ceiling.cost().map(cost -> new Cost(Math.max(0, cost.micros() - used.micros())));
    return Optional.of(new Budget(tokens, money, 0));
  }

  private Used spent(String period) {
    return used.getOrDefault(period, Used.NOTHING);
  }

  /** What was spent in a period. */
  Used used(String period) {
    lock.lock();
    try {
      return spent(period);
    } finally {
      lock.unlock();
    }
  }

  /** A call is over. It is paid by the day in which it came in. */
  void spend(Account payer, Used more) {
    if (more.equals(Used.NOTHING)) {
      return;
    }
    lock.lock();
    try {
      var periods = new ArrayList<String>(2);
      periods.add(period(payer));
      payer.parent().ifPresent(whole -> periods.add(period(whole)));
      for (var each : periods) {
        used.merge(each, more, Used::plus);
        unwritten.merge(each, more, Used::plus);
      }
      usual =
          usual.equals(Used.NOTHING)
              ? more
              : new Used(
                  Math.round(usual.tokens() + LEARNS * (more.tokens() - usual.tokens())),
                  Math.round(usual.micros() + LEARNS * (more.micros() - usual.micros())));
    } finally {
      lock.unlock();
    }
  }

  private static String period(Account of) {
    return of.name().substring(0, of.name().indexOf('#'));
  }

  /** What is not written down yet; it counts as written from now on. */
  List<TenantSpending> takeUnwritten() {
    lock.lock();
    try {
      var taken = new ArrayList<TenantSpending>(unwritten.size());
      unwritten.forEach(
          (period, more) ->
              taken.add(
                  new TenantSpending(tenant, period, more.tokens(), new Cost(more.micros()))));
      unwritten.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** How far apart calls are at this moment, because a budget is nearly spent. */
  Duration softGap(Instant now) {
    lock.lock();
    try {
      var gap = Duration.ZERO;
      if (!terms.day().isNone()) {
        var midnight = LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1);
        gap = gap(terms.day(), day(now), midnight, now);
      }
      if (!terms.month().isNone()) {
        var first = YearMonth.from(now.atZone(ZoneOffset.UTC)).plusMonths(1).atDay(1);
        var month = gap(terms.month(), month(now), first, now);
        gap = month.compareTo(gap) > 0 ? month : gap;
      }
      return gap;
    } finally {
      lock.unlock();
    }
  }

  private Duration gap(Ceiling ceiling, String period, LocalDate end, Instant now) {
    var left = Duration.between(now, end.atStartOfDay().toInstant(ZoneOffset.UTC));
    return SoftZone.gap(spent(period).partOf(ceiling), usual.partOf(ceiling), left);
  }

  /** The terms that hold. */
  TenantTerms terms() {
    lock.lock();
    try {
      return terms;
    } finally {
      lock.unlock();
    }
  }
}
