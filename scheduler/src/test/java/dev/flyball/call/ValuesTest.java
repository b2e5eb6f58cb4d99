package dev.flyball.call;

import static dev.flyball.call.Dimension.REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValuesTest {
  private static final LaneId LANE = new LaneId("anthropic", "sonnet", "f00d", "acme");

  private static void assertRefused(Runnable construction, String message) {
    assertThatThrownBy(construction::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void impossible_values_are_refused_with_rule_and_value() {
    assertRefused(() -> LaneId.of(" ", "x"), "a lane names its provider, but it was blank");
    assertRefused(
        () -> new Dimension("", Duration.ofMinutes(1)),
        "a dimension has a name and a positive period, but was '' per PT1M");
    assertRefused(
        () -> REQUESTS.per(Duration.ZERO),
        "a dimension has a name and a positive period, but was 'requests' per PT0S");
    assertRefused(
        () -> Estimate.of(-1, 2),
        "estimated tokens are at least 0 and at most 281474976710656, but were -1");
    assertRefused(
        () -> Estimate.of(1, 2).expecting(-3),
        "estimated tokens are at least 0 and at most 281474976710656, but were -3");
    assertRefused(() -> Usage.of(1, -2), "used tokens are at least 0, but were 1, 0, 0, -2");
    assertRefused(
        () -> new Usage(1, 2, 3, 4, 5, Cost.NOTHING),
        "what is cached for an hour is part of what is cached, but was 4 of 3");
    assertRefused(() -> new Cost(-1), "a cost is at least 0, but was -1 millionths");
    assertRefused(
        () -> new Tenant("acme", 0), "a tenant's weight is a number above 0, but 'acme' has 0.0");
    assertRefused(
        () -> new Tenant("acme", Double.NaN),
        "a tenant's weight is a number above 0, but 'acme' has NaN");
    assertRefused(
        () -> new Priority(Duration.ofSeconds(-1)),
        "a patience is at least 0 and at most a year, but was PT-1S");
    assertRefused(
        () -> Call.to(LANE).within(Duration.ZERO), "a call's time is above 0, but was PT0S");
    assertRefused(
        () -> Sighting.of(REQUESTS, 1, 1).roundedTo(0), "a rounding step is at least 1, but was 0");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "-9223372036854775808"})
  void a_limit_that_is_none_is_dropped(long limit) {
    assertThat(Sighting.of(REQUESTS, limit, 5).limit()).isEmpty();
  }

  @Test
  void a_level_below_zero_is_dropped_and_zero_is_not() {
    assertThat(Sighting.of(REQUESTS, 5, -1).remaining()).isEmpty();
    assertThat(Sighting.of(REQUESTS, 5, 0).remaining()).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void a_reset_in_the_past_is_now_and_one_that_makes_no_sense_is_not_said() {
    var sighting = Sighting.of(REQUESTS, 5, 5);
    var weekly = Sighting.of(REQUESTS.per(Duration.ofDays(7)), 5, 5);
    assertThat(sighting.resetIn(Duration.ofSeconds(-7)).reset()).contains(Duration.ZERO);
    assertThat(sighting.resetIn(Duration.ofDays(1)).reset()).contains(Duration.ofDays(1));
    assertThat(sighting.resetIn(Duration.ofDays(9)).reset()).as("of a minute").isEmpty();
    assertThat(weekly.resetIn(Duration.ofDays(6)).reset()).contains(Duration.ofDays(6));
    assertThat(weekly.resetIn(Duration.ofDays(400)).reset()).isEmpty();
    assertThat(weekly.resetIn(Duration.ofSeconds(Long.MAX_VALUE)).reset()).isEmpty();
    assertThat(sighting.resetIn(Duration.ofSeconds(Long.MIN_VALUE)).reset())
        .contains(Duration.ZERO);
  }

  @Test
  void a_retry_after_of_nothing_or_less_or_of_years_is_no_hint() {
    assertThat(Signals.NONE.retryAfter(Duration.ZERO).retryAfter()).isEmpty();
    assertThat(Signals.NONE.retryAfter(Duration.ofSeconds(-3)).retryAfter()).isEmpty();
    assertThat(Signals.NONE.retryAfter(Duration.ofDays(400)).retryAfter()).isEmpty();
    assertThat(Signals.NONE.retryAfter(Duration.ofDays(7)).retryAfter())
        .contains(Duration.ofDays(7));
    assertThat(Signals.NONE.retryAfter(Duration.ofNanos(1)).retryAfter())
        .contains(Duration.ofNanos(1));
  }

  @Test
  void signals_keep_what_they_were_told() {
    var signals =
        Signals.of(Sighting.of(REQUESTS, 5, 1))
            .retryAfter(Duration.ofSeconds(3))
            .exceeding(REQUESTS)
            .tooFast();
    assertThat(signals)
        .isEqualTo(
            new Signals(
                List.of(Sighting.of(REQUESTS, 5, 1)),
                Optional.of(Duration.ofSeconds(3)),
                Optional.of(REQUESTS),
                true));
  }

  @ParameterizedTest
  @CsvSource({"1, 1000000", "0.000001, 1", "0.0000011, 2", "0, 0", "12.34, 12340000"})
  void dollars_are_read_exactly_and_what_is_finer_is_rounded_up(String dollars, long micros) {
    assertThat(Cost.dollars(dollars)).isEqualTo(new Cost(micros));
  }

  @Test
  void money_is_shown_as_a_plain_decimal() {
    assertThat(new Cost(1)).hasToString("$0.000001");
    assertThat(Cost.dollars("1234567")).hasToString("$1234567.000000");
    assertThat(Cost.dollars("0.5").plus(Cost.dollars("0.25"))).isEqualTo(Cost.dollars("0.75"));
    assertThatThrownBy(() -> new Cost(Long.MAX_VALUE).plus(new Cost(1)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void usage_adds_up_in_every_part() {
    var one = new Usage(1, 2, 3, 1, 4, new Cost(5));
    assertThat(one.plus(one)).isEqualTo(new Usage(2, 4, 6, 2, 8, new Cost(10)));
    assertThat(one.prompt()).isEqualTo(6);
    assertThat(one.tokens()).isEqualTo(10);
  }

  @Test
  void an_estimate_knows_the_most_it_can_use() {
    var estimate = Estimate.of(100, 400).expecting(50).costingAtMost(new Cost(9));
    assertThat(estimate.most()).isEqualTo(500);
    assertThat(estimate.cost()).contains(new Cost(9));
    assertThat(estimate.output()).hasValue(50);
  }

  @Test
  void each_change_of_a_call_leaves_the_original_as_it_was() {
    var plain = Call.to(LANE);
    var account = Account.of("run").part("lens");
    var tenant = new Tenant("acme", 2);
    var changed =
        plain
            .estimated(Estimate.of(1, 2))
            .priority(Priority.BULK)
            .on(tenant)
            .paidBy(account)
            .within(Duration.ofSeconds(3))
            .sharing("prefix")
            .kind("summary")
            .named("seven");
    assertThat(changed.lane()).isEqualTo(LANE);
    assertThat(changed.estimate()).isEqualTo(Estimate.of(1, 2));
    assertThat(changed.priority()).isEqualTo(Priority.BULK);
    assertThat(changed.tenant()).isEqualTo(tenant);
    assertThat(changed.account()).contains(account);
    assertThat(changed.within()).contains(Duration.ofSeconds(3));
    assertThat(changed.prefix()).contains("prefix");
    assertThat(changed.kind()).isEqualTo("summary");
    assertThat(changed.name()).isEqualTo("seven");
    assertThat(changed).hasToString("Call[seven to anthropic/sonnet/f00d/acme]");

    assertThat(plain.estimate()).isEqualTo(Estimate.UNKNOWN);
    assertThat(plain.priority()).isEqualTo(Priority.NORMAL);
    assertThat(plain.tenant()).isEqualTo(Tenant.ONLY);
    assertThat(plain.account()).isEmpty();
    assertThat(plain.within()).isEmpty();
    assertThat(plain.prefix()).isEmpty();
    assertThat(plain).hasToString("Call[to anthropic/sonnet/f00d/acme]");
  }

  @Test
  void names_read_as_people_write_them() {
    assertThat(LaneId.of("openai", "gpt")).hasToString("openai/gpt");
    assertThat(Account.of("run").part("lens").part("call")).hasToString("run/lens/call");
    assertThat(REQUESTS).hasToString("requests");
    assertThat(REQUESTS.per(Duration.ofSeconds(10))).hasToString("requests/10S");
  }

  @Test
  void every_refusal_says_what_to_do() {
    var account = Account.of("run");
    assertThat(new Refusal.QueueFull(7).advice()).contains("7", "send fewer");
    assertThat(new Refusal.TooLate(Duration.ofSeconds(7)).advice()).contains("7 s", "more time");
    assertThat(new Refusal.TooLarge(REQUESTS, 31_000, 30_000).advice())
        .isEqualTo("needs 31,000 requests, and the limit is 30,000: split the request");
    assertThat(new Refusal.BudgetSpent(account, "tokens", 500, 20).advice())
        .contains("run", "500 tokens", "20 tokens", "raise it");
    assertThat(new Refusal.Unpriced(account).advice()).contains("run", "price", "add it");
    assertThat(new Refusal.Resting(Duration.ofSeconds(4)).advice()).contains("4 s", "try again");
    assertThat(new Refusal.Parked(Duration.ofHours(14)).advice()).contains("14 h", "resume");
    assertThat(new Refusal.ShuttingDown().advice()).contains("never started");
    assertThat(new Refusal.Withdrawn().advice()).contains("taken back");
  }

  @Test
  void times_read_as_people_write_them() {
    assertThat(DurationText.of(Duration.ofMillis(200))).isEqualTo("200 ms");
    assertThat(DurationText.of(Duration.ofMillis(3_200))).isEqualTo("3.2 s");
    assertThat(DurationText.of(Duration.ofSeconds(60))).isEqualTo("1 min");
    assertThat(DurationText.of(Duration.ofSeconds(95))).isEqualTo("1 min 35 s");
    assertThat(DurationText.of(Duration.ofMinutes(842))).isEqualTo("14 h 2 min");
  }

  @Test
  void a_time_that_rounds_up_to_the_next_unit_is_written_in_it() {
    assertThat(DurationText.of(Duration.ofMillis(1_960))).isEqualTo("2 s");
    assertThat(DurationText.of(Duration.ofMillis(59_940))).isEqualTo("59.9 s");
    assertThat(DurationText.of(Duration.ofMillis(59_960))).isEqualTo("1 min");
    assertThat(DurationText.of(Duration.ofMillis(1_049))).isEqualTo("1 s");
  }
}
