package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one run has learned, and what the next makes of it. */
class MemoryTest {
  @RegisterExtension final Stage stage = new Stage();

  /** A provider that says nothing, turns away above its limit, and counts how often. */
  private static final class Silent {
    private final Stage stage;
    private final double perSecond;
    private final double burst;
    private double level;
    private double at;
    private int refused;

    Silent(Stage stage, double perSecond, double burst) {
      this.stage = stage;
      this.perSecond = perSecond;
      this.burst = burst;
      this.level = burst;
    }

    Stage.Answer attempt(int number) {
      assertThat(number).isPositive();
      double now = stage.time().seconds();
      level = Math.min(burst, level + perSecond * (now - at));
      at = now;
      if (level < 1) {
        refused++;
        return new Stage.Answer(0.05, throttled(Signals.NONE));
      }
      level--;
      return new Stage.Answer(0.2, answered());
    }
  }

  private static LearnedLimits remembering(LearnedLimits.Learned... allowances) {
    return remembering(LearnedLimits.Felt.NOTHING, allowances);
  }

  private static LearnedLimits remembering(
      LearnedLimits.Felt pace, LearnedLimits.Learned... allowances) {
    return new LearnedLimits(
        Map.of(
            LANE, new LearnedLimits.OfLane(List.of(allowances), pace, Map.of(), 1, Instant.EPOCH)));
  }

  @Test
  void limits_outputs_and_moment_are_remembered() {
    stage
        .enter(call("call").kind("summary").estimated(Estimate.of(100, 900)))
        .reply(
            Reply.answered(
                "ok",
                Usage.of(100, 70),
                Signals.of(
                    Sighting.of(REQUESTS, 600, 599), Sighting.of(INPUT_TOKENS, 9_000, 8_900))));
    var lane = stage.learned();
    assertThat(lane.allowances())
        .extracting(LearnedLimits.Learned::dimension, LearnedLimits.Learned::limit)
        .containsExactly(tuple(REQUESTS, 600L), tuple(INPUT_TOKENS, 9_000L));
    assertThat(lane.outputs()).containsEntry("summary", 70L);
    assertThat(lane.at()).isEqualTo(stage.time().wall());
  }

  @Test
  void lanes_that_were_not_used_again_are_still_remembered() {
    var other = LaneId.of("stage", "other");
    var memory =
        new LearnedLimits(
            Map.of(
                other,
                new LearnedLimits.OfLane(
                    List.of(),
                    new LearnedLimits.Felt(3, 4),
                    Map.of("kind", 5L),
                    1,
                    Instant.EPOCH)));
    stage.with(builder -> builder.memory(memory));
    stage.enter(call("call")).reply(answered());
    assertThat(stage.flyball().memory().lanes()).containsOnlyKeys(LANE, other);
    assertThat(stage.flyball().memory().lanes().get(other)).isEqualTo(memory.lanes().get(other));
  }

  @Test
  void what_is_remembered_and_not_seen_again_is_remembered_on() {
    var learned = new LearnedLimits.Learned(REQUESTS, 600, 4);
    stage.with(builder -> builder.memory(remembering(new LearnedLimits.Felt(2, 5), learned)));
    stage.enter(call("call"));
    var again = stage.learned();
    assertThat(again.allowances()).containsExactly(learned);
    assertThat(again.pace().perSecond()).isBetween(1.9, 2.1);
  }

  @Test
  void a_remembered_limit_paces_before_the_first_reply() {
    stage.with(
        builder ->
            builder.memory(remembering(new LearnedLimits.Learned(INPUT_TOKENS, 6_000, 100))));
    var roles = stage.enter(3, call("call", 1_500));
    assertThat(Stage.inFlight(roles)).as("half of it").isEqualTo(2);
    assertThat(roles.get(2).waiting().constraint()).isEqualTo(new Constraint("input tokens"));
  }

  @Test
  void a_remembered_limit_paces_where_only_the_terms_are_known_before() {
    stage
        .knowing(AllowanceTerms.of(REQUESTS), AllowanceTerms.of(INPUT_TOKENS))
        .with(
            builder ->
                builder.memory(remembering(new LearnedLimits.Learned(INPUT_TOKENS, 6_000, 100))));
    var roles = stage.enter(3, call("call", 1_500));
    assertThat(Stage.inFlight(roles)).as("half of it").isEqualTo(2);
    assertThat(roles.get(2).waiting().constraint()).isEqualTo(new Constraint("input tokens"));
  }

  @Test
  void a_limit_that_was_stated_holds_whatever_is_remembered() {
    stage
        .knowing(AllowanceTerms.of(INPUT_TOKENS).limit(60_000))
        .with(
            builder ->
                builder.memory(remembering(new LearnedLimits.Learned(INPUT_TOKENS, 6_000, 100))));
    assertThat(Stage.inFlight(stage.enter(3, call("call", 1_500)))).isEqualTo(3);
  }

  @Test
  void a_remembered_limit_of_which_a_reply_says_nothing_is_forgotten() {
    stage.with(
        builder ->
            builder.memory(remembering(new LearnedLimits.Learned(INPUT_TOKENS, 6_000, 100))));
    stage.enter(call("first", 100)).reply(answered(100, 0));
    assertThat(Stage.inFlight(stage.enter(4, call("call", 5_000)))).isEqualTo(4);
    assertThat(stage.learned().allowances()).isEmpty();
  }

