package dev.flyball.limit;

import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What an allowance makes of the replies that describe it. */
class SightingsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final List<Snapshot> SNAPSHOTS = List.of(Snapshot.values());
  private static final long DAY = 24 * 60 * MINUTE;

  private static Allowance of(Dimension dimension, long limit) {
    return new Allowance(AllowanceTerms.of(dimension).limit(limit), 0, 0);
  }

  private static Allowance unknown(Dimension dimension) {
    return new Allowance(AllowanceTerms.of(dimension), 0, 0);
  }

  private static Sighting sighting(long limit, long remaining) {
    return Sighting.of(REQUESTS, limit, remaining);
  }

  /** Of an attempt that nobody else was charged beside. */
  private static boolean sight(Allowance allowance, Sighting sighting, long now) {
    long mark = allowance.charge(0, now);
    return allowance.sighted(sighting, mark, 0, now, now);
  }

  @Test
  void what_was_charged_after_a_snapshot_at_admission_is_not_in_it() {
    var allowance = of(REQUESTS, 600);
    long first = allowance.charge(1, 0);
    for (int i = 0; i < 9; i++) {
      allowance.charge(1, 0);
    }
    allowance.sighted(sighting(600, 500).at(Snapshot.ADMISSION), first, 0, 0, SECOND);
    assertThat(allowance.level(SECOND)).as("500 + a second's refill − 9").isEqualTo(501);
  }

  @Test
  void what_was_charged_before_the_headers_were_written_is_in_them() {
    var allowance = of(REQUESTS, 600);
    long first = allowance.charge(1, 0);
    for (int i = 0; i < 9; i++) {
      allowance.charge(1, 0);
    }
    allowance.sighted(sighting(600, 500).at(Snapshot.HEADERS), first, 2, 0, SECOND);
    assertThat(allowance.level(SECOND)).as("500 − what was still on its way").isEqualTo(498);
  }

  @Test
  void an_unknown_snapshot_counts_all_charges_and_no_refill() {
    var allowance = of(REQUESTS, 600);
    long first = allowance.charge(1, 0);
    for (int i = 0; i < 9; i++) {
      allowance.charge(1, 0);
    }
    allowance.sighted(sighting(600, 500), first, 0, 0, SECOND);
    assertThat(allowance.level(SECOND)).isEqualTo(491);
  }

  @Test
  void an_older_sighting_than_the_last_is_ignored() {
    var allowance = of(REQUESTS, 600);
    long first = allowance.charge(1, 0);
    long second = allowance.charge(1, 0);
    allowance.sighted(sighting(600, 100).at(Snapshot.ADMISSION), second, 0, 0, SECOND);
    double level = allowance.level(SECOND);
    allowance.sighted(sighting(600, 599).at(Snapshot.ADMISSION), first, 0, 0, SECOND);
    assertThat(allowance.level(SECOND)).isEqualTo(level);
  }

  @Test
  void a_rounded_level_is_believed_less_half_a_step() {
    var allowance = of(TOKENS, 60_000);
    sight(allowance, Sighting.of(TOKENS, 60_000, 30_000).roundedTo(1_000), 0);
    assertThat(allowance.level(0)).isEqualTo(29_500);
  }

  @Test
  void what_went_before_the_allowance_was_known_is_taken_in() {
    var allowance = unknown(REQUESTS);
    long first = allowance.adopt(1);
    allowance.adopt(1);
    allowance.adopt(1);
    allowance.sighted(sighting(600, 599).at(Snapshot.ADMISSION), first, 0, 0, 0);
    assertThat(allowance.held()).isEqualTo(3);
    assertThat(allowance.level(0)).isEqualTo(597);
  }

  @Test
  void a_429_that_names_its_wait_says_how_much_is_there() {
    var allowance = of(TOKENS, 60_000);
    allowance.charge(5_000, 0);
    allowance.giveBack(5_000, SECOND);
    allowance.empty(5_000, 10 * SECOND, 0, SECOND);
    assertThat(allowance.availableAt(5_000, SECOND)).isEqualTo(11 * SECOND);
    assertThat(allowance.level(SECOND)).isEqualTo(5_000 - 10_000);
  }

  @Test
  void a_429_without_a_level_is_an_empty_bucket_when_it_was_sent() {
    var allowance = of(REQUESTS, 600);
    allowance.charge(1, 0);
    allowance.giveBack(1, SECOND / 2);
    allowance.empty(1, 0, 0, SECOND / 2);
    assertThat(allowance.level(SECOND / 2)).isCloseTo(5, within(1e-9));
  }

  @Test
  void others_on_the_key_subtract_themselves() {
    Seeds.forAll(
        10,
        random -> {
          var provider = new TrueBucket(10, 600, 100);
          var allowance = unknown(REQUESTS);
          play(allowance, provider, 4, 180, random);
          assertThat(allowance.perSecond()).isBetween(5.4, 6.6);
        });
  }

  @Test
  void a_bucket_that_may_have_been_full_does_not_lower_the_rate() {
    Seeds.forAll(
        10,
        random -> {
          var provider = new TrueBucket(10, 600, 600);
          var allowance = unknown(REQUESTS);
          for (int tenths = 0; tenths < 1_200; tenths += 5) {
            long now = tenths * SECOND / 10 + random.nextLong(SECOND / 10);
            long mark = allowance.charge(1, now);
            provider.take(1, now);
            allowance.sighted(
                sighting(600, provider.remaining(now)).at(Snapshot.ADMISSION), mark, 0, now, now);
            allowance.settle(1, 1, now);
          }
          assertThat(allowance.perSecond()).isCloseTo(10, within(0.1));
        });
  }

  @Test
  void the_level_is_never_thought_higher_than_it_is_while_nobody_else_uses_the_key() {
    Seeds.forAll(
        20,
        random -> {
          var provider = new TrueBucket(10, 600, random.nextDouble(10, 600));
          var allowance = unknown(REQUESTS);
          double worst = play(allowance, provider, 0, 60, random);
          assertThat(worst).as("thought too high by").isLessThan(1);
        });
  }

  /** Goes whenever it may, for some seconds; returns by how much the level was overestimated. */
  private double play(
      Allowance allowance,
      TrueBucket provider,
      double foreign,
      int seconds,
      SplittableRandom random) {
    double worst = 0;
    double debt = 0;
    for (long now = 0; now < seconds * SECOND; now += SECOND / 50) {
      for (debt += foreign / 50; debt >= 1; debt--) {
        provider.take(1, now);
      }
      boolean first = !allowance.known();
      while (allowance.availableAt(1, now) <= now && provider.remaining(now) > 0) {
        long mark = first ? allowance.adopt(1) : allowance.charge(1, now);
        provider.take(1, now);
        allowance.sighted(
            sighting(600, provider.remaining(now)).at(Snapshot.ADMISSION), mark, 0, now, now);
        allowance.settle(1, 1, now);
        worst = Math.max(worst, allowance.level(now) - provider.level(now));
        if (first || random.nextInt(50) == 0) {
          break;
        }
      }
    }
    return worst;
  }

  @Test
  void an_estimate_holds_no_longer_than_the_reset() {
    var allowance = of(REQUESTS, 2);
    allowance.charge(2, 0);
    sight(allowance, sighting(2, 0).resetIn(Duration.ofSeconds(7)), 0);
    assertThat(allowance.availableAt(1, 0)).isLessThanOrEqualTo(7 * SECOND);
  }

  @Test
  void an_estimate_holds_no_longer_than_a_period_when_no_reset_is_known() {
    var allowance = of(TOKENS, 1_000);
    allowance.charge(500_000, 0);
    assertThat(allowance.availableAt(1_000, 0)).isEqualTo(MINUTE);
    allowance.charge(1_000, MINUTE);
    assertThat(allowance.availableAt(1_000, MINUTE))
        .as("one goes and teaches")
        .isEqualTo(2 * MINUTE);
  }

  @Test
  void a_call_above_a_limit_that_fell_can_never_go() {
    var allowance = of(TOKENS, 10_000);
    assertThat(allowance.excludes(5_000)).isFalse();
    sight(allowance, Sighting.of(TOKENS, 1_000, 1_000), 0);
    assertThat(allowance.excludes(5_000)).isTrue();
    assertThat(allowance.availableAt(5_000, 0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_fixed_window_is_seen_and_spent_and_full_again_at_its_reset() {
    var allowance = unknown(REQUESTS);
    long now = 0;
    long left = 600;
    allowance.adopt(1);
    while (left > 0) {
      long mark = left == 600 ? 1 : allowance.charge(1, now);
      left--;
      var reset = Duration.ofNanos(MINUTE - now).truncatedTo(java.time.temporal.ChronoUnit.MILLIS);
      allowance.sighted(
          sighting(600, left).resetIn(reset).at(Snapshot.ADMISSION), mark, 0, now, now);
      allowance.settle(1, 1, now);
      now += SECOND / 50;
      if (left < 300) {
        assertThat(allowance.level(now))
            .as("with %s left", left)
            .isCloseTo((double) left, within(0.5));
      }
    }
    long reset = allowance.availableAt(1, now);
    assertThat(reset).isBetween(MINUTE - SECOND / 100, MINUTE + SECOND / 100);
    assertThat(allowance.level(reset)).isEqualTo(600);
    assertThat(allowance.availableAt(600, reset)).isEqualTo(reset);
  }

  @Test
  void a_bucket_is_not_taken_for_a_fixed_window() {
    var provider = new TrueBucket(10, 600, 600);
    var allowance = unknown(REQUESTS);
    long now = 0;
    for (int i = 0; i < 900; i++) {
      long mark = i == 0 ? allowance.adopt(1) : allowance.charge(1, now);
      provider.take(1, now);
      long millis = (long) Math.ceil((600 - provider.level(now)) * 100);
      allowance.sighted(
          sighting(600, provider.remaining(now))
              .resetIn(Duration.ofMillis(millis))
              .at(Snapshot.ADMISSION),
          mark,
          0,
          now,
          now);
      allowance.settle(1, 1, now);
      now += SECOND / 20;
    }
    assertThat(allowance.perSecond()).isCloseTo(10, within(0.5));
    double level = allowance.level(now);
    assertThat(allowance.level(now + 5 * SECOND)).isGreaterThan(level + 40);
  }

  /** The provider's side, with arithmetic of its own. */
  private static final class TrueBucket {
    private final double perSecond;
    private final double burst;
    private double level;
    private long at;

    TrueBucket(double perSecond, double burst, double level) {
      this.perSecond = perSecond;
      this.burst = burst;
      this.level = level;
    }

    double level(long now) {
      level = Math.min(burst, level + perSecond * (now - at) / 1e9);
      at = now;
      return level;
    }

    void take(double units, long now) {
      level = level(now) - units;
    }

    long remaining(long now) {
      return (long) Math.max(0, Math.floor(level(now) + 1e-9));
    }
  }

  /** Whatever a reply says, the lane goes on. */
  @Test
  void absurd_sightings_never_poison() {
    Seeds.forAll(
        1_000,
        random -> {
          var dimension = new Dimension("tokens", Duration.ofSeconds(1 + random.nextInt(60)));
          var terms = AllowanceTerms.of(random.nextBoolean() ? dimension : OUTPUT_TOKENS);
          var allowance = new Allowance(terms, 0, 0);
          var open = new ArrayList<long[]>();
          long now = 0;
          for (int i = 0; i < 60; i++) {
            now += absurdTime(random);
            switch (random.nextInt(6)) {
              case 0, 1 -> {
                long amount = random.nextLong(100_000);
                open.add(new long[] {amount, allowance.charge(amount, now), now});
              }
              case 2 -> {
                if (!open.isEmpty()) {
                  allowance.settle(open.removeFirst()[0], random.nextLong(100_000), now);
                }
              }
              case 3 -> allowance.empty(random.nextLong(100_000), absurdTime(random), now, now);
              default -> {
                var of = open.isEmpty() ? new long[] {0, 0, now} : open.getLast();
                allowance.sighted(absurd(terms.dimension(), random), of[1], 0, of[2], now);
              }
            }
            assertThat(allowance.level(now)).isNotNaN().isGreaterThan(Double.NEGATIVE_INFINITY);
            assertThat(allowance.ceiling()).isNotNaN().isNotNegative();
            assertThat(allowance.perSecond()).isNotNaN().isNotNegative().isFinite();
            long amount = random.nextLong(1L << random.nextInt(40));
            if (!allowance.excludes(amount)) {
              // A day, and what was charged since.
              assertThat(allowance.availableAt(amount, now) - now).isBetween(0L, DAY + 60 * MINUTE);
            }
          }
        });
  }

  private static long absurdTime(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextLong(1_000);
      case 2 -> random.nextLong(SECOND);
      default -> random.nextLong(10 * MINUTE);
    };
  }

  private static long absurdNumber(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> -random.nextLong(Long.MAX_VALUE);
      case 2 -> Long.MAX_VALUE;
      case 3 -> 1;
      case 4 -> random.nextLong(1L << random.nextInt(1, 62));
      default -> random.nextLong(100_000);
    };
  }

  private static Sighting absurd(Dimension dimension, SplittableRandom random) {
    return new Sighting(
        dimension,
        random.nextInt(4) == 0 ? OptionalLong.empty() : OptionalLong.of(absurdNumber(random)),
        random.nextInt(4) == 0 ? OptionalLong.empty() : OptionalLong.of(absurdNumber(random)),
        random.nextInt(3) == 0
            ? Optional.empty()
            : Optional.of(Duration.ofSeconds(absurdNumber(random) / 2)),
        SNAPSHOTS.get(random.nextInt(3)),
        random.nextInt(3) == 0 ? 1 : 1 + random.nextLong(1L << random.nextInt(1, 62)));
  }
}
