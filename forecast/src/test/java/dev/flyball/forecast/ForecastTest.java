package dev.flyball.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans, rehearsed. */
class ForecastTest {
  private static final LaneId LANE = LaneId.of("provider", "models");
  private static final LaneId OTHER = LaneId.of("provider", "others");
  private static final AnswerLatency QUICK =
      new AnswerLatency(Duration.ofMillis(200), Duration.ZERO, 0);
  private static final ModelBehaviour PROMPT =
      new ModelBehaviour(QUICK, AnswerLengths.exactly(100));
  private static final Map<String, ModelBehaviour> MODELS = Map.of("m", PROMPT, "n", PROMPT);

  private static AllowanceTerms requests(long aMinute, Duration burst) {
    return AllowanceTerms.of(Dimension.REQUESTS).limit(aMinute).enforcedOver(burst);
  }

  private static AllowanceTerms output(long aMinute) {
    return AllowanceTerms.of(Dimension.OUTPUT_TOKENS)
        .limit(aMinute)
        .enforcedOver(Duration.ofSeconds(10));
  }

  private static AssumedLimits limits(AllowanceTerms... terms) {
    return AssumedLimits.of(LaneProfile.of(terms));
  }

  private static CallPlan calls(int count) {
    return CallPlan.of(Collections.nCopies(count, PlannedCall.of(LANE, "m", 500, 200)));
  }

  private static Forecast forecast(CallPlan plan, AssumedLimits limits) {
    return forecast(plan, limits, PROMPT);
  }

