package dev.flyball.simulator.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The level of a bucket, exact to its smallest part. */
final class BucketTest {
  @Test
  void a_bucket_after_many_small_steps_is_the_bucket_after_one_large_step() {
    Limit limit = Limit.of(new Rate(Dimension.TOKENS, 999_983, Duration.ofDays(1)));
    Bucket small = new Bucket(limit, 0);
    Bucket large = new Bucket(limit, 0);
    small.take(500_000, 0);
    large.take(500_000, 0);
    Random random = new Random(1);
    long now = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(100_000);
      small.level(now);
    }
    assertThat(small.seen(0, now)).isEqualTo(large.seen(0, now));
    assertThat(small.level(now)).isEqualTo(large.level(now));
  }

  @Test
  void a_day_may_have_many_tokens() {
    Limit limit = Limit.of(Rate.parse("tokens=15_000_000_000/day"));

    assertThat(new Bucket(limit, 0).level(0)).isEqualTo(15_000_000_000L);
  }

  @Test
  void a_bucket_that_changes_keeps_its_fraction() {
    Bucket bucket = new Bucket(Limit.of(Rate.parse("requests=60/min")), 0);
    bucket.take(60, 0);
    bucket.become(Limit.of(Rate.parse("requests=120/min")), 500_000);

    assertThat(bucket.until(1, 500_000)).isEqualTo(250_000);
  }
}
