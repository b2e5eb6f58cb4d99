package dev.flyball.gateway.tenant;

import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantTerms;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The keys of tenants in a history, for those who make and revoke them. */
public record TenantKeys(History history, InstantSource clock) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern MODEL = Pattern.compile("[^\\s,]{1,200}");

  /**
   * Makes a key for a tenant that has none.
   *
   * @return the key, to be shown once; empty if the tenant has one already
   * @throws IllegalArgumentException if the name, the priority or a model is impossible
   */
  public Optional<VirtualKey> add(String tenant, TenantTerms terms, List<String> models)
      throws HistoryUnavailable, InterruptedException {
    if (!NAME.matcher(tenant).matches()) {
      throw new IllegalArgumentException(
          "a tenant's name may have up to 64 letters, digits, dots, dashes and underscores and must"
              + " begin with a letter or digit, not '"
              + tenant
              + "'");
    }
    for (var model : models) {
      if (!MODEL.matcher(model).matches()) {
        throw new IllegalArgumentException(
            "write a model as a name in which * stands for any characters, not '" + model + "'");
      }
    }
    ActiveTenant.priority(terms.priority());
    if (active(tenant).isPresent()) {
      return Optional.empty();
    }
    var key = VirtualKey.make(new SecureRandom());
    history.add(
        new TenantKey(
            tenant, key.hash(), key.hint(), terms, models, clock.instant(), Optional.empty()));
    return Optional.of(key);
  }

  /** The key of a tenant that is of use, if there is one. */
  public Optional<TenantKey> active(String tenant) throws HistoryUnavailable {
    return history.tenantKeys().stream()
        .filter(key -> key.tenant().equals(tenant) && key.revoked().isEmpty())
        .findAny();
  }

  /** Ends a tenant's key; false if it has none. */
  public boolean revoke(String tenant) throws HistoryUnavailable, InterruptedException {
    if (active(tenant).isEmpty()) {
      return false;
    }
    history.revoke(tenant);
    return true;
  }

  /** All keys that there ever were, each with what its tenant has spent, the oldest first. */
  public List<TenantStanding> all() throws HistoryUnavailable {
    var now = clock.instant();
    var spent = history.spending(List.of(TenantSpend.day(now), TenantSpend.month(now)));
    return history.tenantKeys().stream()
        .map(
            key -> {
              var spend = new TenantSpend(key.tenant(), key.terms(), (account, budget) -> {});
              spent.stream()
                  .filter(each -> each.tenant().equals(key.tenant()))
                  .forEach(spend::load);
              return TenantStanding.of(key, spend, List.of(), 0, now);
            })
        .toList();
  }
}
