package dev.flyball.limit;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

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
  void nothing_is_held_back_before_anything_is_known() {
    var allowance = unknown(REQUESTS);
    for (int i = 0; i < 10_000; i++) {
      assertThat(allowance.availableAt(1, 0)).isZero();
      allowance.charge(1, 0);
    }
    assertThat(allowance.known()).isFalse();
    assertThat(allowance.limit()).isEmpty();
  }

  @Test
  void the_rate_starts_from_limit_by_period() {
    assertThat(of(REQUESTS, 600).perSecond()).isCloseTo(10, within(1e-9));
    assertThat(of(REQUESTS.per(Duration.ofDays(1)), 864_000).perSecond())
        .isCloseTo(10, within(1e-9));
    var sighted = unknown(REQUESTS);
    sight(sighted, sighting(600, 600), 0);
    assertThat(sighted.perSecond()).isCloseTo(10, within(1e-9));
  }

  @Test
  void a_reset_that_implies_less_is_the_lower_prior() {
    var allowance = unknown(REQUESTS);
    // 60 of 600 are gone, and it takes a minute until they are back: one a second.
    sight(allowance, sighting(600, 540).resetIn(Duration.ofSeconds(60)), 0);
    assertThat(allowance.perSecond()).isBetween(1.0, 1.1);
  }

  @Test
  void a_reset_that_says_little_is_no_prior() {
    var allowance = unknown(REQUESTS);
    sight(allowance, sighting(600, 597).resetIn(Duration.ofSeconds(60)), 0);
    assertThat(allowance.perSecond()).isCloseTo(10, within(1e-9));
  }

  @Test
  void a_lower_limit_is_believed_at_once() {
    var allowance = of(REQUESTS, 600);
    assertThat(sight(allowance, sighting(300, 300), SECOND)).isTrue();
    assertThat(allowance.limit()).hasValue(300);
    assertThat(allowance.perSecond()).isCloseTo(5, within(1e-9));
    assertThat(allowance.level(SECOND)).isLessThanOrEqualTo(300);
  }

  @Test
  void a_higher_limit_is_believed_when_two_replies_agree() {
    var allowance = of(REQUESTS, 600);
    assertThat(sight(allowance, sighting(1_200, 600), SECOND)).isFalse();
    assertThat(allowance.limit()).hasValue(600);
    assertThat(sight(allowance, sighting(1_300, 600), 2 * SECOND)).isFalse();
    assertThat(allowance.limit()).as("these two do not agree").hasValue(600);
    assertThat(sight(allowance, sighting(600, 600), 3 * SECOND)).isFalse();
    assertThat(sight(allowance, sighting(1_300, 600), 4 * SECOND)).isFalse();
    assertThat(allowance.limit()).as("the old limit came between").hasValue(600);
    assertThat(sight(allowance, sighting(1_300, 600), 5 * SECOND)).isTrue();
    assertThat(allowance.limit()).hasValue(1_300);
  }

  @Test
  void what_was_learned_is_where_the_next_run_starts() {
    var learned = new LearnedLimits.Learned(REQUESTS, 600, 4);
    var allowance = new Allowance(AllowanceTerms.of(REQUESTS), 0, learned, 0);
    assertThat(allowance.limit()).hasValue(600);
    assertThat(allowance.perSecond()).as("others use the key").isCloseTo(4, within(1e-9));
    assertThat(allowance.learned()).isEqualTo(learned);
  }

  @Test
  void no_memory_is_believed_to_be_faster_than_its_limit() {
    var allowance =
        new Allowance(
            AllowanceTerms.of(REQUESTS), 0, new LearnedLimits.Learned(REQUESTS, 60, 9e9), 0);
    assertThat(allowance.perSecond()).isLessThanOrEqualTo(1 + 1e-9);
  }

  @Test
  void it_warns_once_each_time_that_less_than_a_tenth_is_left() {
    var allowance = of(REQUESTS, 600);
    assertThat(allowance.turnedScarce(0)).isFalse();
    allowance.charge(541, 0);
    assertThat(allowance.turnedScarce(0)).isTrue();
    assertThat(allowance.turnedScarce(0)).isFalse();
    assertThat(allowance.turnedScarce(30 * SECOND)).as("refilled").isFalse();
    allowance.charge(300, 30 * SECOND);
    assertThat(allowance.turnedScarce(30 * SECOND)).as("again").isTrue();
  }

  @Test
  void a_full_allowance_lets_its_limit_go_and_then_what_it_earns() {
    var allowance = of(REQUESTS, 600);
    for (int i = 0; i < 600; i++) {
      assertThat(allowance.availableAt(1, 0)).isZero();
      allowance.charge(1, 0);
    }
    assertThat(allowance.availableAt(1, 0)).isEqualTo(SECOND / 10);
    assertThat(allowance.held()).isEqualTo(600);
  }

  @Test
  void a_sub_window_lets_only_its_part_go_at_once() {
    var allowance =
        new Allowance(
            AllowanceTerms.of(REQUESTS).limit(600).enforcedOver(Duration.ofSeconds(1)), 0, 0);
    for (int i = 0; i < 10; i++) {
      assertThat(allowance.availableAt(1, 0)).as("call %s", i).isZero();
      allowance.charge(1, 0);
    }
    assertThat(allowance.availableAt(1, 0)).isEqualTo(SECOND / 10);
    // Nobody saves up: a quiet minute is worth one sub-window.
    assertThat(allowance.level(MINUTE)).isEqualTo(10);
  }

  @Test
  void a_sub_window_is_wide_enough_for_one() {
    var allowance =
        new Allowance(
            AllowanceTerms.of(REQUESTS).limit(6).enforcedOver(Duration.ofSeconds(1)), 0, 0);
    assertThat(allowance.availableAt(1, 0)).isZero();
    allowance.charge(1, 0);
    assertThat(allowance.availableAt(1, 0)).isEqualTo(10 * SECOND);
  }

  @Test
  void a_refund_gives_the_difference_back_or_takes_it() {
    var terms =
        AllowanceTerms.of(TOKENS).charging(Charge.INPUT_AND_OUTPUT, AllowanceTerms.Settle.REFUND);
    assertThat(levelAfter(terms, 100, 40)).isEqualTo(6_000 - 40);
    assertThat(levelAfter(terms, 100, 150)).isEqualTo(6_000 - 150);
  }

  @Test
  void without_refund_what_was_charged_too_much_stays_charged() {
    var terms =
        AllowanceTerms.of(TOKENS)
            .charging(Charge.INPUT_AND_MOST_OUTPUT, AllowanceTerms.Settle.NO_REFUND);
    assertThat(levelAfter(terms, 100, 40)).isEqualTo(6_000 - 100);
    assertThat(levelAfter(terms, 100, 150)).isEqualTo(6_000 - 150);
  }

  @Test
  void what_is_debited_as_it_is_produced_ends_at_its_real_size() {
    var terms = AllowanceTerms.of(OUTPUT_TOKENS);
    assertThat(terms.settle()).isEqualTo(AllowanceTerms.Settle.AS_PRODUCED);
    assertThat(levelAfter(terms, 100, 40)).isEqualTo(6_000 - 40);
    assertThat(levelAfter(terms, 100, 7_000)).isEqualTo(6_000 - 7_000);
  }

  private double levelAfter(AllowanceTerms terms, long charged, long real) {
    var allowance = new Allowance(terms.limit(6_000), 0, 0);
    allowance.charge(charged, 0);
    allowance.settle(charged, real, 0);
    assertThat(allowance.held()).isZero();
    return allowance.level(0);
  }

  @Test
  void output_that_was_produced_before_a_level_was_seen_is_in_it_already() {
    var allowance = new Allowance(AllowanceTerms.of(OUTPUT_TOKENS).limit(6_000), 0, 0);
    var attempt = new AttemptCharges(Call.to(LaneId.of("any", "model")));
    attempt.ask(attempt.call(), false, true, List.of(allowance), 0);
    attempt.charged[0] = 250;
    attempt.sent(0, 0);
    allowance.charge(attempt, 0);
    // Headers come with the whole answer: what it used is gone from what remains.
    var seen = Sighting.of(OUTPUT_TOKENS, 6_000, 1_000).at(Sighting.Snapshot.HEADERS);
    allowance.sighted(seen, attempt, 250, 3 * SECOND);
    allowance.settle(attempt, Reply.answered("", Usage.of(10, 200)), 3 * SECOND);
    assertThat(allowance.level(3 * SECOND)).isEqualTo(1_000);
  }

  @Test
  void output_that_was_produced_after_it_is_not() {
    var allowance = new Allowance(AllowanceTerms.of(OUTPUT_TOKENS).limit(6_000), 0, 0);
    var attempt = new AttemptCharges(Call.to(LaneId.of("any", "model")));
    attempt.ask(attempt.call(), false, true, List.of(allowance), 0);
    attempt.charged[0] = 250;
    attempt.sent(0, 0);
    allowance.charge(attempt, 0);
    // Headers come first, and then the answer as it is produced.
    var seen = Sighting.of(OUTPUT_TOKENS, 6_000, 1_000).at(Sighting.Snapshot.HEADERS);
    allowance.sighted(seen, attempt, 250, 0);
    allowance.settle(attempt, Reply.answered("", Usage.of(10, 200)), 3 * SECOND);
    assertThat(allowance.level(3 * SECOND)).as("300 came back").isEqualTo(1_100);
  }

  @Test
  void output_needs_only_a_level_above_zero_and_then_earns_its_debt_back() {
    var allowance = of(OUTPUT_TOKENS, 6_000);
    assertThat(allowance.availableAt(50_000, 0)).isZero();
    allowance.charge(50_000, 0);
    allowance.settle(50_000, 9_000, 0);
    assertThat(allowance.level(0)).isEqualTo(-3_000);
    assertThat(allowance.availableAt(1, 0)).isEqualTo(30_010_000_000L);
  }

  @Test
  void more_than_the_limit_is_too_large_unless_it_is_debited_as_produced() {
    assertThat(of(INPUT_TOKENS, 1_000).excludes(1_000)).isFalse();
    assertThat(of(INPUT_TOKENS, 1_000).excludes(1_001)).isTrue();
    assertThat(unknown(INPUT_TOKENS).excludes(Long.MAX_VALUE)).isFalse();
    assertThat(of(OUTPUT_TOKENS, 1_000).excludes(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void giving_back_is_as_if_it_had_never_been_charged() {
    Seeds.forAll(
        300,
        random -> {
          var allowance = of(TOKENS, 60_000);
          var other = of(TOKENS, 60_000);
          var open = new ArrayDeque<Long>();
          long now = 0;
          allowance.charge(30_000, now);
          other.charge(30_000, now);
          for (int i = 0; i < 40; i++) {
            now += random.nextLong(SECOND / 2);
            if (random.nextBoolean() || open.isEmpty()) {
              long amount = random.nextLong(500);
              allowance.charge(amount, now);
              open.add(amount);
            } else {
              allowance.giveBack(open.remove(), now);
            }
          }
          for (long left : open) {
            allowance.giveBack(left, now);
          }
          assertThat(allowance.level(now)).isCloseTo(other.level(now), within(1e-3));
          assertThat(allowance.held()).isEqualTo(30_000);
        });
  }

  @Test
  void over_any_interval_no_more_goes_than_the_limit_and_its_refill() {
    Seeds.forAll(
        100,
        random -> {
          long limit = 1_000 + random.nextLong(100_000);
          var allowance = of(TOKENS, limit);
          double rate = limit / 60e9;
          long now = 0;
          double sum = 0;
          double most = 0;
          for (int i = 0; i < 300; i++) {
            long amount = 1 + random.nextLong(limit / 5);
            now = Math.max(now + random.nextLong(SECOND), allowance.availableAt(amount, now));
            allowance.charge(amount, now);
            sum += amount;
            most = Math.max(most, sum - limit - rate * now);
          }
          assertThat(most).as("beyond the limit").isLessThan(1e-3);
        });
  }

  @Test
  void at_the_answered_moment_it_really_is_there() {
    Seeds.forAll(
        500,
        random -> {
          long limit = 1 + random.nextLong(1_000_000);
          var allowance = of(TOKENS, limit);
          allowance.charge((long) (limit * random.nextDouble(1, 1.5)), 0);
          long amount = 1 + random.nextLong(limit);
          long when = allowance.availableAt(amount, 0);
          long early = (long) (when * 0.99);
          assertThat(allowance.availableAt(amount, early)).isGreaterThan(early);
          assertThat(allowance.availableAt(amount, when)).isEqualTo(when);
        });
  }

  @Test
  void how_many_calls_it_lets_go_follows_what_they_really_use() {
    var allowance = of(INPUT_TOKENS, 60_000);
    for (int i = 0; i < 300; i++) {
      allowance.charge(2_000, i * SECOND);
      // Most of each prompt was read from the cache.
      allowance.settle(2_000, 500, i * SECOND);
    }
    assertThat(allowance.calls() * MINUTE).isCloseTo(120, within(1.0));
  }

  @Test
  void a_reset_says_nothing_below_two_rounding_steps() {
    var allowance = new Allowance(AllowanceTerms.of(INPUT_TOKENS), 0, 0);
    var near =
        Sighting.of(INPUT_TOKENS, 60_000, 59_000).roundedTo(1_000).resetIn(Duration.ofSeconds(60));
    allowance.sighted(near, allowance.adopt(1), 0, 0, 0);
    assertThat(allowance.perSecond()).isGreaterThan(999);
  }
}
