package dev.flyball.gateway.tenant;

import dev.flyball.call.Account;
import dev.flyball.call.Cost;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.scheduler.SchedulerSnapshot;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A tenant at one moment, for people.
 *
 * @param slowed whether its calls are kept apart because a budget is nearly spent
 * @param heldBack how many of its calls wait for its own limits
 */
public record TenantStanding(
    TenantKey key, List<BudgetStanding> budgets, boolean slowed, int heldBack) {

  /**
   * One budget of a tenant.
   *
   * @param unit dollars or tokens
   * @param period day or month
   * @param spent in tokens or millionths of a dollar, and so are the others
   */
  public record BudgetStanding(String unit, String period, long spent, long held, long limit) {
    /** Whether nothing more fits. */
    public boolean isSpent() {
      return spent >= limit;
    }
  }

  /** The part of a budget from which on calls are slowed. */
  public static final double SOFT_AT = SoftZone.BEGINS;

  /** Its name. */
  public String name() {
    return key.tenant();
  }

  /** The budgets of which something is held. */
  static List<BudgetSnapshot> held(SchedulerSnapshot snapshot) {
    return snapshot.budgets().stream().filter(each -> each.holds() > 0).toList();
  }

  static TenantStanding of(ActiveTenant tenant, List<BudgetSnapshot> held, Instant now) {
    return of(tenant.key(), tenant.spend(), held, tenant.heldBack(), now);
  }

  static TenantStanding of(
      TenantKey key, TenantSpend spend, List<BudgetSnapshot> held, int heldBack, Instant now) {
    var all = new ArrayList<BudgetStanding>();
    add(
        all,
        key,
        "day",
        key.terms().day(),
        spend.used(TenantSpend.day(now)),
        held,
        TenantSpend.day(now));
    add(
        all,
        key,
        "month",
        key.terms().month(),
        spend.used(TenantSpend.month(now)),
        held,
        TenantSpend.month(now));
    return new TenantStanding(key, List.copyOf(all), !spend.softGap(now).isZero(), heldBack);
  }

  private static void add(
      List<BudgetStanding> all,
      TenantKey key,
      String period,
      Ceiling ceiling,
      TenantSpend.Used used,
      List<BudgetSnapshot> held,
      String name) {
    var ours =
        held.stream()
            .filter(each -> Tenants.isOf(each.account(), key.tenant()) && is(each.account(), name))
            .toList();
    if (ceiling.cost().isPresent()) {
      long micros = ours.stream().map(BudgetSnapshot::moneyHeld).mapToLong(Cost::micros).sum();
      all.add(
          new BudgetStanding(
              "dollars", period, used.micros(), micros, ceiling.cost().get().micros()));
    }
    if (ceiling.tokens().isPresent()) {
      long tokens = ours.stream().mapToLong(BudgetSnapshot::tokensHeld).sum();
      all.add(
          new BudgetStanding(
              "tokens", period, used.tokens(), tokens, ceiling.tokens().getAsLong()));
    }
  }

  private static boolean is(Account account, String period) {
    return account.name().startsWith(period + "#");
  }
}
