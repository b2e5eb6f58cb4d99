package dev.flyball.history.record;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The key of a tenant as it is kept: never the key itself.
 *
 * @param tenant whose; a tenant has one key at a time
 * @param hash SHA-256 of the key, in hex
 * @param hint how the key begins, so that people know which one it is
 * @param models patterns of the models that it may ask; none means all
 * @param revoked since when it is of no use, if it is not any more
 */
public record TenantKey(
    String tenant,
    String hash,
    String hint,
    TenantTerms terms,
    List<String> models,
    Instant created,
    Optional<Instant> revoked) {
  public TenantKey {
    models = List.copyOf(models);
  }

  /** Without the hash: what is printed may be read by anybody. */
  @Override
  public String toString() {
    return "TenantKey[" + tenant + " " + hint + "]";
  }
}
