package dev.flyball.worlds;

import static dev.flyball.worlds.HeaderStyle.EPOCH;
import static dev.flyball.worlds.HeaderStyle.MILLIS;
import static dev.flyball.worlds.HeaderStyle.NO_RESET;
import static dev.flyball.worlds.HeaderStyle.POLICY;
import static dev.flyball.worlds.HeaderStyle.REMAINING;
import static dev.flyball.worlds.HeaderStyle.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.LearnedLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How near the least possible time limiters let us come that tell what they do in their headers,
 * and at how many refusals: limiter × style × latency, fresh and remembering.
 */
class HeaderLimitersTest {
  private static final int SEEDS = 5;
  private static final List<Double> LATENCIES = List.of(0.02, 0.2, 0.7, 2.0);

  /** A limiter, and how many calls are sent through it. */
  private record Limited(String name, Supplier<HeaderLimiter> limiter, int calls, long tokens) {}

  /** A promise about one limiter and one way of telling. */
  record Row(Limited limited, HeaderStyle style, double latency, double ratio, int refused) {
    @Override
    public String toString() {
      return limited.name + " " + style + " " + latency + " s";
    }
  }

  private static Limited window(double limit, double span, double firstEnd, int calls) {
    var name =
        (firstEnd > 0 ? "by the clock " : "from the first call ") + limit + "/" + span + " s";
    return new Limited(name, () -> HeaderLimiter.window(limit, span, firstEnd), calls, 0);
  }

  private static final List<Limited> WINDOWS =
      List.of(
          window(100, 10, 0, 300),
          window(100, 10, 6.3, 300),
          window(50, 5, 0, 200),
          window(30, 7, 0, 120),
          window(100, 60, 0, 300),
          window(200, 60, 37, 500),
          window(200, 60, 0, 250));

