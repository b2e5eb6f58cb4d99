package dev.flyball.scheduler;

import dev.flyball.call.Dimension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The least time in which calls that are all there at the start can possibly end: what a run is
 * measured against. Whoever takes at least l to answer must be let in l before the end, and until
 * then a supply has given no more than its start and its refill. That holds for every l, so the
 * bound is the largest over all calls' latencies, all supplies and the slots. It is a bound: the
 * best schedule may need a little more, none needs less.
 */
public final class LeastTime {
  /**
   * The need of one call.
   *
   * @param latency how long its answer takes
   * @param amounts how much it needs of each dimension
   */
  public record Demand(Duration latency, Map<Dimension, Long> amounts) {
    /** Keeps a copy. */
    public Demand {
      amounts = Map.copyOf(amounts);
    }
  }

  /**
   * The supply of one allowance.
   *
   * @param dimension what is counted
   * @param perSecond what refills
   * @param level how much is there at the start
   * @param debit whether it needs only a level above zero, so that the last call may go into debt
   * @param window of a fixed window, the time to its first end; it gives {@code perSecond} × the
   *     dimension's period at once at each end. Zero: it refills steadily
   */
  public record Supply(
      Dimension dimension, double perSecond, double level, boolean debit, Duration window) {
    /**
     * {@return an allowance that refills steadily and allows no debt}
     *
     * @param dimension what is counted
     * @param perSecond what refills
     * @param level how much is there at the start
     */
    public static Supply steady(Dimension dimension, double perSecond, double level) {
      return new Supply(dimension, perSecond, level, false, Duration.ZERO);
    }

    /** How long until so much has been given, in seconds. */
    double earns(double amount) {
      double lacking = amount - level;
      if (lacking <= 0) {
        return 0;
      }
      if (window.isZero()) {
        return lacking / perSecond;
      }
      double period = dimension.period().toNanos() / 1e9;
      double windows = Math.ceil(lacking / (perSecond * period) - 1e-9);
      return window.toNanos() / 1e9 + (windows - 1) * period;
    }
  }

  private LeastTime() {}

  /**
   * {@return the least time in which all calls can end}
   *
   * @param demands the calls
   * @param supplies the allowances
   * @param mostInFlight how many may be in flight at one time
   */
  public static Duration of(List<Demand> demands, List<Supply> supplies, int mostInFlight) {
    var slowestFirst = new ArrayList<>(demands);
    slowestFirst.sort(Comparator.comparing(Demand::latency).reversed());
    double least = 0;
    double busy = 0;
    double[] needed = new double[supplies.size()];
    double[] largest = new double[supplies.size()];
    for (var demand : slowestFirst) {
      double latency = demand.latency().toNanos() / 1e9;
      busy += latency;
      least = Math.max(least, latency);
      for (int i = 0; i < needed.length; i++) {
        var supply = supplies.get(i);
        long amount = demand.amounts().getOrDefault(supply.dimension(), 0L);
        needed[i] += amount;
        largest[i] = Math.max(largest[i], (double) amount);
        double before = needed[i] - (supply.debit() ? largest[i] : 0);
        least = Math.max(least, latency + supply.earns(before));
      }
    }
    least = Math.max(least, busy / mostInFlight);
    return Duration.ofNanos((long) Math.ceil(least * 1e9));
  }
}
