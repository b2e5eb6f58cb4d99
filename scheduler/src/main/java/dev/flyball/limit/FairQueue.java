package dev.flyball.limit;

import dev.flyball.call.Tenant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
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

  /**
   * About how many go before a call of a tenant: those of its own line that are before it, and of
   * the others as many as their weights let go meanwhile.
   *
   * @param before whether one of its line is before it
   * @param few gets the first of those
   * @param most how many are looked at; beyond that all of the line count
   */
  public int ahead(Tenant tenant, Predicate<? super W> before, List<? super W> few, int most) {
    var own = lines.get(tenant.name());
    var line = own == null ? List.<W>of() : own.waiters;
    long ofOwn = 0;
    for (var waiter : line) {
      if (!before.test(waiter)) {
        break;
      }
      if (++ofOwn > most) {
        ofOwn = line.size() - 1L;
        break;
      }
      few.add(waiter);
    }
    double ahead = ofOwn;
    int looked = 0;
    for (var other : active) {
      if (other != own && ++looked <= most) {
        double share = (ofOwn + 1) * other.weight / tenant.weight();
        ahead += Math.min(other.waiters.size(), Math.floor(share));
      }
    }
    return (int) Math.min(ahead, size);
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
