package dev.flyball.bench.limiters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.bench.limiters.TrueRule.Bucket;
import dev.flyball.bench.limiters.TrueRule.Changed;
import dev.flyball.bench.limiters.TrueRule.FixedWindow;
import dev.flyball.bench.limiters.TrueRule.InFlight;
import dev.flyball.bench.limiters.TrueRule.SlidingWindow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The least times, held against limiters that are asked every millisecond. */
final class TrueRuleTest {
  private static final Duration LATENCY = Duration.ofMillis(200);
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @SuppressWarnings("UnusedVariable") // Named in an annotation.
  private static final List<LimiterRow> ROWS = LimiterRows.ALL;

  /** Whether a unit is let in at a millisecond; then it counts. */
  private interface Gate {
    boolean admits(long now);
  }

  /** What a client needs that asks every millisecond, if what is refused does not count. */
  private static double greedy(int units, Gate gate) {
    int left = units;
    for (long now = 0; now < 100_000; now++) {
      while (gate.admits(now)) {
        if (--left == 0) {
          return (now + LATENCY.toMillis()) / 1e3;
        }
      }
    }
    throw new AssertionError("still " + left + " to go");
  }

  private static double seconds(TrueRule rule, int units) {
    return rule.least(units, LATENCY).toNanos() / 1e9;
  }

  /** nginx keeps thousandths of calls, and lets the first one in whatever it holds. */
  private static final class Leaking implements Gate {
    private long excess;
    private long last = -1;
    private long rate;
    private final long burst;

    Leaking(long rate, long burst) {
      this.rate = rate;
      this.burst = burst;
    }

    @Override
    public boolean admits(long now) {
      long next = last < 0 ? 0 : Math.max(0, excess - rate * (now - last) + 1_000);
      if (next > burst * 1_000) {
        return false;
      }
      excess = next;
      last = now;
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 10, 300", "10, 0, 250", "2, 0, 50", "100, 50, 2500", "10, 10, 5"})
  void a_bucket_is_as_fast_as_nginx_counts(int perSecond, int burst, int units) {
    assertThat(seconds(new Bucket(perSecond, burst), units))
        .isEqualTo(greedy(units, new Leaking(perSecond, burst)), within(0.01));
  }

  @ParameterizedTest
  @CsvSource({"5, 200", "20, 500", "5, 100"})
  void a_bucket_that_changes_keeps_its_level(int later, int units) {
    var leaking = new Leaking(10, 10);

    double fastest =
        greedy(
            units,
            now -> {
              leaking.rate = now > 10_000 ? later : 10;
              return leaking.admits(now);
            });

    assertThat(seconds(new Changed(new Bucket(10, 10), new Bucket(later, 10), TEN_SECONDS), units))
        .isEqualTo(fastest, within(0.1));
  }

  @ParameterizedTest
  @CsvSource({"300, 20.2", "301, 30.2", "100, 0.2", "1, 0.2"})
  void a_window_is_spent_at_its_beginning(int units, double seconds) {
    assertThat(seconds(new FixedWindow(100, TEN_SECONDS, Duration.ZERO), units)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({"300", "250", "101", "100", "40"})
  void a_sliding_window_is_as_fast_as_haproxy_counts(int units) {
    var haproxy =
        new Gate() {
          private long start;
          private long before;
          private long current;

          @Override
          public boolean admits(long now) {
            if (now - start >= 10_000) {
              before = current;
              current = 0;
              start += 10_000;
            }
            long shared = before * (start + 10_000 - now) / 10_000;
            if (current + 1 + shared > 100) {
              return false;
            }
            current++;
            return true;
          }
        };

    assertThat(seconds(new SlidingWindow(100, TEN_SECONDS), units))
        .isEqualTo(greedy(units, haproxy), within(0.15));
  }

  @Test
  void slots_are_filled_again_as_they_come_back() {
    assertThat(seconds(new InFlight(4), 400)).isEqualTo(20);
    assertThat(seconds(new InFlight(4), 401)).isEqualTo(20.2, within(1e-9));
  }

  @Test
  void a_block_may_silence_a_window_for_longer_than_it_is() {
    var window = Duration.ofSeconds(5);

    assertThat(new FixedWindow(50, window, TEN_SECONDS).span()).isEqualTo(TEN_SECONDS);
    assertThat(new FixedWindow(50, window, Duration.ZERO).span()).isEqualTo(window);
  }

  @ParameterizedTest
  @FieldSource("ROWS")
  void every_row_takes_twenty_seconds_to_a_minute_at_best(LimiterRow row) {
    assertThat(row.least()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(61));
  }

  @Test
  void calls_that_are_charged_by_tokens_take_as_long_as_their_tokens() {
    var row =
        LimiterRows.ALL.stream()
            .filter(each -> each.name().equals("rlf-tokens"))
            .findFirst()
            .orElseThrow();

    assertThat(row.least()).isEqualTo(Duration.ofMillis(20_200));
    assertThat(row.lines().get(2)).contains("\"max_completion_tokens\":140");
  }
}