  static List<Row> rows() {
    var rows = new ArrayList<Row>();
    for (double latency : LATENCIES) {
      // Two clocks a reply apart explain the same whole seconds: then the later one is waited for.
      double wholeSeconds = latency == 0.7 ? 1.11 : 1.06;
      for (var window : WINDOWS) {
        rows.add(new Row(window, MILLIS, latency, 1.05, 0));
        rows.add(new Row(window, SECONDS, latency, wholeSeconds, 0));
        // A Unix time that is rounded up may be a second late, in each window.
        rows.add(new Row(window, EPOCH, latency, 1.03 + 1 / window.limiter.get().span, 3));
      }
      rows.add(new Row(WINDOWS.get(0), POLICY, latency, 1.06, 0));
      rows.add(new Row(WINDOWS.get(1), POLICY, latency, 1.06, 0));
      rows.add(new Row(WINDOWS.get(4), POLICY, latency, 1.05, 0));
      rows.add(new Row(WINDOWS.get(0), NO_RESET, latency, 1.4, 15));
      rows.add(new Row(WINDOWS.get(4), REMAINING, latency, 1.3, 16));
      var evenly = new Limited("bucket 100/10 s", () -> HeaderLimiter.bucket(100, 10), 400, 0);
      var minute = new Limited("bucket 600/60 s", () -> HeaderLimiter.bucket(600, 60), 1200, 0);
      for (var style : HeaderStyle.values()) {
        // The first steps of a slow provider's burst, or a period that whole seconds give away.
        rows.add(new Row(evenly, style, latency, latency < 0.1 || latency == 2 ? 1.1 : 1.09, 0));
        rows.add(new Row(minute, style, latency, 1.05, 0));
      }
      var sliding = new Limited("sliding 60/60 s", () -> HeaderLimiter.sliding(60, 60), 180, 0);
      rows.add(new Row(sliding, MILLIS, latency, 1.1, 12));
      rows.add(new Row(sliding, SECONDS, latency, 1.1, 12));
      var tokens =
          new Limited("tokens 20000/10 s", () -> HeaderLimiter.bucket(20_000, 10), 150, 970);
      rows.add(new Row(tokens, MILLIS, latency, 1.05, 1));
    }
    for (double latency : new double[] {0.02, 0.2, 0.7, 2, 5}) {
      // Spent before it was heard of, and told by replies that come in another order.
      var small = new Limited("bucket 50/60 s", () -> HeaderLimiter.bucket(50, 60), 100, 0);
      double slow = latency > 2 ? 1.11 : latency > 1 ? 1.06 : 1.03;
      for (var style : List.of(SECONDS, MILLIS, EPOCH, POLICY)) {
        rows.add(new Row(small, style, latency, slow, latency > 2 ? 1 : 0));
      }
    }
    var burst = new Limited("tokens 5000/1 s", () -> HeaderLimiter.bucket(5_000, 1), 150, 970);
    rows.add(new Row(burst, MILLIS, 0.02, 1.03, 3));
    rows.add(new Row(burst, MILLIS, 0.2, 1.03, 3));
    rows.add(new Row(burst, POLICY, 0.02, 1.03, 3));
    rows.add(new Row(burst, POLICY, 0.2, 1.03, 3));
    var short1 = new Limited("bucket 50/1 s", () -> HeaderLimiter.bucket(50, 1), 1500, 0);
    for (var style : List.of(SECONDS, MILLIS, EPOCH, POLICY)) {
      rows.add(new Row(short1, style, 0.2, 1.05, 0));
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comes_near_the_least_possible_time(Row row) {
    // Before the first reply of a slow provider more go than a small window takes.
    boolean slow = row.latency == 2 && row.limited.equals(WINDOWS.get(3));
    check(row, false, row.ratio + (slow ? 0.18 : 0), row.refused + (row.latency == 2 ? 1 : 0));
  }

  /**
   * More calls are in flight than are ever there at once: they are no reason to hold all others.
   */
  @Test
  void a_burst_that_is_smaller_than_what_is_in_flight_is_refilled_meanwhile() {
    for (double[] small : new double[][] {{10, 10}, {50, 10}, {50, 20}, {200, 20}, {20, 5}}) {
      for (double latency : new double[] {0.2, 1}) {
        var limiter = HeaderLimiter.bucket(60 * small[0], 60, small[1]);
        int calls = (int) (25 * small[0]);
        var result =
            new HeaderWorld(limiter, MILLIS, latency, LearnedLimits.NONE, 3).run(calls, 600);
        assertThat(result.answered()).isEqualTo(calls);
        assertThat(result.ratio())
            .as("%s a second, burst %s, %s s", small[0], small[1], latency)
            .isLessThan(1.2);
        assertThat(result.refused()).isLessThan(calls / 50 + 10);
      }
    }
  }

  static List<Row> remembering() {
    return rows().stream()
        .filter(row -> row.latency == 0.2 && WINDOWS.contains(row.limited))
        .filter(row -> row.style != NO_RESET && row.style != REMAINING)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("remembering")
  void a_run_that_remembers_is_not_slower(Row row) {
    check(row, true, row.ratio + 0.02, row.refused + 2);
  }

  private static void check(Row row, boolean remembers, double ratio, int refused) {
    var ratios = new double[SEEDS];
    var refusals = new double[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      var memory = remembers ? run(row, LearnedLimits.NONE, seed).memory() : LearnedLimits.NONE;
      var result = run(row, memory, 100 + seed);
      assertThat(result.answered()).as("answered").isEqualTo(row.limited.calls);
      ratios[seed] = result.ratio();
      refusals[seed] = result.refused();
    }
    Arrays.sort(ratios);
    Arrays.sort(refusals);
    assertThat(ratios[SEEDS / 2]).as("× least time").isLessThanOrEqualTo(ratio);
    assertThat(refusals[SEEDS / 2]).as("refused").isLessThanOrEqualTo(refused);
    assertThat(refusals[SEEDS - 1]).as("refused at worst").isLessThan(60);
  }

  private static HeaderWorld.Result run(Row row, LearnedLimits memory, long seed) {
    return new HeaderWorld(row.limited.limiter.get(), row.style, row.latency, memory, seed)
        .ofTokens(row.limited.tokens)
        .run(row.limited.calls, 3_000);
  }

  @Test
  void the_period_of_a_window_is_found_and_not_taken_for_a_minute() {
    for (var told : List.of(SECONDS, MILLIS)) {
      for (double span : new double[] {5, 7, 10, 30}) {
        var limiter = HeaderLimiter.window(40, span, 0);
        var result = new HeaderWorld(limiter, told, 0.2, LearnedLimits.NONE, 1).run(120, 1_000);
        var learned = result.memory().of(HeaderWorld.LANE).orElseThrow().allowances();
        assertThat(learned).as("one header is one allowance").hasSize(1);
        double seconds = learned.getFirst().dimension().period().toMillis() / 1e3;
        assertThat(seconds).as("%s of %s s", told, span).isBetween(span * 0.99, span * 1.01);
      }
    }
  }

  @Test
  void refusals_that_say_how_long_to_wait_are_no_obstacle() {
    for (double latency : LATENCIES) {
      var limiter = HeaderLimiter.window(100, 10, 0);
      var result =
          new HeaderWorld(limiter, SECONDS, latency, LearnedLimits.NONE, 1)
              .withRetryAfter()
              .run(300, 1_000);
      assertThat(result.ratio()).as("at %s s", latency).isLessThan(1.06);
      assertThat(result.refused()).as("at %s s", latency).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void refusals_by_chance_do_not_add_up_where_nothing_is_ever_seen_to_be_left() {
    for (double jitter : new double[] {0, 0.02, 0.1}) {
      for (double burst : new double[] {1, 2, 5}) {
        for (double latency : new double[] {0.02, 0.2}) {
          for (int seed = 0; seed < SEEDS; seed++) {
            var limiter = HeaderLimiter.bucket(1_200, 60, burst);
            var result =
                new HeaderWorld(limiter, MILLIS, latency, LearnedLimits.NONE, seed)
                    .jittering(jitter)
                    .run(200, 1_000);
            var row = "burst %.0f, latency %s, jitter %s".formatted(burst, latency, jitter);
            assertThat(result.ratio()).as(row).isLessThan(2.4);
            assertThat(result.silence()).as(row).isLessThan(0.5);
          }
        }
      }
    }
  }

  @Test
  void nothing_stands_still_for_longer_than_the_window() {
    for (var style : HeaderStyle.values()) {
      var limiter = HeaderLimiter.window(50, 5, 0);
      var result = new HeaderWorld(limiter, style, 0.2, LearnedLimits.NONE, 3).run(200, 1_000);
      assertThat(result.silence()).as("%s", style).isLessThan(6.5);
    }
  }
}
