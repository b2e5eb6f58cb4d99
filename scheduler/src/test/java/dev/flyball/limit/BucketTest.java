package dev.flyball.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.limit.level.Bucket;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BucketTest {
  private static final long SECOND = 1_000_000_000L;

  private record Taken(long at, double units) {}

  /** So that it fills in something between ten milliseconds and a day. */
  private static double rate(double ceiling, SplittableRandom random) {
    return ceiling / Math.pow(10, random.nextDouble(7, 14));
  }

  private static double ceiling(SplittableRandom random) {
    return Math.ceil(Math.pow(10, random.nextDouble(0, 7)));
  }

  @Test
  void over_any_interval_no_more_is_taken_than_ceiling_and_refill() {
    Seeds.forAll(
        300,
        random -> {
          double ceiling = ceiling(random);
          double rate = rate(ceiling, random);
          long now = random.nextLong(1L << 50);
          var bucket = new Bucket(rate, ceiling, now);
          var taken = new ArrayList<Taken>();
          for (int i = 0; i < 200; i++) {
            double units = Math.ceil(ceiling * random.nextDouble() * random.nextDouble());
            // Whoever is greedy comes back at the very moment that was answered.
            long when = bucket.reaches(units, now);
            boolean greedy = random.nextInt(3) > 0;
            now = greedy ? when : now + random.nextLong(1 + (long) (ceiling / rate / 10));
            if (bucket.reaches(units, now) == now) {
              bucket.take(units, now);
              taken.add(new Taken(now, units));
            }
          }
          assertThat(taken).hasSizeGreaterThan(50);
          double tooMuch = 0;
          for (int from = 0; from < taken.size(); from++) {
            double sum = 0;
            for (int to = from; to < taken.size(); to++) {
              sum += taken.get(to).units();
              double most = ceiling + rate * (taken.get(to).at() - taken.get(from).at());
              tooMuch = Math.max(tooMuch, sum - most * (1 + 1e-9));
            }
          }
          assertThat(tooMuch).isLessThan(1e-3);
        });
  }

  @Test
  void the_answered_moment_is_the_first_at_which_it_is_there() {
    Seeds.forAll(
        3_000,
        random -> {
          double ceiling = ceiling(random);
          double rate = rate(ceiling, random);
          var bucket = new Bucket(rate, ceiling, 0);
          long now = random.nextLong(100 * SECOND);
          bucket.take(ceiling * random.nextDouble(0.5, 3), now);
          double units = Math.ceil(ceiling * random.nextDouble());
          long when = bucket.reaches(units, now);
          assertThat(when).isGreaterThanOrEqualTo(now);
          if (when > now) {
            double before = bucket.level(now) + rate * (when - 1 - now);
            assertThat(before).as("a nanosecond earlier").isLessThan(units + 1e-3);
            assertThat(bucket.reaches(units, when)).as("at the moment").isEqualTo(when);
          }
        });
  }

  @Test
  void giving_back_undoes_taking() {
    Seeds.forAll(
        1_000,
        random -> {
          double ceiling = ceiling(random);
          double rate = rate(ceiling, random);
          var bucket = new Bucket(rate, ceiling, 0);
          var untouched = new Bucket(rate, ceiling, 0);
          double used = ceiling * random.nextDouble(0.5, 1);
          bucket.take(used, 0);
          untouched.take(used, 0);
          double units = ceiling * random.nextDouble();
          bucket.take(units, 0);
          long later = (long) (random.nextDouble() * used / rate);
          bucket.giveBack(units, later);
          assertThat(bucket.level(later)).isCloseTo(untouched.level(later), within(1e-3));
        });
  }

  @Test
  void what_is_given_back_never_fills_it_above_the_ceiling() {
    var bucket = new Bucket(1 / 1e9, 10, 0);
    bucket.take(5, 0);
    bucket.giveBack(5, 60 * SECOND);
    assertThat(bucket.level(60 * SECOND)).isEqualTo(10);
  }

  @Test
  void a_debt_is_earned_back_before_anything_goes() {
    var bucket = new Bucket(10 / 1e9, 100, 0);
    bucket.take(150, 0);
    assertThat(bucket.level(0)).isEqualTo(-50);
    assertThat(bucket.reaches(1, 0)).isEqualTo(5_100_000_000L);
  }

  @Test
  void more_than_the_ceiling_is_never_there() {
    assertThat(new Bucket(1, 10, 0).reaches(11, 0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void without_refill_what_is_gone_stays_gone() {
    var bucket = new Bucket(0, 10, 0);
    bucket.take(10, 0);
    assertThat(bucket.reaches(1, 0)).isEqualTo(Long.MAX_VALUE);
    assertThat(bucket.reaches(0, 0)).isZero();
  }

  @Test
  void every_unit_of_refill_is_either_there_or_taken_or_lost() {
    Seeds.forAll(
        500,
        random -> {
          double ceiling = ceiling(random);
          double rate = rate(ceiling, random);
          var bucket = new Bucket(rate, ceiling, 0);
          double taken = 0;
          long now = 0;
          for (int i = 0; i < 50; i++) {
            now += random.nextLong(1 + (long) (ceiling / rate));
            double units = ceiling * random.nextDouble();
            bucket.take(units, now);
            taken += units;
          }
          double accounted = bucket.level(now) + taken + bucket.lost(now);
          assertThat(accounted).isCloseTo(ceiling + rate * now, within(1e-6 * accounted));
        });
  }

  @Test
  void a_moment_in_the_past_changes_nothing() {
    var bucket = new Bucket(1 / 1e9, 10, 10 * SECOND);
    bucket.take(5, 10 * SECOND);
    assertThat(bucket.level(3 * SECOND)).isEqualTo(5);
    assertThat(bucket.level(11 * SECOND)).isEqualTo(6);
  }

  @Test
  void a_lower_ceiling_holds_at_once() {
    var bucket = new Bucket(1 / 1e9, 100, 0);
    bucket.ceiling(20, 0);
    assertThat(bucket.level(0)).isEqualTo(20);
    bucket.believe(1e9, 0);
    assertThat(bucket.level(0)).isEqualTo(20);
  }

  @Test
  void a_new_rate_counts_from_its_moment_on() {
    var bucket = new Bucket(1 / 1e9, 100, 0);
    bucket.take(100, 0);
    bucket.rate(10 / 1e9, 5 * SECOND);
    assertThat(bucket.level(6 * SECOND)).isCloseTo(15, within(1e-9));
  }
}
