package dev.flyball.gateway.tenant;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.scheduler.Time;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The keys that are known, and whose they are. A key is looked up by its hash, so how long that
 * takes says nothing about a key; the hashes are then compared in constant time all the same.
 * Thread-safe: what is known is replaced as a whole.
 */
final class KeyRing {
  private record Known(Map<String, ActiveTenant> byHash, boolean everHadOne, List<TenantKey> all) {}

  private final Time time;
  private final BiConsumer<Account, Budget> budgets;
  private final Map<String, TenantSpend> spending = new ConcurrentHashMap<>();
  private volatile Known known = new Known(Map.of(), false, List.of());

  KeyRing(Time time, BiConsumer<Account, Budget> budgets) {
    this.time = time;
    this.budgets = budgets;
  }

  /**
   * Takes the keys as they are now. Called by one thread at a time.
   *
   * @param earlier what was spent before, of tenants that are new here
   */
  void replace(List<TenantKey> keys, Collection<TenantSpending> earlier) {
    var before = known;
    if (before.all.equals(keys)) {
      return;
    }
    var byHash = new HashMap<String, ActiveTenant>();
    for (var key : keys) {
      if (key.revoked().isPresent()) {
        continue;
      }
      var old = before.byHash.get(key.hash());
      byHash.put(
          key.hash(),
          old != null && old.key().equals(key)
              ? old
              : new ActiveTenant(key, spend(key, earlier), time));
    }
    known = new Known(Map.copyOf(byHash), !keys.isEmpty(), List.copyOf(keys));
  }

  private TenantSpend spend(TenantKey key, Collection<TenantSpending> earlier) {
    var spent = spending.get(key.tenant());
    if (spent == null) {
      spent = ActiveTenant.spending(key, budgets);
      for (var each : earlier) {
        if (each.tenant().equals(key.tenant())) {
          spent.load(each);
        }
      }
      spending.put(key.tenant(), spent);
    }
    spent.terms(key.terms());
    return spent;
  }

  /** Whose key it is, unless it is nobody's or was revoked. */
  Optional<ActiveTenant> owner(String key) {
    var hash = VirtualKey.hash(key);
    var tenant = known.byHash.get(hash);
    return tenant != null && same(tenant.key().hash(), hash)
        ? Optional.of(tenant)
        : Optional.empty();
  }

  /** Whether two texts are the same, in a time that does not say where they differ. */
  static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether there is a key, or was one: then there is no way in without. */
  boolean everHadOne() {
    return known.everHadOne;
  }

  Collection<ActiveTenant> tenants() {
    return known.byHash.values();
  }

  /** What a tenant has spent, whose key may be gone by now. */
  Optional<TenantSpend> spendingOf(String tenant) {
    return Optional.ofNullable(spending.get(tenant));
  }

  /** What all have spent that ever had a key while the server ran. */
  Collection<TenantSpend> spending() {
    return spending.values();
  }

  /** Goes on from what was written, which another server may have done. */
  void goOnFrom(Collection<TenantSpending> written) {
    spending.forEach(
        (tenant, spend) ->
            spend.goOnFrom(written.stream().filter(each -> each.tenant().equals(tenant)).toList()));
  }

  /** Of a tenant by its name. */
  Optional<ActiveTenant> named(String tenant) {
    return known.byHash.values().stream()
        .filter(each -> each.key().tenant().equals(tenant))
        .findAny();
  }
}
