package dev.flyball.llm.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The costs of calls. */
class PriceTest {
  private static final Instant TODAY = Instant.parse("2026-11-16T12:00:00Z");
  private static final PriceList PRICES = PriceList.read();

  private static Price price(String provider, String model) {
    return PRICES.find(provider, model, TODAY) instanceof PriceList.Found.Known(var price)
        ? price
        : org.junit.jupiter.api.Assertions.fail(model);
  }

  private static Optional<Cost> micros(long amount) {
    return Optional.of(new Cost(amount));
  }

  private static Usage usage(long input, long read, long write, long hour, long output) {
    return new Usage(input, read, write, hour, output, Cost.NOTHING);
  }

  @Test
  void a_cost_is_the_sum_over_the_kinds_of_tokens() {
    var sonnet = price("anthropic", "claude-sonnet-5");

    // 2, 0.2, 2.5, 4 and 10 dollars a million.
    assertThat(sonnet.cost(usage(1_000, 0, 0, 0, 0))).isEqualTo(micros(2_000));
    assertThat(sonnet.cost(usage(0, 1_000, 0, 0, 0))).isEqualTo(micros(200));
    assertThat(sonnet.cost(usage(0, 0, 1_000, 0, 0))).isEqualTo(micros(2_500));
    assertThat(sonnet.cost(usage(0, 0, 1_000, 400, 0))).isEqualTo(micros(1_500 + 1_600));
    assertThat(sonnet.cost(usage(0, 0, 0, 0, 1_000))).isEqualTo(micros(10_000));
    assertThat(sonnet.cost(usage(10, 20, 30, 10, 40))).isEqualTo(micros(20 + 4 + 50 + 40 + 400));
  }

  @Test
  void a_cost_is_rounded_up_once_and_not_for_each_kind() {
    var nano = price("openai", "gpt-5-nano");

    // 0.05, 0.005 and 0.4 millionths: together 0.455.
    assertThat(nano.cost(usage(1, 1, 0, 0, 1))).isEqualTo(micros(1));
    assertThat(nano.cost(usage(20, 0, 0, 0, 0))).isEqualTo(micros(1));
    assertThat(nano.cost(usage(21, 0, 0, 0, 0))).isEqualTo(micros(2));
    assertThat(nano.cost(Usage.NONE)).isEqualTo(micros(0));
  }

  @Test
  void costs_agree_with_decimal_arithmetic() {
    var random = new Random(7);
    var pro = price("deepseek", "deepseek-v4-pro");
    for (int i = 0; i < 1_000; i++) {
      long input = random.nextLong(1L << random.nextInt(1, 40));
      long read = random.nextLong(1_000_000);
      long output = random.nextLong(1_000_000);
      var exact =
          new BigDecimal("0.435")
              .multiply(BigDecimal.valueOf(input))
              .add(new BigDecimal("0.003625").multiply(BigDecimal.valueOf(read)))
              .add(new BigDecimal("0.87").multiply(BigDecimal.valueOf(output)));
      assertThat(pro.cost(usage(input, read, 0, 0, output)))
          .isEqualTo(micros(exact.setScale(0, RoundingMode.CEILING).longValueExact()));
    }
  }

  @Test
  void what_used_a_kind_without_a_price_has_no_known_cost() {
    var flash = price("gemini", "gemini-3.8-flash");
    var fable = price("anthropic", "claude-fable-5-1");

    assertThat(flash.cost(usage(1_000, 0, 0, 0, 1))).isEmpty();
    assertThat(flash.cost(usage(1_000, 0, 0, 0, 0))).isEqualTo(micros(750));
    assertThat(fable.cost(usage(1, 0, 1, 0, 1))).isEmpty();
    assertThat(fable.cost(usage(1, 0, 0, 0, 1))).isEqualTo(micros(60));
  }

  @Test
  void a_read_from_the_cache_without_a_price_is_charged_as_input() {
    assertThat(price("anthropic", "claude-fable-5-1").cost(usage(0, 1_000, 0, 0, 0)))
        .isEqualTo(micros(10_000));
  }

  @Test
  void a_write_for_an_hour_without_a_price_is_not_charged_as_one_for_minutes() {
    var sol = price("openai", "gpt-6-sol");

    assertThat(sol.cost(usage(0, 0, 1_000, 0, 0))).isEqualTo(micros(2_500));
    assertThat(sol.cost(usage(0, 0, 1_000, 1, 0))).isEmpty();
  }

  @Test
  void a_long_prompt_has_its_own_price_for_the_whole_call() {
    var haiku = price("anthropic", "claude-haiku-5-5");

    assertThat(haiku.cost(usage(100_000, 0, 0, 0, 1_000))).isEqualTo(micros(10_000 + 500));
    assertThat(haiku.cost(usage(100_001, 0, 0, 0, 1_000))).isEqualTo(micros(50_001 + 2_500));
    // What is in the cache counts for the length; 0.05 and 0.625 dollars a million.
    assertThat(haiku.cost(usage(1, 60_000, 40_000, 0, 0))).isEqualTo(micros(3_000 + 25_000 + 1));
    assertThat(haiku.cost(usage(0, 60_000, 40_000, 0, 0))).isEqualTo(micros(600 + 5_000));
    assertThat(haiku.cost(usage(1, 60_000, 40_000, 1, 0))).isEmpty();
  }

  @Test
  void above_a_threshold_whose_prices_were_not_seen_the_cost_is_unknown() {
    var luna = price("openai", "gpt-6-luna");

    assertThat(luna.cost(usage(272_000, 0, 0, 0, 0))).isEqualTo(micros(27_200));
    assertThat(luna.cost(usage(272_001, 0, 0, 0, 0))).isEmpty();
    assertThat(luna.most(272_001, 1, false)).isEmpty();
  }

  @Test
  void the_most_an_attempt_can_cost_has_all_its_output() {
    var sonnet = price("anthropic", "claude-sonnet-5");

    assertThat(sonnet.most(1_000, 500, false)).isEqualTo(micros(2_000 + 5_000));
  }

  @Test
  void what_may_be_cached_is_held_at_the_dearest_price_of_its_writes() {
    assertThat(price("anthropic", "claude-sonnet-5").most(1_000, 0, true)).isEqualTo(micros(4_000));
    assertThat(price("openai", "gpt-6-sol").most(1_000, 0, true)).isEqualTo(micros(2_500));
    assertThat(price("anthropic", "claude-fable-5-1").most(1_000, 0, true)).isEmpty();
    // Where writes cost nothing, reading does.
    assertThat(price("deepseek", "deepseek-v4-pro").most(1_000, 0, true)).isEqualTo(micros(435));
  }

  @Test
  void nothing_that_is_used_costs_more_than_what_was_held() {
    var random = new Random(3);
    for (var price : PRICES.list(TODAY)) {
      for (int i = 0; i < 200; i++) {
        long input = random.nextLong(300_000);
        long read = random.nextLong(input + 1);
        long write = random.nextLong(input - read + 1);
        long hour = price.tariff().cacheWrite1h().isEmpty() ? 0 : random.nextLong(write + 1);
        long output = random.nextLong(10_000);
        var used = usage(input - read - write, read, write, hour, output);
        var held = price.most(input, 10_000, write > 0);
        var cost = price.cost(used);
        if (held.isPresent() && cost.isPresent()) {
          assertThat(cost.get()).isLessThanOrEqualTo(held.get());
        }
      }
    }
  }
}
