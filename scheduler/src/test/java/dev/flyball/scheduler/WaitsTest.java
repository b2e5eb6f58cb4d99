package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.limit.Seeds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lane does when the provider says to wait, or only says no. */
class WaitsTest {
  private static final LaneId OTHER = LaneId.of("stage", "other");
  private static final double DAY = 86_400;

  @RegisterExtension final Stage stage = new Stage();

  private static Signals hint(double seconds) {
    return Signals.NONE.retryAfter(Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  @Test
  void an_unattributed_429_pauses_the_whole_lane_and_no_other() {
    var first = stage.enter(call("first"));
    first.reply(throttled(hint(7)));
    var later = stage.enter(call("later"));
    assertThat(first.waiting())
        .isEqualTo(
            new Admission.Wait<String>(Constraint.PAUSE, Optional.of(Duration.ofSeconds(7))));
    assertThat(later.waiting())
        .isEqualTo(new Admission.Wait<String>(Constraint.TURN, Optional.empty()));
    assertThat(stage.enter(call(OTHER, "elsewhere")).inFlight()).isTrue();
    stage.until(6.999);
    assertThat(first.waits()).isTrue();
    assertThat(later.waits()).isTrue();
    stage.until(7);
    assertThat(first.inFlight()).isTrue();
  }

  @Test
  void a_throttled_call_keeps_its_place() {
    stage.with(builder -> builder.mostInFlight(1));
    var roles = stage.enter(3, call("call"));
    roles.get(0).reply(throttled(hint(7)));
    stage.until(8);
    assertThat(roles.get(0).inFlight()).isTrue();
    assertThat(roles.get(1).waits()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {24, 25, 24 * 7, 24 * 366})
  void a_hint_of_days_is_believed_as_it_is(long hours) {
    stage.with(builder -> builder.maxWait(ChronoUnit.FOREVER.getDuration()));
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofHours(hours))));
    stage.until(hours * 3_600.0 - 1);
    assertThat(role.waits()).isTrue();
    stage.until(hours * 3_600.0 + 1);
    assertThat(role.inFlight()).isTrue();
  }

