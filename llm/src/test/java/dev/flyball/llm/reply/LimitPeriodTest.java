package dev.flyball.llm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The period that the numbers of one reply give away. */
class LimitPeriodTest {
  private static Duration guess(long limit, long remaining, String reset) {
    return LimitPeriod.guess(
        OptionalLong.of(limit),
        OptionalLong.of(remaining),
        WireDurations.parse(reset),
        WireDurations.hasUnit(reset));
  }

  @ParameterizedTest
  @CsvSource({
    // OpenAI: of a minute
    "500, 499, 120ms, PT1M",
    "30000, 29996, 8ms, PT1M",
    "5000, 100, 58.8s, PT1M",
    // a bucket in debt takes longer than its period to fill
    "5000, 0, 1m9s, PT1M",
    "30000, 0, 1m22s, PT1M",
    "30000, 0, 3m40s, PT1M",
    // OpenAI's free accounts and Groq: of a day
    "200, 199, 7m12s, PT24H",
    "14400, 14370, 2m59.56s, PT24H",
    "14400, 0, 24h0m0s, PT24H",
    "1000, 500, 43200, PT24H",
    // of an hour
    "900, 600, 20m0s, PT1H",
    "900, 0, 1800, PT1H",
    // a bucket of a second, or of ten
    "10, 9, 100ms, PT1S",
    "5000, 4030, 194ms, PT1S",
    "20, 18, 1s, PT10S",
    // Azure: a window of a minute, however its numbers fall
    "600, 590, 60, PT1M",
    "600, 300, 5, PT1M",
    "10000, 9993, 60, PT1M",
    "10000, 9993, 60s, PT1M",
    // 600 a minute that lets 10 go at once is not 600 a second
    "600, 9, 1s, PT1M",
    "600, 10, 0s, PT1M",
    "600, 600, 0s, PT1M",
  })
  void a_period(long limit, long remaining, String reset, String period) {
    assertThat(guess(limit, remaining, reset)).isEqualTo(Duration.parse(period));
  }

  @Test
  void without_numbers_it_is_a_minute_unless_the_reset_is_further_away() {
    var none = OptionalLong.empty();
    assertThat(LimitPeriod.guess(none, none, Optional.empty(), false))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(LimitPeriod.guess(none, none, Optional.of(Duration.ofHours(2)), false))
        .isEqualTo(Duration.ofDays(1));
  }
}
