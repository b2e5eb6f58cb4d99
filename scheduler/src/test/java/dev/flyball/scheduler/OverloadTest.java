package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers that say they have too much to do: some have, some mean a limit, some are down. */
class OverloadTest {
  /** A provider that serves so many at a time and turns the others away as too busy. */
  private static final class House {
    final Stage stage = new Stage();
    final List<Double> refusals = new ArrayList<>();
    final SplittableRandom random = new SplittableRandom(7);
    private final int seats;
    private final double latency;
    private final double jitter;
    private final double refusal;
    private int inside;
    private int rests;
    private double ended;

    House(int seats, double latency, double jitter, double refusal) {
      this.seats = seats;
      this.latency = latency;
      this.jitter = jitter;
      this.refusal = refusal;
    }

    Stage.Answer attempt() {
      if (inside >= seats) {
        refusals.add(stage.time().seconds());
        return new Stage.Answer(refusal, overloaded());
      }
      inside++;
      double takes = latency * (1 + jitter * (2 * random.nextDouble() - 1));
      stage.time().in(takes, this::leaves);
      return new Stage.Answer(takes, answered());
    }

    private void leaves() {
      inside--;
      ended = stage.time().seconds();
    }

    /** × the least possible time. */
    double serve(int count) {
      var roles = stage.enter(count, call("call"), n -> attempt());
      stage.finish();
      for (var event : stage.events()) {
        if (event instanceof Event.BreakerChanged(var lane, var state)) {
          rests += state == BreakerState.OPEN ? 1 : 0;
        }
      }
      assertThat(roles).allMatch(Stage.Role::done);
      Stage.assertClean(stage.flyball());
      double least = latency * count / seats;
      System.out.printf(
          "%d seats, %.2f s ± %.0f %%, refused in %.3f s: %.3f, %d refused, %d rests%n",
          seats, latency, 100 * jitter, refusal, ended / least, refusals.size(), rests);
      return ended / least;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0.2, 0,   0.2",
    "10, 0.2, 0,   0.15",
    "10, 0.2, 0.3, 0.15",
    "10, 2,   0,   2",
    "10, 2,   0.3, 1.5",
    "1,  0.2, 0.3, 0.15",
    "4,  0.2, 0.3, 0.15",
    "16, 0.2, 0.3, 0.15",
  })
  void a_provider_that_can_do_so_many_at_a_time_is_kept_busy_and_seldom_asked_for_more(
      int seats, double latency, double jitter, double refusal) {
    var house = new House(seats, latency, jitter, refusal);
    assertThat(house.serve((int) (seats * 100 / latency))).isLessThanOrEqualTo(1.05);
    // Where refusals take as long as answers, twice as many go before the first is back.
    assertThat(house.refusals).hasSizeLessThanOrEqualTo(latency < 1 ? 40 : 100);
    assertThat(house.rests).isLessThanOrEqualTo(latency < 1 ? 1 : 3);
  }

  @ParameterizedTest
  @CsvSource({
    "1,  0.2, 0.3",
    "4,  0.2, 0.3",
    "16, 0.2, 0.3",
    "10, 0.2, 0",
    "10, 2,   0.3",
  })
  void one_that_refuses_at_once_while_it_answers_others_is_a_limiter_and_never_rests(
      int seats, double latency, double jitter) {
    var house = new House(seats, latency, jitter, 0.01);
    double ratio = house.serve((int) (seats * 100 / latency));
    assertThat(house.rests).isLessThanOrEqualTo(1);
    assertThat(house.refusals).hasSizeLessThanOrEqualTo(50);
    assertThat(house.stage.lane().metrics().throttledBy()).containsKey("unstated");
    assertThat(ratio).isLessThanOrEqualTo(1.15);
  }

  @Test
  void failures_that_have_nothing_to_do_with_load_leave_room() {
    var stage = new Stage();
    var random = new SplittableRandom(3);
    int count = 6_000;
    var roles =
        stage.enter(
            count,
            call("call"),
            n ->
                new Stage.Answer(
                    0.2 + 0.1 * random.nextDouble(),
                    random.nextInt(20) == 0 ? overloaded() : answered()));
    while (Stage.ended(roles) < count && stage.time().step(1e5)) {}
    System.out.printf("one in twenty fails: %.1f a second%n", count / stage.time().seconds());
    assertThat(roles).filteredOn(Stage.Role::done).hasSizeGreaterThan(count - 10);
    assertThat(count / stage.time().seconds()).isGreaterThan(20);
  }

  @Test
  void what_a_limiter_refuses_costs_no_retry() {
    var stage = new Stage().with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    stage.enter(8, call("known"), n -> new Stage.Answer(1, answered()));
    stage.finish();
    var busy = stage.enter(20, call("busy"), n -> new Stage.Answer(1, answered()));
    var refused =
        stage.enter(call("refused"), n -> n <= 4 ? quick() : new Stage.Answer(1, answered()));
    stage.finish();
    assertThat(Stage.ended(busy)).isEqualTo(20);
    assertThat(refused.done()).isTrue();
    assertThat(stage.lane().metrics().throttled()).isEqualTo(4);
    assertThat(stage.lane().breaker()).isEqualTo(BreakerState.CLOSED);
  }

  private static Stage.Answer quick() {
    return new Stage.Answer(0.01, overloaded());
  }

  @Test
  void an_outage_in_which_everything_fails_at_once_stays_an_outage() {
    var stage = new Stage().with(builder -> builder.mostInFlight(8));
    int[] attempts = {0};
    var roles =
        stage.enter(
            500,
            call("call"),
            n -> {
              double now = stage.time().seconds();
              boolean down = now >= 10 && now < 70;
              attempts[0] += down ? 1 : 0;
              return down ? quick() : new Stage.Answer(0.5, answered());
            });
    stage.until(30);
    assertThat(stage.lane().breaker()).isNotEqualTo(BreakerState.CLOSED);
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(attempts[0]).as("sent in vain").isLessThanOrEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 5, 14, 30})
  void an_outage_that_looks_like_a_limit_at_first_slows_nobody_down_afterwards(double seconds) {
    var stage = new Stage().with(builder -> builder.mostInFlight(8));
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    var roles =
        stage.enter(
            640,
            call("call"),
            n -> {
              double now = stage.time().seconds();
              boolean down = now >= 10 && now < 10 + seconds;
              return down ? quick() : new Stage.Answer(0.5, answered());
            });
    stage.finish();
    assertThat(roles).as("with one retry each").allMatch(Stage.Role::done);
    double least = 640 * 0.5 / 8 + seconds;
    assertThat(stage.time().seconds()).isLessThan(least + 8);
  }

  @Test
  void a_wait_that_an_overload_names_pauses_the_lane_and_costs_no_retry() {
    var stage = new Stage().with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)));
    var hint = Signals.NONE.retryAfter(Duration.ofSeconds(7));
    var first =
        stage.enter(
            call("first"),
            n ->
                new Stage.Answer(
                    0.5, n <= 3 ? new Reply.Overloaded<String>("busy", hint) : answered()));
    stage.until(1);
    var later = stage.enter(call("later"), n -> new Stage.Answer(0.5, answered()));
    stage.until(7.4);
    assertThat(later.waiting().constraint()).isEqualTo(Constraint.TURN);
    assertThat(first.waiting().constraint()).isEqualTo(Constraint.PAUSE);
    stage.until(7.5);
    assertThat(first.inFlight()).isTrue();
    stage.finish();
    assertThat(first.done()).as("after three of them, with one retry").isTrue();
    assertThat(later.done()).isTrue();
  }
}
