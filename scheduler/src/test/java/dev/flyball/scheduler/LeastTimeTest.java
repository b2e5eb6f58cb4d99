package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.limit.Seeds;
import dev.flyball.scheduler.LeastTime.Demand;
import dev.flyball.scheduler.LeastTime.Supply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeastTimeTest {
  private static final int MANY = Integer.MAX_VALUE;

  private static Demand call(double latency, long tokens) {
    return new Demand(seconds(latency), Map.of(REQUESTS, 1L, TOKENS, tokens));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  @Test
  void no_calls_take_no_time() {
    assertThat(LeastTime.of(List.of(), List.of(Supply.steady(REQUESTS, 1, 0)), 1)).isZero();
  }

  @Test
  void without_limits_it_is_the_slowest_call() {
    var calls = List.of(call(1, 1), call(3, 1), call(2, 1));
    assertThat(LeastTime.of(calls, List.of(), MANY)).isEqualTo(seconds(3));
  }

  @Test
  void identical_calls_need_what_the_burst_does_not_cover() {
    // 300 calls at 10 a second with 10 there at once: 29 s, and 0.2 s for the last.
    var calls = Collections.nCopies(300, call(0.2, 1));
    assertThat(LeastTime.of(calls, List.of(Supply.steady(REQUESTS, 10, 10)), MANY))
        .isEqualTo(seconds(29.2));
  }

  @Test
  void slots_are_a_supply_too() {
    var calls = Collections.nCopies(10, call(2, 1));
    assertThat(LeastTime.of(calls, List.of(), 4)).isEqualTo(seconds(5));
  }

  @Test
  void the_scarcest_supply_counts() {
    var calls = Collections.nCopies(100, call(1, 970));
    var supplies = List.of(Supply.steady(REQUESTS, 100, 100), Supply.steady(TOKENS, 5_000, 5_000));
    assertThat(LeastTime.of(calls, supplies, MANY)).isEqualTo(seconds(1 + 92_000 / 5_000.0));
  }

  @Test
  void a_fixed_window_gives_everything_at_its_end() {
    var window = new Supply(REQUESTS, 10, 300, false, Duration.ofSeconds(60));
    // 300 now, 600 at 60 s, 500 at 120 s.
    assertThat(LeastTime.of(Collections.nCopies(1_400, call(0.2, 1)), List.of(window), MANY))
        .isEqualTo(seconds(120.2));
    assertThat(LeastTime.of(Collections.nCopies(900, call(0.2, 1)), List.of(window), MANY))
        .isEqualTo(seconds(60.2));
    assertThat(LeastTime.of(Collections.nCopies(300, call(0.2, 1)), List.of(window), MANY))
        .isEqualTo(seconds(0.2));
  }

  @Test
  void where_debt_is_allowed_the_last_call_goes_for_nothing() {
    var debit = new Supply(TOKENS, 100, 1_000, true, Duration.ZERO);
    assertThat(LeastTime.of(Collections.nCopies(4, call(1, 500)), List.of(debit), MANY))
        .isEqualTo(seconds(1 + 500 / 100.0));
    assertThat(LeastTime.of(List.of(call(1, 9_999)), List.of(debit), MANY)).isEqualTo(seconds(1));
  }

  @Test
  void no_schedule_is_shorter() {
    Seeds.forAll(
        2_000,
        random -> {
          var calls = new ArrayList<Demand>();
          for (int i = 1 + random.nextInt(5); i > 0; i--) {
            calls.add(call(random.nextInt(1, 40) / 10.0, random.nextLong(1, 1_000)));
          }
          var supplies = new ArrayList<Supply>();
          supplies.add(supply(random));
          if (random.nextBoolean()) {
            supplies.add(Supply.steady(REQUESTS, random.nextInt(1, 20) / 10.0, random.nextInt(3)));
          }
          int slots = random.nextInt(3) == 0 ? MANY : random.nextInt(1, 4);
          double best = best(calls, supplies, slots);
          double bound = LeastTime.of(calls, supplies, slots).toNanos() / 1e9;
          assertThat(bound).isLessThanOrEqualTo(best + 1e-6);
        });
  }

  @Test
  void for_identical_calls_some_schedule_is_as_short() {
    Seeds.forAll(
        500,
        random -> {
          var calls =
              Collections.nCopies(
                  1 + random.nextInt(6),
                  call(random.nextInt(1, 40) / 10.0, random.nextLong(1, 999)));
          var supplies = List.of(supply(random));
          double best = best(calls, supplies, MANY);
          double bound = LeastTime.of(calls, supplies, MANY).toNanos() / 1e9;
          assertThat(bound).isBetween(best - 1e-6, best + 1e-6);
        });
  }

  private static Supply supply(SplittableRandom random) {
    return new Supply(
        TOKENS,
        Math.pow(10, random.nextDouble(0, 3.5)),
        random.nextInt(1_000),
        random.nextInt(3) == 0,
        random.nextInt(3) == 0 ? seconds(random.nextInt(1, 30) / 10.0) : Duration.ZERO);
  }

  /** The shortest of all orders, each call going as soon as it can. */
  private static double best(List<Demand> calls, List<Supply> supplies, int slots) {
    double best = Double.POSITIVE_INFINITY;
    for (var order : orders(calls.size())) {
      best = Math.min(best, greedy(order.stream().map(calls::get).toList(), supplies, slots));
    }
    return best;
  }

  private static List<List<Integer>> orders(int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    var all = new ArrayList<List<Integer>>();
    for (var shorter : orders(size - 1)) {
      for (int at = 0; at < size; at++) {
        var order = new ArrayList<>(shorter);
        order.add(at, size - 1);
        all.add(order);
      }
    }
    return all;
  }

  private static double greedy(List<Demand> order, List<Supply> supplies, int slots) {
    double[] free = new double[Math.min(slots, order.size())];
    double[] used = new double[supplies.size()];
    double now = 0;
    double end = 0;
    for (var call : order) {
      Arrays.sort(free);
      now = Math.max(now, free[0]);
      for (int i = 0; i < used.length; i++) {
        var supply = supplies.get(i);
        double amount = amount(call, supply);
        double needed = used[i] + (supply.debit() ? 0 : amount);
        now = Math.max(now, given(supply, needed));
        used[i] += amount;
      }
      free[0] = now + call.latency().toNanos() / 1e9;
      end = Math.max(end, free[0]);
    }
    return end;
  }

  private static double amount(Demand call, Supply supply) {
    return (double) call.amounts().getOrDefault(supply.dimension(), 0L);
  }

  /** When a supply has given so much, found by trying one moment after the other. */
  private static double given(Supply supply, double needed) {
    double level = supply.level();
    if (level >= needed) {
      return 0;
    }
    if (supply.window().isZero()) {
      return (needed - level) / supply.perSecond();
    }
    double period = supply.dimension().period().toNanos() / 1e9;
    double at = supply.window().toNanos() / 1e9;
    for (level += supply.perSecond() * period; level < needed - 1e-9; at += period) {
      level += supply.perSecond() * period;
    }
    return at;
  }
}
