package dev.flyball.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.gateway.http.CallerPace.Place;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.scheduler.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant's own limits, in virtual time. */
class TenantQueueTest {
  private final VirtualTime time = new VirtualTime();

  private static TenantTerms terms(long requests, long tokens, long inFlight) {
    return new TenantTerms(
        1, "normal", some(requests), some(tokens), some(inFlight), Ceiling.NONE, Ceiling.NONE);
  }

  private static OptionalLong some(long value) {
    return value == 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private TenantQueue queue(TenantTerms terms) {
    return new TenantQueue(terms, time, () -> Duration.ZERO);
  }

  /** The moments at which calls were let go, when {@code count} come at once and take no time. */
  private List<Double> moments(TenantQueue queue, int count, long tokens, double takes) {
    var went = new ArrayList<Double>();
    for (int i = 0; i < count; i++) {
      var place = new AtomicReference<Place>();
      Runnable go =
          () -> {
            went.add(time.seconds());
            time.in(takes, () -> place.get().leave(tokens));
          };
      place.set(queue.enter(go));
      if (place.get().isGranted()) {
        go.run();
      }
    }
    boolean more = true;
    while (more && went.size() < count) {
      more = time.step(1e7);
    }
    return went;
  }

  @Test
  void without_limits_everything_goes_at_once() {
    assertThat(moments(queue(TenantTerms.USUAL), 100, 500, 1)).hasSize(100).containsOnly(0.0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 60, 600})
  void in_no_minute_go_more_than_seven_sixths_of_the_limit(long perMinute) {
    var went = moments(queue(terms(perMinute, 0, 0)), (int) perMinute * 4, 0, 0.01);
    assertThat(went).hasSize((int) perMinute * 4);
    for (double from : went) {
      long inMinute = went.stream().filter(at -> at >= from && at < from + 60 - 1e-6).count();
      assertThat(inMinute).isLessThanOrEqualTo((long) (perMinute * 7 / 6.0) + 1);
    }
    assertThat(went.getLast()).as("and it is used").isLessThan(60 * 4.0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void tokens_follow_their_limit_whatever_calls_really_use(long seed) {
    var random = new SplittableRandom(seed);
    long perMinute = random.nextLong(6_000, 600_000);
    long each = random.nextLong(10, perMinute / 10);
    int count = (int) (perMinute * 10 / each);
    var went = moments(queue(terms(0, perMinute, 0)), Math.min(count, 3_000), each, 0.5);
    double minutes = went.getLast() / 60;
    double tokens = (double) each * went.size();
    assertThat(tokens / perMinute).as("used per limit and time").isLessThan(minutes + 1.2);
    assertThat(tokens / perMinute).isGreaterThan(minutes * 0.9 - 0.5);
  }

  @Test
  void no_more_are_in_flight_than_may_be() {
    var went = moments(queue(terms(0, 0, 3)), 12, 100, 10);
    assertThat(went)
        .containsExactly(0.0, 0.0, 0.0, 10.0, 10.0, 10.0, 20.0, 20.0, 20.0, 30.0, 30.0, 30.0);
  }

  @Test
  void one_that_leaves_the_line_gives_its_place_to_the_next() {
    var queue = queue(terms(0, 0, 1));
    var went = new ArrayList<String>();
    var first = queue.enter(() -> went.add("first"));
    var second = queue.enter(() -> went.add("second"));
    queue.enter(() -> went.add("third"));
    assertThat(first.isGranted()).isTrue();
    assertThat(queue.waiting()).isEqualTo(2);
    second.leave(0);
    first.leave(50);
    first.leave(50);
    assertThat(went).containsExactly("third");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void a_budget_that_is_nearly_spent_slows_calls_and_blocks_none() {
    var queue = new TenantQueue(TenantTerms.USUAL, time, () -> Duration.ofSeconds(5));
    assertThat(moments(queue, 5, 100, 0.1)).containsExactly(0.0, 5.0, 10.0, 15.0, 20.0);
  }

  @Test
  void the_soft_zone_begins_at_four_fifths_and_never_is_wider_than_half_a_minute() {
    var day = Duration.ofHours(12);
    assertThat(SoftZone.gap(0.79, 0.001, day)).isZero();
    assertThat(SoftZone.gap(1.0, 0.001, day)).as("the budget itself blocks").isZero();
    assertThat(SoftZone.gap(0.9, 0.0001, day)).isEqualTo(Duration.ofSeconds(30));
    assertThat(SoftZone.gap(0.9, 0.0001, Duration.ofMinutes(10)))
        .isBetween(Duration.ofMillis(590), Duration.ofMillis(610));
    var random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      var gap =
          SoftZone.gap(
              random.nextDouble(1.2),
              random.nextDouble(0.01),
              Duration.ofSeconds(random.nextLong(90_000)));
      assertThat(gap).isBetween(Duration.ZERO, SoftZone.WIDEST);
    }
  }
}
