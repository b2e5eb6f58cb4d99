package dev.flyball.limit;

import dev.flyball.call.Tenant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a lane that could go, in order.
 *
 * <p>Between tenants: start-time fair queueing. Each tenant has a line with a start tag; the
 * smallest tag is first, and a call that goes moves its tenant's tag on by its cost ÷ weight. A
 * tenant that was away starts at the tag that was served last, so nobody saves up. Within a line:
 * in the order that was handed in.
 *
 * @param <W> those who wait
 */
public final class FairQueue<W> {
  private static final int MANY_LINES = 4_096;

  /** The calls of one tenant. */
  private static final class Line<W> implements Iterable<W> {
    final double weight;
    final long order;
    final TreeSet<W> waiters;
    double start;

    Line(double weight, long order, Comparator<? super W> inOrder) {
      this.weight = weight;
      this.order = order;
      this.waiters = new TreeSet<>(inOrder);
    }

    @Override
    public Iterator<W> iterator() {
      return waiters.iterator();
    }

    static int inOrder(Line<?> one, Line<?> other) {
      int byStart = Double.compare(one.start, other.start);
      return byStart != 0 ? byStart : Long.compare(one.order, other.order);
    }
  }

  private final Comparator<? super W> inOrder;
  private final Function<? super W, Tenant> tenantOf;
  private final Map<String, Line<W>> lines = new HashMap<>();
  private final TreeSet<Line<W>> active = new TreeSet<>(Line::inOrder);

  /** The start tag that was served last. */
  private double served;

  /** How many lines were ever opened: equal tags go in that order. */
  private long opened;

  private int size;

  public FairQueue(Comparator<? super W> inOrder, Function<? super W, Tenant> tenantOf) {
    this.inOrder = inOrder;
    this.tenantOf = tenantOf;
  }

  public int size() {
    return size;
  }

  public void add(W waiter) {
    var line = line(tenantOf.apply(waiter));
    if (line.waiters.isEmpty()) {
      line.start = Math.max(line.start, served);
      active.add(line);
    }
    line.waiters.add(waiter);
    size++;
  }

  /** Takes a waiter out; false when it was not in. */
  public boolean remove(W waiter) {
    var line = lines.get(tenantOf.apply(waiter).name());
    if (line == null || !line.waiters.remove(waiter)) {
      return false;
    }
    size--;
    if (line.waiters.isEmpty()) {
      active.remove(line);
    }
    return true;
  }

  public @Nullable W head() {
    return active.isEmpty() ? null : active.first().waiters.first();
  }

  /** The calls of each tenant in order, and the tenants in order. */
  public Iterable<? extends Iterable<W>> lines() {
    return active;
  }

  /** A call of this tenant goes. */
  public void charge(Tenant tenant, long cost) {
    var line = line(tenant);
    served = Math.max(served, active.isEmpty() ? line.start : active.first().start);
    move(line, Math.max(line.start, served) - line.start + cost / line.weight);
  }

  /** A call of this tenant has cost so much more, or less, than was thought. */
  public void correct(Tenant tenant, long more) {
    var line = lines.get(tenant.name());
    if (line != null) {
      move(line, more / line.weight);
    }
  }

  private void move(Line<W> line, double by) {
    active.remove(line);
    line.start += by;
    if (!line.waiters.isEmpty()) {
      active.add(line);
    }
  }

  private Line<W> line(Tenant tenant) {
    var line = lines.get(tenant.name());
    if (line == null || (line.weight != tenant.weight() && line.waiters.isEmpty())) {
      if (lines.size() >= MANY_LINES) {
        lines.values().removeIf(idle -> idle.waiters.isEmpty() && idle.start <= served);
      }
      line = new Line<>(tenant.weight(), opened++, inOrder);
      line.start = served;
      lines.put(tenant.name(), line);
    }
    return line;
  }
}
