package dev.flyball.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The prompt prefixes that the provider's cache holds. Of the calls that share one, the first to be
 * admitted leads; the others follow when its response headers are there, at the latest after 10 s.
 *
 * @param <W> those who wait
 * @param <P> those who went
 */
public final class PromptPrefixes<W, P> {
  private static final long LONGEST_LEAD = 10_000_000_000L;
  private static final long STAYS_WARM = 300_000_000_000L;
  private static final int MANY = 10_000;

  private static final class Prefix<W, P> {
    final List<W> followers = new ArrayList<>();
    @Nullable P leader;
    long leadUntil;
    long warmUntil;
  }

  private final Map<String, Prefix<W, P>> warm = new HashMap<>();
  private final Map<String, Prefix<W, P>> led = new HashMap<>();

  /** Sets a call aside whose leader is on its way; false when it need not wait. */
  public boolean follows(W waiter, Optional<String> name, long now) {
    var prefix = led(name);
    return prefix != null && prefix.leadUntil > now && prefix.followers.add(waiter);
  }

  private @Nullable Prefix<W, P> led(Optional<String> name) {
    return led.isEmpty() || name.isEmpty() ? null : led.get(name.get());
  }

  /** A call goes: it leads, unless the prefix is warm or led already. */
  public void admitted(P leader, Optional<String> shared, long now) {
    var name = shared.orElse("");
    if (name.isEmpty() || led.containsKey(name)) {
      return;
    }
    if (warm.size() >= MANY) {
      warm.values().removeIf(prefix -> prefix.warmUntil <= now);
    }
    var known = warm.get(name);
    if (known != null && known.warmUntil > now) {
      known.warmUntil = now + STAYS_WARM;
      return;
    }
    var prefix = new Prefix<W, P>();
    prefix.leader = leader;
    prefix.leadUntil = now + LONGEST_LEAD;
    led.put(name, prefix);
  }

  /** An attempt's headers are there, or it is over: those who follow it may go. */
  public List<W> released(P leader, Optional<String> name, boolean filled, long now) {
    var prefix = led(name);
    if (prefix == null || !leader.equals(prefix.leader)) {
      return List.of();
    }
    return release(name.orElse(""), prefix, filled ? now + STAYS_WARM : now);
  }

  /** Those who have followed long enough. */
  public List<W> overdue(long now) {
    if (led.isEmpty()) {
      return List.of();
    }
    var released = new ArrayList<W>();
    for (var entry : List.copyOf(led.entrySet())) {
      if (entry.getValue().leadUntil <= now) {
        released.addAll(release(entry.getKey(), entry.getValue(), now + STAYS_WARM));
      }
    }
    return released;
  }

  private List<W> release(String name, Prefix<W, P> prefix, long warmUntil) {
    led.remove(name);
    prefix.leader = null;
    prefix.warmUntil = warmUntil;
    warm.put(name, prefix);
    var followers = List.copyOf(prefix.followers);
    prefix.followers.clear();
    return followers;
  }

  public boolean remove(W waiter, Optional<String> name) {
    var prefix = led(name);
    return prefix != null && prefix.followers.remove(waiter);
  }

  /** Takes out everybody who follows. */
  public List<W> clear() {
    var everybody = new ArrayList<W>();
    led.values().forEach(prefix -> everybody.addAll(prefix.followers));
    led.values().forEach(prefix -> prefix.followers.clear());
    return everybody;
  }

  /** When the first of them will have followed long enough. */
  public long next() {
    long next = Long.MAX_VALUE;
    for (var prefix : led.values()) {
      next = prefix.followers.isEmpty() ? next : Math.min(next, prefix.leadUntil);
    }
    return next;
  }
}
