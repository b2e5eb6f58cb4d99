package dev.flyball.scheduler;

import dev.flyball.call.Tenant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a lane that could go, in order.
 *
 * <p>Between tenants: start-time fair queueing. Each tenant has a line with a start tag; the
 * smallest tag is first, and a call that goes moves its tenant's tag on by its cost ÷ weight. A
 * tenant that was away starts at the tag that was served last, so nobody saves up. Within a line:
 * by arrival + patience, then by number.
 *
 * <p>A call that does not fit yet may be overtaken by smaller ones, at most {@value #DEEP} places
 * deep, until these have used as much as it needs: then nothing passes it. So a call of a tokens,
 * on a lane that earns r a second, waits at most 2a ÷ r longer than its turn.
 */
final class WaitingQueue {
  static final int DEEP = 32;
  private static final int MANY_LINES = 4_096;

  /** The calls of one tenant. */
  static final class Line {
    final double weight;
    final long order;
    final TreeSet<Waiter<?>> waiters = new TreeSet<>(Waiter::inOrder);
    double start;

    Line(double weight, long order) {
      this.weight = weight;
      this.order = order;
    }

    static int inOrder(Line one, Line other) {
      int byStart = Double.compare(one.start, other.start);
      return byStart != 0 ? byStart : Long.compare(one.order, other.order);
    }
  }

  private final Map<String, Line> lines = new HashMap<>();
  private final TreeSet<Line> active = new TreeSet<>(Line::inOrder);
  private double served;
  private long opened;
  private int size;

  int size() {
    return size;
  }

  void add(Waiter<?> waiter) {
    var line = line(waiter.call.tenant());
    if (line.waiters.isEmpty()) {
      line.start = Math.max(line.start, served);
      active.add(line);
    }
    line.waiters.add(waiter);
    size++;
  }

  /** Takes a waiter out; false when it was not in. */
  boolean remove(Waiter<?> waiter) {
    var line = lines.get(waiter.call.tenant().name());
    if (line == null || !line.waiters.remove(waiter)) {
      return false;
    }
    size--;
    if (line.waiters.isEmpty()) {
      active.remove(line);
    }
    return true;
  }

  @Nullable Waiter<?> head() {
    return active.isEmpty() ? null : active.first().waiters.first();
  }

  Iterable<Line> lines() {
    return active;
  }

  /** A call of this tenant goes. */
  void charge(Tenant tenant, long cost) {
    var line = line(tenant);
    served = Math.max(served, active.isEmpty() ? line.start : active.first().start);
    move(line, Math.max(line.start, served) - line.start + cost / line.weight);
  }

  /** A call of this tenant has cost so much more, or less, than was thought. */
  void correct(Tenant tenant, long more) {
    var line = lines.get(tenant.name());
    if (line != null) {
      move(line, more / line.weight);
    }
  }

  private void move(Line line, double by) {
    active.remove(line);
    line.start += by;
    if (!line.waiters.isEmpty()) {
      active.add(line);
    }
  }

  private Line line(Tenant tenant) {
    var line = lines.get(tenant.name());
    if (line == null || (line.weight != tenant.weight() && line.waiters.isEmpty())) {
      if (lines.size() >= MANY_LINES) {
        lines.values().removeIf(idle -> idle.waiters.isEmpty() && idle.start <= served);
      }
      line = new Line(tenant.weight(), opened++);
      line.start = served;
      lines.put(tenant.name(), line);
    }
    return line;
  }
}
