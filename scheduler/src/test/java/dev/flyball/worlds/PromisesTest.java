package dev.flyball.worlds;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.BreakerState;
import dev.flyball.call.Budget;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is promised beyond speed, each on a provider that makes it hard. */
class PromisesTest {
  private static final double OUTAGE_FROM = 20;
  private static final double OUTAGE_TO = 80;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void an_outage_costs_what_was_in_flight_and_one_probe_a_rest(long seed) {
    var scenario =
        Scenario.of("outage", Style.FULL, 2, TrueLimit.bucket(REQUESTS, 10, 600).startingAt(10))
            .jitter(0.3)
            .faults(new Scenario.Fault(Scenario.Kind.OVERLOADED, OUTAGE_FROM, OUTAGE_TO, 1));
    var jobs = jobs(400, 100, 50);
    int[] rests = {0};
    var world =
        new World(
            scenario,
            jobs,
            seed,
            builder ->
                builder.listener(
                    event -> {
                      if (event instanceof Event.BreakerChanged(var lane, var state)) {
                        rests[0] += state == BreakerState.OPEN ? 1 : 0;
                      }
                    }),
            Optional.empty());
    int[] inFlight = {0};
    world
        .time()
        .in(
            OUTAGE_FROM,
            () -> inFlight[0] = world.flyball().snapshot().lanes().getFirst().inFlight());
    var result = world.run(10_000);
    assertThat(result.answered()).isEqualTo(jobs.size());
    assertThat(rests[0]).as("each 5 s for half a minute, then fewer").isBetween(1, 9);
    assertThat(result.attempts()).isLessThanOrEqualTo(jobs.size() + inFlight[0] + rests[0]);
  }

  @ParameterizedTest
  @EnumSource(
      value = Style.class,
      names = {"FULL", "RETRY_AFTER", "NONE"})
  void an_outage_that_refuses_at_once_teaches_nothing_about_limits(Style style) {
    var scenario =
        Scenario.of("outage", style, 2, TrueLimit.bucket(REQUESTS, 10, 600).startingAt(10))
            .jitter(0.3)
            .faults(new Scenario.Fault(Scenario.Kind.OVERLOADED, OUTAGE_FROM, OUTAGE_TO, 1));
    var result = new World(scenario, jobs(400, 100, 50), 1).run(10_000);
    assertThat(result.answered()).isEqualTo(400);
    // Ten a second for 40 s and an outage of 60 s.
    assertThat(result.seconds()).isLessThan(105);
  }

  @Test
  void an_overload_leaves_as_many_slots_as_a_known_rate_needs() {
    var scenario =
        Scenario.of("overload", Style.FULL, 4, TrueLimit.bucket(REQUESTS, 10, 600).startingAt(10))
            .refusing(4)
            .faults(new Scenario.Fault(Scenario.Kind.OVERLOADED, 30, 30.15, 1));
    var world = new World(scenario, jobs(600, 100, 50), 1);
    int[] least = {Integer.MAX_VALUE};
    for (double at = 33; at < 60; at += 0.1) {
      world
          .time()
          .in(
              at,
              () -> {
                int slots = world.flyball().snapshot().lanes().getFirst().slots();
                least[0] = Math.min(least[0], slots);
              });
    }
    var result = world.run(10_000);
    assertThat(least[0]).as("ten a second for four seconds").isBetween(38, 60);
    assertThat(result.ratio()).isLessThan(1.05);
  }

  @Test
  void a_huge_call_among_small_ones_goes_within_its_bound() {
    double perSecond = 500;
    var jobs = new ArrayList<>(jobs(300, 500, 50));
    var huge = Job.of(1000, 28_000, 50);
    jobs.add(20, huge);
    var scenario =
        Scenario.of(
            "huge",
            Style.FULL,
            0.5,
            TrueLimit.bucket(REQUESTS, 50, 3_000),
            TrueLimit.bucket(INPUT_TOKENS, perSecond, 30_000).startingAt(5_000));
    var result = new World(scenario, jobs, 1).run(10_000);
    double turn = result.wentAt(jobs.get(19));
    double bound = turn + 2 * (huge.input() + huge.maxOutput()) / perSecond;
    assertThat(result.wentAt(huge)).isLessThanOrEqualTo(bound);
    assertThat(result.answered()).isEqualTo(jobs.size());
    assertThat(result.throttles()).isLessThanOrEqualTo(3);
  }

