package dev.flyball.forecast;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The calls that are to be made, in order.
 *
 * @param calls all of them or, of very many, evenly chosen ones
 * @param total how many there are in all
 */
public record CallPlan(List<PlannedCall> calls, long total) {
  public CallPlan {
    calls = List.copyOf(calls);
    if (total < calls.size() || (calls.isEmpty() && total > 0)) {
      throw new IllegalArgumentException(
          "a plan has at least the calls that stand for it, but %d stand for %d"
              .formatted(calls.size(), total));
    }
  }

  static CallPlan of(List<PlannedCall> calls) {
    return new CallPlan(calls, calls.size());
  }

  /** How many calls each one stands for. */
  double scale() {
    return calls.isEmpty() ? 1 : (double) total / calls.size();
  }

  /** At most so many of them, evenly chosen. */
  CallPlan thinned(int most) {
    if (calls.size() <= most) {
      return this;
    }
    double step = (double) calls.size() / most;
    var some = IntStream.range(0, most).mapToObj(i -> calls.get((int) (i * step))).toList();
    return new CallPlan(some, total);
  }
}
