package dev.flyball.scheduler;

import dev.flyball.call.Tenant;
import dev.flyball.limit.FairQueue;
import dev.flyball.limit.PromptPrefixes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a lane that wait. Each is in exactly one place: in order, among those that could go;
 * pausing before a retry; behind a prompt-cache leader; or without room in its budget until
 * something settles there. Those with a deadline are in a list by that too.
 *
 * <p>A call that does not fit yet may be overtaken by smaller ones, at most {@value #DEEP} places
 * deep, until these have used as much as it needs: then nothing passes it. So a call of a tokens,
 * on a lane that earns r a second, waits at most 2a ÷ r longer than its turn.
 */
final class WaitingCalls {
  static final int DEEP = 32;
  private static final int MOST_LOOKED_AT = 256;

  private final FairQueue<Waiter<?>> queue =
      new FairQueue<>(Waiter::inOrder, waiter -> waiter.call.tenant());
  private final PriorityQueue<Waiter<?>> pausing =
      new PriorityQueue<>((one, other) -> Long.compare(one.waitsUntil, other.waitsUntil));
  private final PromptPrefixes<Waiter<?>, Permit<?>> prefixes = new PromptPrefixes<>();
  private final Set<Waiter<?>> unaffordable = new LinkedHashSet<>();
  private final TreeSet<Waiter<?>> byDeadline = new TreeSet<>(Waiter::byDeadline);
  private int count;

  int count() {
    return count;
  }

  /** Whether nobody is in order, so that whoever comes is first. */
  boolean nobodyInOrder() {
    return queue.size() == 0;
  }

  int inOrder() {
    return queue.size();
  }

  @Nullable Waiter<?> head() {
    return queue.head();
  }

  /** The call that will be looked at next, for people. */
  @Nullable Waiter<?> next() {
    var head = queue.head();
    return head == null ? pausing.peek() : head;
  }

  /** Those in order, tenant by tenant. */
  Iterable<? extends Iterable<Waiter<?>>> lines() {
    return queue.lines();
  }

  /** The first few in order. */
  List<Waiter<?>> firstFew(int most) {
    var few = new ArrayList<Waiter<?>>(Math.min(most, queue.size()));
    for (var line : queue.lines()) {
      for (var waiter : line) {
        if (few.size() >= most) {
          return few;
        }
        few.add(waiter);
      }
    }
    return few;
  }

  /** About how many go before a call, and the first few of those of its tenant. */
  int ahead(Tenant tenant, Predicate<Waiter<?>> before, List<Waiter<?>> few) {
    return queue.ahead(tenant, before, few, MOST_LOOKED_AT);
  }

  /** Gives a call its place, or its place back: in order, unless it pauses first. */
  void add(Waiter<?> waiter, boolean pauses) {
    count++;
    waiter.stands = true;
    if (waiter.isBounded()) {
      byDeadline.add(waiter);
    }
    if (pauses) {
      pausing.add(waiter);
    } else {
      queue.add(waiter);
    }
  }

  /** Takes a call out of the order until the moment it waits for. */
  void pause(Waiter<?> waiter) {
    queue.remove(waiter);
    pausing.add(waiter);
  }

  /** Takes a call out of the order until something settles in its budget. */
  void cannotAfford(Waiter<?> waiter) {
    queue.remove(waiter);
    unaffordable.add(waiter);
  }

  /** Takes a call out of the order whose prompt-cache leader is on its way; false if none is. */
  boolean follows(Waiter<?> waiter, long now) {
    return prefixes.follows(waiter, waiter.call.prefix(), now) && queue.remove(waiter);
  }

  /** Something settled in a budget: whoever waits for room there is in order again. */
  void mayAfford() {
    unaffordable.forEach(queue::add);
    unaffordable.clear();
  }

  /** Whoever paused or followed for long enough is in order again. */
  void resume(long now) {
    prefixes.overdue(now).forEach(queue::add);
    while (!pausing.isEmpty() && pausing.peek().waitsUntil <= now) {
      queue.add(pausing.remove());
    }
  }

  /** The first of those who pause for that reason is in order again; the moment has come early. */
  void resumeOne(Constraint reason) {
    Waiter<?> first = null;
    for (var waiter : pausing) {
      if (waiter.waitsFor.equals(reason) && (first == null || Waiter.inOrder(waiter, first) < 0)) {
        first = waiter;
      }
    }
    if (first != null) {
      pausing.remove(first);
      queue.add(first);
    }
  }

  /** Takes out a call whose time is over. */
  @Nullable Waiter<?> removeLate(long now) {
    if (byDeadline.isEmpty() || byDeadline.first().latest() > now) {
      return null;
    }
    var late = byDeadline.first();
    remove(late);
    return late;
  }

  void remove(Waiter<?> waiter) {
    boolean found =
        queue.remove(waiter)
            || pausing.remove(waiter)
            || unaffordable.remove(waiter)
            || prefixes.remove(waiter, waiter.call.prefix());
    assert found : "a waiter is in exactly one place";
    if (waiter.isBounded()) {
      byDeadline.remove(waiter);
    }
    waiter.stands = false;
    count--;
  }

  List<Waiter<?>> removeAll() {
    var everybody = new ArrayList<Waiter<?>>(count);
    for (var head = queue.head(); head != null; head = queue.head()) {
      queue.remove(head);
      everybody.add(head);
    }
    everybody.addAll(pausing);
    everybody.addAll(unaffordable);
    everybody.addAll(prefixes.clear());
    pausing.clear();
    unaffordable.clear();
    byDeadline.clear();
    count = 0;
    everybody.forEach(waiter -> waiter.stands = false);
    return everybody;
  }

  /** An attempt goes: its tenant's share is used, and it may lead others. */
  void went(Permit<?> permit, long now) {
    queue.charge(permit.waiter.call.tenant(), permit.cost);
    prefixes.admitted(permit, permit.waiter.call.prefix(), now);
  }

  /** An attempt has used so many tokens. */
  void used(Permit<?> permit, long tokens) {
    queue.correct(permit.waiter.call.tenant(), tokens - permit.cost);
  }

  /** An attempt's headers are there, or it is over: those who follow it are in order again. */
  void released(Permit<?> leader, boolean filled, long now) {
    prefixes.released(leader, leader.waiter.call.prefix(), filled, now).forEach(queue::add);
  }

  /** The next moment at which a call is in order again by itself. */
  long nextMoment() {
    long next = prefixes.next();
    return pausing.isEmpty() ? next : Math.min(next, pausing.peek().waitsUntil);
  }

  long nextDeadline() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().latest();
  }
}
