package dev.flyball.gateway.tenant;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;
import dev.flyball.gateway.http.Caller;
import dev.flyball.history.record.TenantKey;
import dev.flyball.scheduler.Time;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** A tenant as long as the server runs and its key is the same. */
final class ActiveTenant {
  private final TenantKey key;
  private final TenantSpend spend;
  private final TenantQueue queue;
  private final Time time;
  private final Tenant share;
  private final Predicate<String> models;
  private volatile Caller caller;

  /**
   * A tenant with a key.
   *
   * @param spend kept when the key changes: what was spent stays spent
   */
  ActiveTenant(TenantKey key, TenantSpend spend, Time time) {
    this.key = key;
    this.spend = spend;
    this.time = time;
    this.share = new Tenant(key.tenant(), key.terms().weight());
    this.models = new ModelPatterns(key.models());
    this.queue = new TenantQueue(key.terms(), time, () -> spend.softGap(time.wall()));
    this.caller = caller(spend.account(time.wall()));
  }

  static TenantSpend spending(TenantKey key, BiConsumer<Account, Budget> budgets) {
    return new TenantSpend(key.tenant(), key.terms(), budgets);
  }

  private Caller caller(Account payer) {
    return new Caller(
        key.tenant(), share, Optional.of(payer), priority(key.terms().priority()), models, queue);
  }

  /** Who its calls are from, and paid by, if they come in now. */
  Caller caller() {
    var payer = spend.account(time.wall());
    var known = caller;
    if (!known.account().equals(Optional.of(payer))) {
      known = caller(payer);
      caller = known;
    }
    return known;
  }

  /** A priority by its name. */
  static Priority priority(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "interactive" -> Priority.INTERACTIVE;
      case "bulk" -> Priority.BULK;
      case "normal" -> Priority.NORMAL;
      default ->
          throw new IllegalArgumentException(
              "the priority must be interactive, normal or bulk, not '" + name + "'");
    };
  }

  TenantKey key() {
    return key;
  }

  TenantSpend spend() {
    return spend;
  }

  /** Whether what it may spend is bounded. */
  boolean isBudgeted() {
    return !key.terms().day().isNone() || !key.terms().month().isNone();
  }

  int heldBack() {
    return queue.waiting();
  }
}