  @Test
  void where_nobody_waits_for_days_the_moment_to_resume_is_the_one_that_was_hinted() {
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofDays(7))));
    assertThat(role.refusal()).isEqualTo(new Refusal.Parked(Duration.ofDays(7)));
  }

  @ParameterizedTest
  @ValueSource(longs = {24 * 367, 24 * 10_000})
  void a_hint_of_years_is_none(long hours) {
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofHours(hours))));
    stage.until(60);
    assertThat(role.inFlight()).as("it is tried again within a minute").isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -100_000_000_000L, Long.MIN_VALUE})
  void a_hint_of_nothing_or_less_is_none(long seconds) {
    var role = stage.enter(call("call"));
    role.reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(seconds))));
    stage.until(60);
    assertThat(role.inFlight()).as("it is tried again within a minute").isTrue();
  }

  @Test
  void a_named_dimension_holds_that_size_and_larger_and_lets_smaller_ones_go() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000));
    var large = stage.enter(call("large", 5_000));
    large.reply(throttled(hint(2).exceeding(INPUT_TOKENS)));
    var larger = stage.enter(call("larger", 6_000));
    var small = stage.enter(call("small", 100));
    assertThat(large.waits()).isTrue();
    assertThat(larger.waits()).isTrue();
    assertThat(small.inFlight()).isTrue();
    small.reply(answered(100, 0));
    stage.until(1.999);
    assertThat(large.waits()).isTrue();
    stage.until(62);
    assertThat(large.inFlight()).isTrue();
  }

  @Test
  void a_named_output_limit_holds_every_call() {
    stage.knowing(AllowanceTerms.of(OUTPUT_TOKENS).limit(60_000));
    var first = stage.enter(call("first").estimated(Estimate.of(10, 500)));
    first.reply(throttled(hint(3).exceeding(OUTPUT_TOKENS)));
    var second = stage.enter(call("second").estimated(Estimate.of(10, 1)));
    stage.until(2.99);
    assertThat(first.waits()).isTrue();
    assertThat(second.waits()).isTrue();
  }

  @Test
  void a_named_dimension_that_nobody_knows_pauses_the_lane() {
    var roles = stage.enter(2, call("call"));
    roles.get(0).reply(throttled(hint(3).exceeding(INPUT_TOKENS)));
    assertThat(stage.enter(call("later")).waits()).isTrue();
    stage.until(2.99);
    assertThat(roles.get(0).waits()).isTrue();
  }

  @Test
  void a_429_whose_headers_show_what_is_lacking_is_attributed() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000));
    var large = stage.enter(call("large", 5_000));
    var lacking =
        Signals.of(Sighting.of(INPUT_TOKENS, 60_000, 1_000).at(Snapshot.HEADERS))
            .retryAfter(Duration.ofSeconds(4));
    large.reply(throttled(lacking));
    assertThat(stage.lane().metrics().throttledBy()).containsOnlyKeys("input_tokens");
    assertThat(stage.enter(call("small", 500)).inFlight()).isTrue();
    stage.until(3.99);
    assertThat(large.waits()).isTrue();
  }

  @Test
  void throttles_are_counted_by_dimension() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000));
    var replies =
        List.of(
            throttled(hint(1).exceeding(INPUT_TOKENS)),
            throttled(hint(1).exceeding(INPUT_TOKENS)),
            throttled(hint(1)),
            throttled(hint(1).tooFast()),
            answered());
    var role = stage.enter(call("call", 10), n -> new Stage.Answer(0.1, replies.get(n - 1)));
    stage.finish();
    assertThat(role.done()).isTrue();
    var metrics = stage.lane().metrics();
    assertThat(metrics.throttled()).isEqualTo(4);
    assertThat(metrics.throttledBy())
        .containsOnly(
            java.util.Map.entry("input_tokens", 2L),
            java.util.Map.entry("unstated", 1L),
            java.util.Map.entry("acceleration", 1L));
    assertThat(metrics.retried()).isEqualTo(4);
    assertThat(metrics.attempts()).isEqualTo(5);
  }

  @Test
  void waits_for_the_rate_limit_do_not_count_as_retries() {
    var forEver = ChronoUnit.FOREVER.getDuration();
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(1)).maxWait(forEver));
    var role =
        stage.enter(
            call("call"), n -> new Stage.Answer(0.1, n <= 20 ? throttled(hint(1)) : answered()));
    stage.finish();
    assertThat(role.outcome()).isInstanceOf(Outcome.Done.class);
    assertThat(role.admitted()).hasSize(21);
  }

  @Test
  void waits_for_the_rate_limit_count_against_the_deadline() {
    var role =
        stage.enter(
            call("call").within(Duration.ofSeconds(10)),
            n -> new Stage.Answer(0.1, throttled(hint(3))));
    stage.finish();
    assertThat(role.refusal()).isEqualTo(new Refusal.TooLate(Duration.ofSeconds(10)));
    assertThat(role.admitted()).hasSize(4);
  }

  @Test
  void with_no_retries_a_429_is_final() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(0)));
    var role = stage.enter(call("call"));
    role.reply(throttled(hint(1)));
    assertThat(role.gaveUp()).contains("rate limited", "maxRetries");
    assertThat(role.admitted()).hasSize(1);
  }

  @Test
  void an_overload_that_names_its_wait_is_not_tried_earlier() {
    var role = stage.enter(call("call"));
    role.reply(new Reply.Overloaded<>("busy", hint(90)));
    stage.until(89.9);
    assertThat(role.waits()).isTrue();
    stage.until(90);
    assertThat(role.inFlight()).isTrue();
  }

  /** Whatever was hinted to whom, in any order. */
  @Test
  void nothing_goes_before_the_moment_that_was_hinted() {
    Seeds.forAll(
        100,
        random -> {
          var world = new Stage();
          var roles = new ArrayList<Stage.Role>();
          double[] pausedUntil = {0};
          for (int i = 0; i < 30; i++) {
            var roleCall = call("call-" + i);
            world
                .time()
                .in(
                    random.nextDouble() * 20,
                    () ->
                        roles.add(
                            world.enter(
                                roleCall,
                                n -> {
                                  assertThat(world.time().seconds())
                                      .isGreaterThanOrEqualTo(pausedUntil[0] - 1e-6);
                                  double wait = random.nextDouble() * 5;
                                  boolean throttled = n < 4 && random.nextInt(3) == 0;
                                  double trip = random.nextDouble();
                                  if (throttled) {
                                    world
                                        .time()
                                        .in(
                                            trip,
                                            () ->
                                                pausedUntil[0] =
                                                    Math.max(
                                                        pausedUntil[0],
                                                        world.time().seconds() + wait));
                                  }
                                  return new Stage.Answer(
                                      trip, throttled ? throttled(hint(wait)) : answered());
                                })));
          }
          world.finish();
          assertThat(Stage.ended(roles)).isEqualTo(30);
          Stage.assertClean(world.flyball());
        });
  }

  /** Zero, negative, huge, in the past: whatever replies say, the lane goes on. */
  @Test
  void absurd_answers_never_stop_a_lane() {
    Seeds.forAll(
        60,
        random -> {
          var world = new Stage();
          var roles =
              world.enter(
                  25,
                  call("call").estimated(Estimate.of(random.nextInt(2_000), 500)),
                  n ->
                      new Stage.Answer(
                          random.nextDouble(),
                          Reply.answered(
                              "ok", Usage.of(random.nextInt(2_000), 100), absurd(random))));
          double last = 0;
          int steps = 0;
          while (Stage.ended(roles) < 25) {
            assertThat(steps++).as("steps without an end").isLessThan(10_000);
            assertThat(world.time().step(1e9)).as("something is still to come").isTrue();
            assertThat(world.time().seconds() - last).as("a wait").isLessThanOrEqualTo(DAY + 1);
            last = world.time().seconds();
            for (var gauge : world.lane().gauges()) {
              assertThat(gauge.level()).isNotNaN();
              assertThat(gauge.fullness()).isBetween(0.0, 1.0);
            }
          }
          Stage.assertClean(world.flyball());
        });
  }

  private static Signals absurd(SplittableRandom random) {
    var sightings = new ArrayList<Sighting>();
    for (var dimension : List.of(REQUESTS, INPUT_TOKENS, OUTPUT_TOKENS)) {
      if (random.nextBoolean()) {
        sightings.add(
            new Sighting(
                dimension,
                random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(number(random)),
                random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(number(random)),
                random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofSeconds(number(random) / 2)),
                random.nextBoolean() ? Snapshot.ADMISSION : Snapshot.HEADERS,
                1 + Math.abs(number(random) / 2)));
      }
    }
    var signals = Signals.of(sightings.toArray(new Sighting[0]));
    return random.nextInt(3) == 0
        ? signals.retryAfter(Duration.ofSeconds(number(random) / 2))
        : signals;
  }

  private static long number(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> Long.MIN_VALUE;
      case 2 -> Long.MAX_VALUE;
      case 3 -> random.nextLong(10);
      default -> random.nextLong(100_000);
    };
  }
}
