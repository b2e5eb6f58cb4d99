package dev.flyball.fleet;

import dev.flyball.call.Estimate;
import dev.flyball.scheduler.SharedLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The departures of a lane that its replica was given and has not used, and the calls that would
 * use them now: each its own, else the first that was asked for one at least as large. Under the
 * replica's lock.
 */
final class GivenDepartures {
  /**
   * One of them.
   *
   * @param at the moment from which it may be used, on this process's clock
   * @param key the attempt that it was asked for
   * @param estimate how large that was
   */
  record Given(long number, long at, AttemptKey key, Estimate estimate) {}

  private final Map<Long, Given> all = new LinkedHashMap<>();
  private final Map<AttemptKey, Given> matched = new HashMap<>();

  void add(Given departure) {
    all.put(departure.number(), departure);
  }

  void clear() {
    all.clear();
    matched.clear();
  }

  /** Gives each call in order its own, else the first of another that is large enough. */
  void match(List<SharedLimit.SharedCall> next) {
    matched.clear();
    if (all.isEmpty()) {
      return;
    }
    var free = new ArrayList<>(all.values());
    for (var call : next) {
      if (free.isEmpty()) {
        return;
      }
      var key = AttemptKey.of(call);
      var own = first(free, departure -> departure.key().equals(key));
      var taken = own == null ? first(free, departure -> fits(call, departure.estimate())) : own;
      if (taken != null) {
        free.remove(taken);
        matched.put(key, taken);
      }
    }
  }

  boolean has(AttemptKey key) {
    return matched.containsKey(key);
  }

  /** When an attempt may leave, if that is known. */
  OptionalLong moment(AttemptKey key) {
    var departure = matched.get(key);
    return departure == null ? OptionalLong.empty() : OptionalLong.of(departure.at());
  }

  /** An attempt leaves; the departure that it uses, if there is one. */
  @Nullable Given take(AttemptKey key) {
    var departure = matched.remove(key);
    if (departure != null) {
      all.remove(departure.number());
    }
    return departure;
  }

  /** Gives up those that were to be used before a moment; their numbers. */
  List<Long> late(long before) {
    List<Long> late = new ArrayList<>(0);
    for (Iterator<Given> each = all.values().iterator(); each.hasNext(); ) {
      var departure = each.next();
      if (departure.at() < before) {
        each.remove();
        late.add(departure.number());
      }
    }
    return late;
  }

  static <T> @Nullable T first(Collection<T> all, Predicate<T> fits) {
    for (var one : all) {
      if (fits.test(one)) {
        return one;
      }
    }
    return null;
  }

  /** Whether a call is no larger than there is room for. */
  static boolean fits(SharedLimit.SharedCall call, Estimate room) {
    var size = call.call().estimate();
    return size.input() <= room.input() && size.maxOutput() <= room.maxOutput();
  }
}
