package dev.flyball.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which prompt prefixes the provider's cache holds. Of the calls that share one, the first to be
 * admitted leads; the others follow when its response headers are there, at the latest after 10 s.
 */
final class Prefixes {
  private static final long LONGEST_LEAD = 10_000_000_000L;
  private static final long STAYS_WARM = 300_000_000_000L;
  private static final int MANY = 10_000;

  private static final class Prefix {
    final List<Waiter<?>> followers = new ArrayList<>();
    @Nullable Permit<?> leader;
    long leadUntil;
    long warmUntil = Long.MIN_VALUE;
  }

  private final Map<String, Prefix> all = new HashMap<>();
  private final Map<String, Prefix> leading = new HashMap<>();

  /** Sets a call aside whose leader is on its way; false when it need not wait. */
  boolean follows(Waiter<?> waiter, long now) {
    var name = waiter.call.cachePrefix();
    var prefix = name.isEmpty() || leading.isEmpty() ? null : leading.get(name.get());
    if (prefix == null || prefix.leadUntil <= now) {
      return false;
    }
    prefix.followers.add(waiter);
    return true;
  }

  /** A call goes: it leads, unless the prefix is warm. */
  void admitted(Permit<?> permit, long now) {
    var name = permit.waiter.call.cachePrefix();
    if (name.isEmpty()) {
      return;
    }
    if (all.size() >= MANY) {
      all.values().removeIf(cold -> cold.leader == null && cold.warmUntil <= now);
    }
    var prefix = all.computeIfAbsent(name.get(), unused -> new Prefix());
    if (prefix.leader != null || prefix.warmUntil > now) {
      prefix.warmUntil = Math.max(prefix.warmUntil, now + STAYS_WARM);
      return;
    }
    prefix.leader = permit;
    prefix.leadUntil = now + LONGEST_LEAD;
    leading.put(name.get(), prefix);
  }

  /** An attempt's headers are there, or it is over: those who follow it may go. */
  List<Waiter<?>> released(Permit<?> permit, boolean filled, long now) {
    var name = permit.waiter.call.cachePrefix();
    var prefix = name.isEmpty() ? null : leading.get(name.get());
    if (prefix == null || prefix.leader != permit) {
      return List.of();
    }
    return release(name.get(), prefix, filled ? now + STAYS_WARM : now);
  }

  /** Those who have followed long enough. */
  List<Waiter<?>> overdue(long now) {
    if (leading.isEmpty()) {
      return List.of();
    }
    var released = new ArrayList<Waiter<?>>();
    for (var entry : List.copyOf(leading.entrySet())) {
      if (entry.getValue().leadUntil <= now) {
        released.addAll(release(entry.getKey(), entry.getValue(), now + STAYS_WARM));
      }
    }
    return released;
  }

  private List<Waiter<?>> release(String name, Prefix prefix, long warmUntil) {
    leading.remove(name);
    prefix.leader = null;
    prefix.warmUntil = warmUntil;
    var followers = List.copyOf(prefix.followers);
    prefix.followers.clear();
    return followers;
  }

  boolean remove(Waiter<?> waiter) {
    var name = waiter.call.cachePrefix();
    var prefix = name.isEmpty() ? null : leading.get(name.get());
    return prefix != null && prefix.followers.remove(waiter);
  }

  List<Waiter<?>> clear() {
    var everybody = new ArrayList<Waiter<?>>();
    leading.values().forEach(prefix -> everybody.addAll(prefix.followers));
    leading.values().forEach(prefix -> prefix.followers.clear());
    return everybody;
  }

  long next() {
    long next = Long.MAX_VALUE;
    for (var prefix : leading.values()) {
      next = prefix.followers.isEmpty() ? next : Math.min(next, prefix.leadUntil);
    }
    return next;
  }
}