  private static Forecast forecast(CallPlan plan, AssumedLimits limits, ModelBehaviour behaviour) {
    return Forecast.of(
        plan, ForecastConditions.of(Map.of(LANE, limits), Map.of("m", behaviour)), 1);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  @ParameterizedTest
  @EnumSource
  void three_hundred_calls_at_ten_a_second(AssumedLimits.Disclosure tells) {
    var account = limits(requests(600, Duration.ofSeconds(1))).disclosing(tells);
    var forecast = forecast(calls(300), account);
    assertThat(seconds(forecast.least())).isCloseTo(29.2, within(0.01));
    assertThat(seconds(forecast.median())).isBetween(29.2, 29.2 * 1.25);
    assertThat(forecast.ninth()).isGreaterThanOrEqualTo(forecast.median());
    assertThat(forecast.usage()).containsEntry("m", Usage.of(300 * 500, 300 * 100));
    assertThat(forecast.unanswered()).isZero();
  }

  @Test
  void limits_that_nobody_tells_take_longer_to_find() {
    var tokens = AllowanceTerms.of(Dimension.TOKENS).limit(1_000_000);
    var all = limits(requests(30, Duration.ofMinutes(1)), tokens);
    var some = all.without(Set.of(Dimension.REQUESTS));
    assertThat(seconds(forecast(calls(65), all).median())).isBetween(70.0, 73.0);
    var found = forecast(calls(65), some);
    assertThat(found.throttled()).isPositive();
    assertThat(found.median()).isGreaterThanOrEqualTo(forecast(calls(65), all).median());
    assertThat(all.without(Set.of(Dimension.REQUESTS, Dimension.TOKENS)).disclosure())
        .isEqualTo(AssumedLimits.Disclosure.WAITS);
  }

  @Test
  void the_same_seed_gives_the_same_forecast() {
    var one = forecast(calls(100), limits(output(8_000)), ModelBehaviour.USUAL);
    assertThat(forecast(calls(100), limits(output(8_000)), ModelBehaviour.USUAL)).isEqualTo(one);
  }

  @Test
  void the_limit_that_binds_is_named_with_what_more_of_it_would_save() {
    var forecast =
        forecast(calls(300), limits(requests(600, Duration.ofSeconds(1)), output(12_000)));
    var binding = forecast.binding().orElseThrow();
    assertThat(binding.what()).isEqualTo("output tokens");
    assertThat(binding.limit().orElseThrow().stated()).isEqualTo(12_000);
    // 30,000 tokens at 200 a second, of which 2,000 are there at the start.
    assertThat(seconds(forecast.median())).isBetween(139.0, 150.0);
    assertThat(seconds(binding.held())).isBetween(120.0, 150.0);
    assertThat(seconds(binding.saved())).isBetween(65.0, 80.0);
  }

  @Test
  void where_nothing_binds_nothing_is_named() {
    var forecast = forecast(calls(3), limits());
    assertThat(forecast.binding()).isEmpty();
    assertThat(forecast.least()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void few_at_one_time_is_a_limit_too() {
    var lanes = Map.of(LANE, limits());
    var forecast = Forecast.of(calls(100), ForecastConditions.of(lanes, MODELS).mostInFlight(2), 1);
    assertThat(seconds(forecast.least())).isCloseTo(10, within(0.01));
    assertThat(seconds(forecast.median())).isBetween(10.0, 10.5);
    assertThat(forecast.binding().orElseThrow().what()).isEqualTo("a free connection");
    assertThat(seconds(forecast.binding().orElseThrow().saved())).isBetween(4.0, 6.0);
  }

  @Test
  void slots_are_shared_by_all_lanes() {
    var mixed = new ArrayList<PlannedCall>();
    for (int i = 0; i < 50; i++) {
      mixed.add(PlannedCall.of(LANE, "m", 10, 10));
      mixed.add(PlannedCall.of(OTHER, "n", 10, 10));
    }
    var lanes = Map.of(LANE, limits(), OTHER, limits());
    var forecast =
        Forecast.of(CallPlan.of(mixed), ForecastConditions.of(lanes, MODELS).mostInFlight(2), 1);
    assertThat(seconds(forecast.median())).isBetween(10.0, 10.6);
  }

  @Test
  void lanes_go_on_side_by_side_and_the_slowest_counts() {
    var mixed = new ArrayList<PlannedCall>();
    for (int i = 0; i < 100; i++) {
      mixed.add(PlannedCall.of(LANE, "m", 10, 10));
      mixed.add(PlannedCall.of(OTHER, "n", 10, 10));
    }
    var lanes =
        Map.of(
            LANE, limits(requests(600, Duration.ofSeconds(1))),
            OTHER, limits(requests(300, Duration.ofSeconds(1))));
    var forecast = Forecast.of(CallPlan.of(mixed), ForecastConditions.of(lanes, MODELS), 1);
    assertThat(seconds(forecast.least())).isCloseTo(19.2, within(0.01));
    assertThat(forecast.binding().orElseThrow().lane()).isEqualTo(OTHER);
  }

  @Test
  void what_fills_the_cache_once_is_read_by_the_others() {
    var calls =
        Collections.nCopies(20, PlannedCall.of(LANE, "m", 2_000, 200).sharing("system", 1_500));
    var forecast = forecast(CallPlan.of(calls), limits());
    var used = forecast.usage().getOrDefault("m", Usage.NONE);
    assertThat(used.cacheWrite()).isEqualTo(1_500);
    assertThat(used.cacheRead()).isEqualTo(19 * 1_500);
    assertThat(used.input()).isEqualTo(20 * 500);
  }

  @Test
  void cached_input_does_not_count_against_the_limit() {
    var input =
        AllowanceTerms.of(Dimension.INPUT_TOKENS).limit(60_000).enforcedOver(Duration.ofSeconds(5));
    var plain = Collections.nCopies(100, PlannedCall.of(LANE, "m", 2_000, 200));
    var cached = plain.stream().map(call -> call.sharing("system", 1_500)).toList();
    var all = forecast(CallPlan.of(plain), limits(input));
    var some = forecast(CallPlan.of(cached), limits(input));
    assertThat(seconds(all.least())).isBetween(190.0, 200.0);
    assertThat(seconds(some.least())).isBetween(45.0, 55.0);
    assertThat(seconds(some.median())).isLessThan(seconds(all.median()) / 2);
  }

  @Test
  void what_is_kept_of_a_charge_counts_in_full() {
    var most =
        AllowanceTerms.of(Dimension.TOKENS)
            .charging(Charge.INPUT_AND_MOST_OUTPUT, AllowanceTerms.Settle.NO_REFUND)
            .limit(42_000)
            .enforcedOver(Duration.ofSeconds(2));
    // 700 of each call, though it uses only 600.
    var forecast = forecast(calls(60), limits(most));
    assertThat(seconds(forecast.least())).isCloseTo(0.2 + (60 * 700 - 1_400) / 700.0, within(0.1));
  }

  @Test
  void what_is_used_beyond_a_charge_is_charged_too() {
    var larger =
        AllowanceTerms.of(Dimension.TOKENS)
            .charging(Charge.LARGER_OF_INPUT_AND_MOST_OUTPUT, AllowanceTerms.Settle.NO_REFUND)
            .limit(36_000)
            .enforcedOver(Duration.ofSeconds(2));
    // 500 are charged at first, and 600 in the end.
    var forecast = forecast(calls(60), limits(larger));
    double least = 0.2 + (60 * 600 - 1_200) / 600.0;
    assertThat(seconds(forecast.least())).isCloseTo(least, within(0.1));
    assertThat(seconds(forecast.median())).isBetween(least, least * 1.1);
  }

  @Test
  void a_call_that_is_larger_than_its_limit_has_no_answer() {
    var calls = new ArrayList<>(calls(10).calls());
    calls.add(PlannedCall.of(LANE, "m", 90_000, 200));
    var input = AllowanceTerms.of(Dimension.INPUT_TOKENS).limit(60_000);
    var forecast = forecast(CallPlan.of(calls), limits(input));
    assertThat(forecast.unanswered()).isEqualTo(1);
  }

  @Test
  void a_guess_about_lengths_makes_the_ninth_longer() {
    var unsure = new ModelBehaviour(AnswerLatency.USUAL, new AnswerLengths(300, 0.3, 0.5));
    var sure = new ModelBehaviour(AnswerLatency.USUAL, new AnswerLengths(300, 0.3, 0));
    var calls = CallPlan.of(Collections.nCopies(100, PlannedCall.of(LANE, "m", 500, 4_000)));
    var guessed = forecast(calls, limits(output(8_000)), unsure);
    var known = forecast(calls, limits(output(8_000)), sure);
    assertThat(seconds(guessed.ninth()) / seconds(guessed.median())).isGreaterThan(1.5);
    assertThat(seconds(known.ninth()) / seconds(known.median())).isLessThan(1.2);
  }

  @Test
  void no_answer_is_longer_than_its_call_allows() {
    var wordy = new ModelBehaviour(QUICK, AnswerLengths.exactly(5_000));
    assertThat(forecast(calls(10), limits(), wordy).usage())
        .containsEntry("m", Usage.of(5_000, 2_000));
  }

  @Test
  void nothing_is_forecast_to_be_faster_than_the_least_possible() {
    // Answers that are cut short count as what they are.
    var wordy = new ModelBehaviour(QUICK, new AnswerLengths(300, 0.6, 0.5));
    var plan = CallPlan.of(Collections.nCopies(60, PlannedCall.of(LANE, "m", 20, 256)));
    var forecast = forecast(plan, limits(output(8_000)), wordy);
    assertThat(forecast.median()).isGreaterThan(forecast.least());
    assertThat(seconds(forecast.median()) / seconds(forecast.least())).isLessThan(1.1);
  }

  @Test
  void a_length_that_is_certain_is_taken_as_it_is() {
    var plan = CallPlan.of(List.of(PlannedCall.of(LANE, "m", 10, 2_000).answering(0)));
    assertThat(forecast(plan, limits()).usage()).containsEntry("m", Usage.of(10, 0));
  }

  @Test
  void a_very_long_plan_takes_as_long_as_its_limits_say() {
    // A burst of a whole minute: rehearsing only its calls would say "at once".
    var account = limits(AllowanceTerms.of(Dimension.REQUESTS).limit(1_000));
    var some = Collections.nCopies(10_000, PlannedCall.of(LANE, "m", 500, 200));
    var forecast = forecast(new CallPlan(some, 1_000_000), account);
    double least = (1_000_000 - 1_000) / (1_000 / 60.0);
    assertThat(seconds(forecast.least())).isCloseTo(least, within(least * 0.01));
    assertThat(seconds(forecast.median())).isBetween(least * 0.99, least * 1.05);
    assertThat(forecast.usage().getOrDefault("m", Usage.NONE).output()).isEqualTo(100_000_000);
  }

  @Test
  void limits_that_were_learned_are_the_limits() {
    var learned =
        new LearnedLimits.OfLane(
            List.of(new LearnedLimits.Learned(Dimension.REQUESTS, 600, 5)),
            LearnedLimits.Felt.NOTHING,
            Map.of(),
            0,
            Instant.EPOCH);
    // Somebody else uses half of the key.
    var profile =
        LaneProfile.of(AllowanceTerms.of(Dimension.REQUESTS).enforcedOver(Duration.ofSeconds(1)));
    var account = AssumedLimits.learned(learned, profile);
    assertThat(account.felt()).isFalse();
    assertThat(seconds(forecast(calls(100), account).least())).isCloseTo(18.2, within(0.01));
  }

  @Test
  void a_pace_that_was_felt_is_a_limit_too() {
    var felt =
        new LearnedLimits.OfLane(
            List.of(), new LearnedLimits.Felt(2, 4), Map.of(), 0, Instant.EPOCH);
    var account = AssumedLimits.learned(felt, LaneProfile.UNKNOWN);
    assertThat(seconds(forecast(calls(44), account).least())).isCloseTo(20.2, within(0.01));
  }

  @ParameterizedTest
  @CsvSource({"10, 10, 300", "2, 1, 60", "2, 100, 300", "50, 5, 3000"})
  void a_limit_that_was_only_felt_may_be_another(double perSecond, double burst, int count) {
    var felt =
        new LearnedLimits.OfLane(
            List.of(), new LearnedLimits.Felt(perSecond, burst), Map.of(), 0, Instant.EPOCH);
    var account = AssumedLimits.learned(felt, LaneProfile.UNKNOWN);
    var conditions =
        new ForecastConditions(
            Map.of(LANE, account),
            MODELS,
            512,
            new LearnedLimits(Map.of(LANE, felt)),
            lane -> LaneProfile.UNKNOWN);

    var forecast = Forecast.of(calls(count), conditions, 1);

    assertThat(account.felt()).isTrue();
    assertThat(seconds(forecast.ninth()) / seconds(forecast.median())).isGreaterThan(1.05);
    assertThat(forecast.least()).isLessThanOrEqualTo(forecast.median());
  }

  @Test
  void nothing_takes_no_time() {
    var nothing = forecast(CallPlan.of(List.of()), limits());
    assertThat(nothing.median()).isEqualTo(Duration.ZERO);
    assertThat(nothing.usage()).isEmpty();
  }

  @Test
  void what_cannot_be_is_refused() {
    assertThatThrownBy(() -> PlannedCall.of(LANE, "m", -1, 0)).hasMessageContaining("-1");
    assertThatThrownBy(() -> PlannedCall.of(LANE, "m", 10, 0).sharing("p", 11))
        .hasMessageContaining("10");
    assertThatThrownBy(() -> new CallPlan(calls(3).calls(), 2))
        .hasMessageContaining("3 stand for 2");
    assertThatThrownBy(() -> AnswerLengths.exactly(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> AnswerLatency.parse("soon")).hasMessageContaining("soon");
    var nowhere = ForecastConditions.of(Map.of(), MODELS);
    assertThatThrownBy(() -> Forecast.of(calls(1), nowhere, 1)).hasMessageContaining("lane");
  }

  @Test
  void latencies_are_read_as_profiles_write_them() {
    assertThat(AnswerLatency.parse("800ms+12ms"))
        .isEqualTo(new AnswerLatency(Duration.ofMillis(800), Duration.ofMillis(12), 0));
    assertThat(AnswerLatency.parse("1s"))
        .isEqualTo(new AnswerLatency(Duration.ofSeconds(1), Duration.ZERO, 0));
    assertThat(AnswerLatency.parse("0"))
        .isEqualTo(new AnswerLatency(Duration.ZERO, Duration.ZERO, 0));
  }
}
