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
final class PromptPrefixes {
  private static final long LONGEST_LEAD = 10_000_000_000L;
  private static final long STAYS_WARM = 300_000_000_000L;
  private static final int MANY = 10_000;

  private static final class Prefix {
    final List<Waiter<?>> followers = new ArrayList<>();
    @Nullable Permit<?> leader;
    long leadUntil;
    long warmUntil;
  }

  private final Map<String, Prefix> warm = new HashMap<>();
  private final Map<String, Prefix> led = new HashMap<>();

  /** Sets a call aside whose leader is on its way; false when it need not wait. */
  boolean follows(Waiter<?> waiter, long now) {
    var prefix = led(waiter);
    return prefix != null && prefix.leadUntil > now && prefix.followers.add(waiter);
  }

  private @Nullable Prefix led(Waiter<?> waiter) {
    var name = waiter.call.prefix();
    return led.isEmpty() || name.isEmpty() ? null : led.get(name.get());
  }

  /** A call goes: it leads, unless the prefix is warm or led already. */
  void admitted(Permit<?> permit, long now) {
    var name = permit.waiter.call.prefix().orElse("");
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
    var prefix = new Prefix();
    prefix.leader = permit;
    prefix.leadUntil = now + LONGEST_LEAD;
    led.put(name, prefix);
  }

  /** An attempt's headers are there, or it is over: those who follow it may go. */
  List<Waiter<?>> released(Permit<?> permit, boolean filled, long now) {
    var prefix = led(permit.waiter);
    if (prefix == null || prefix.leader != permit) {
      return List.of();
    }
    return release(permit.waiter.call.prefix().orElse(""), prefix, filled ? now + STAYS_WARM : now);
  }

  /** Those who have followed long enough. */
  List<Waiter<?>> overdue(long now) {
    if (led.isEmpty()) {
      return List.of();
    }
    var released = new ArrayList<Waiter<?>>();
    for (var entry : List.copyOf(led.entrySet())) {
      if (entry.getValue().leadUntil <= now) {
        released.addAll(release(entry.getKey(), entry.getValue(), now + STAYS_WARM));
      }
    }
    return released;
  }

  private List<Waiter<?>> release(String name, Prefix prefix, long warmUntil) {
    led.remove(name);
    prefix.leader = null;
    prefix.warmUntil = warmUntil;
    warm.put(name, prefix);
    var followers = List.copyOf(prefix.followers);
    prefix.followers.clear();
    return followers;
  }

  boolean remove(Waiter<?> waiter) {
    var prefix = led(waiter);
    return prefix != null && prefix.followers.remove(waiter);
  }

  /** Takes out everybody who follows. */
  List<Waiter<?>> clear() {
    var everybody = new ArrayList<Waiter<?>>();
    led.values().forEach(prefix -> everybody.addAll(prefix.followers));
    led.values().forEach(prefix -> prefix.followers.clear());
    return everybody;
  }

  /** When the first of them will have followed long enough. */
  long next() {
    long next = Long.MAX_VALUE;
    for (var prefix : led.values()) {
      next = prefix.followers.isEmpty() ? next : Math.min(next, prefix.leadUntil);
    }
    return next;
  }
}