  @Test
  void tenants_get_their_shares() {
    var weights = List.of(1.0, 2.0, 4.0);
    var jobs = new ArrayList<Job>();
    for (int i = 0; i < 900; i++) {
      double weight = weights.get(i % 3);
      jobs.add(Job.of(i, 300 + 200 * (i % 2), 50).on(new Tenant("t" + weight, weight)));
    }
    var scenario =
        Scenario.of("tenants", Style.FULL, 0.3, TrueLimit.bucket(REQUESTS, 10, 10)).jitter(0.3);
    var result = new World(scenario, jobs, 1).run(10_000);
    double until = 0.9 * result.admitted().values().stream().mapToDouble(at -> at).max().orElse(0);
    double contended = Math.min(until, lastOf(result, jobs, 4.0));
    var tokens = new HashMap<Double, Double>();
    for (var job : jobs) {
      if (result.wentAt(job) <= contended) {
        tokens.merge(job.tenant().weight(), job.input() + job.output() + 0.0, Double::sum);
      }
    }
    double all = tokens.values().stream().mapToDouble(part -> part).sum();
    weights.forEach(
        weight ->
            assertThat(tokens.getOrDefault(weight, 0.0) / all / (weight / 7))
                .as("share")
                .isBetween(0.95, 1.05));
  }

  private static double lastOf(World.Result result, List<Job> jobs, double weight) {
    return jobs.stream()
        .filter(job -> job.tenant().weight() == weight)
        .mapToDouble(job -> result.wentAt(job))
        .max()
        .orElseThrow();
  }

  @Test
  void a_budget_starts_exactly_what_it_can_hold() {
    var jobs =
        IntStream.range(0, 8)
            .mapToObj(
                i -> new Job("job-" + i, 15_000, 1_000, 5_000, 1, 0, Tenant.ONLY, Priority.NORMAL))
            .toList();
    var scenario = Scenario.of("budget", Style.FULL, 10, TrueLimit.bucket(REQUESTS, 100, 6_000));
    var world =
        new World(scenario, jobs, 1, b -> b, Optional.of(Budget.tokens(100_000))).checking();
    int[] atFirst = {0};
    world.time().in(9, () -> atFirst[0] = world.flyball().snapshot().lanes().getFirst().inFlight());
    var result = world.run(1_000);
    assertThat(atFirst[0]).isEqualTo(5);
    assertThat(result.broken()).isEmpty();
    // Five use 80,000 in all; of the rest one fits what they left, and then nothing does.
    assertThat(result.answered()).isEqualTo(6);
    assertThat(result.outcomes().values())
        .filteredOn(outcome -> outcome instanceof Outcome.Refused)
        .allSatisfy(
            outcome ->
                assertThat(((Outcome.Refused<String>) outcome).refusal())
                    .isInstanceOf(Refusal.BudgetSpent.class));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void while_a_debt_is_paid_nothing_is_learned_about_the_pace(long seed) {
    var output = TrueLimit.bucket(OUTPUT_TOKENS, 40_000 / 60.0, 40_000).debitedAsProduced();
    var requests = TrueLimit.bucket(REQUESTS, 5, 300);
    var scenario = Scenario.of("debt", Style.RETRY_AFTER, 2.6, requests, output).jitter(0.1);
    var jobs = jobs(700, 80, 150);
    var result = new World(scenario, jobs, seed).run(5_000);
    assertThat(result.answered()).isEqualTo(jobs.size());
    // It was 3.6 when the time that a debt takes counted as time in which hardly anything passed.
    assertThat(result.ratio()).isLessThan(2.2);
  }

  @Test
  void a_spend_cap_is_final_after_what_was_in_flight() {
    var scenario =
        Scenario.of("spend cap", Style.FULL, 0.2, TrueLimit.bucket(REQUESTS, 10, 10))
            .faults(new Scenario.Fault(Scenario.Kind.SPEND_CAP, 5, 1e9, 1));
    var jobs = jobs(200, 100, 50);
    var result = new World(scenario, jobs, 1).checking().run(10_000);
    assertThat(result.broken()).isEmpty();
    assertThat(result.seconds()).isLessThan(6);
    assertThat(result.attempts() - result.answered()).isLessThanOrEqualTo(4);
    assertThat(result.outcomes()).hasSize(jobs.size());
  }

  @Test
  void what_was_learned_lets_the_next_run_start_without_a_storm() {
    var scenario =
        Scenario.of("memory", Style.NONE, 0.2, TrueLimit.bucket(REQUESTS, 10, 10)).jitter(0.3);
    var first = new World(scenario, jobs(300, 100, 50), 1).run(10_000);
    var memory = first.flyball().memory();
    var next =
        new World(scenario, jobs(60, 100, 50), 2, b -> b.memory(memory), Optional.empty())
            .run(10_000);
    assertThat(next.throttles()).isLessThanOrEqualTo(2);
    assertThat(next.ratio()).isLessThan(1.25);
  }

  private static List<Job> jobs(int count, long input, long output) {
    return IntStream.range(0, count).mapToObj(i -> Job.of(i, input, output)).toList();
  }
}