  @Test
  void the_first_reply_is_believed_and_not_the_memory() {
    stage.with(
        builder ->
            builder.memory(remembering(new LearnedLimits.Learned(INPUT_TOKENS, 60_000, 1_000))));
    stage
        .enter(call("first", 100))
        .reply(
            Reply.answered(
                "ok", Usage.of(100, 0), Signals.of(Sighting.of(INPUT_TOKENS, 6_000, 500))));
    assertThat(stage.enter(call("second", 501)).waits()).isTrue();
    assertThat(stage.lane().gauges().getFirst().limit()).hasValue(6_000);
  }

  @Test
  void no_memory_lets_more_than_four_go_before_the_first_reply() {
    var felt = new LearnedLimits.Felt(1_000, 1_000);
    stage.with(
        builder ->
            builder.memory(remembering(felt, new LearnedLimits.Learned(REQUESTS, 60_000, 1_000))));
    var roles = stage.enter(100, call("call"));
    assertThat(Stage.inFlight(roles)).isBetween(1, 4);
    stage.until(0.4);
    assertThat(Stage.inFlight(roles)).isBetween(1, 4);
  }

  @Test
  void a_refusal_that_comes_after_a_memory_was_dropped_harms_nobody() {
    stage.with(builder -> builder.memory(remembering(new LearnedLimits.Felt(2, 5))));
    var first = stage.enter(call("first"));
    stage.until(0.5);
    var second = stage.enter(call("second"));
    stage.until(1);
    // Far more is stated than was remembered: what was felt before is dropped.
    second.permit().sighted(Signals.of(Sighting.of(REQUESTS, 60_000, 59_000)));
    first.reply(throttled(Signals.NONE));
    stage.pass(5);
    assertThat(first.inFlight()).isTrue();
  }

  @Test
  void what_a_silent_provider_let_be_felt_spares_the_next_run_its_refusals() {
    var first = new Silent(stage, 5, 5);
    stage.enter(300, call("call"), first::attempt);
    stage.finish();
    var memory = stage.flyball().memory();
    assertThat(stage.learned().pace().perSecond()).isBetween(4.0, 6.0);

    var next = new Stage().with(builder -> builder.memory(memory));
    var second = new Silent(next, 5, 5);
    var roles = next.enter(150, call("call"), second::attempt);
    next.finish();
    assertThat(Stage.ended(roles)).isEqualTo(150);
    assertThat(second.refused).isLessThanOrEqualTo(4);
    double least = (150 - 5) / 5.0;
    double last = roles.stream().mapToDouble(r -> r.admitted().getLast()).max().orElseThrow();
    assertThat(last).as("at speed from the start").isLessThan(1.25 * least);
  }

  @Test
  void a_memory_ten_times_too_fast_causes_no_storm() {
    stage.with(builder -> builder.memory(remembering(new LearnedLimits.Felt(50, 100))));
    var provider = new Silent(stage, 5, 5);
    var roles = stage.enter(150, call("call"), provider::attempt);
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(provider.refused).isLessThanOrEqualTo(20);
  }

  @Test
  void a_memory_ten_times_too_slow_does_not_last() {
    stage.with(builder -> builder.memory(remembering(new LearnedLimits.Felt(0.5, 1))));
    var provider = new Silent(stage, 5, 5);
    var roles = stage.enter(300, call("call"), provider::attempt);
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    double last = roles.stream().mapToDouble(r -> r.admitted().getLast()).max().orElseThrow();
    assertThat(last).as("600 s if it were believed").isLessThan(300);
  }

  @Test
  void memories_of_nonsense_stop_nothing() {
    for (double nonsense :
        new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE}) {
      var world =
          new Stage()
              .with(
                  builder ->
                      builder.memory(
                          remembering(
                              new LearnedLimits.Felt(nonsense, nonsense),
                              new LearnedLimits.Learned(INPUT_TOKENS, 60_000, nonsense))));
      var roles = world.enter(20, call("call", 100), n -> new Stage.Answer(0.1, answered(100, 0)));
      world.until(60);
      assertThat(Stage.ended(roles)).as("with %s", nonsense).isEqualTo(20);
      Stage.assertClean(world.flyball());
    }
  }

  @Test
  void a_fingerprint_is_all_that_is_known_of_a_key() {
    var lane = new LaneId("anthropic", "sonnet", "f00d", "acme");
    stage.enter(call(lane, "call")).reply(answered());
    assertThat(stage.flyball().memory().toString()).contains("anthropic/sonnet/f00d/acme");
    assertThat(LaneId.class.getRecordComponents())
        .extracting(java.lang.reflect.RecordComponent::getName)
        .containsExactly("provider", "modelClass", "keyFingerprint", "organisation");
  }

  @Test
  void a_limit_learned_at_headers_lasts_though_the_answer_never_comes() {
    var role = stage.enter(call("call"));
    role.permit()
        .sighted(Signals.of(Sighting.of(REQUESTS, 600, 599).resetIn(Duration.ofSeconds(1))));
    assertThat(stage.learned().allowances()).hasSize(1);
  }
}
