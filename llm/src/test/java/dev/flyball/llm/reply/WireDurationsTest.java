package dev.flyball.llm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The durations, moments and numbers that providers write. */
class WireDurationsTest {
  @ParameterizedTest
  @CsvSource({
    "120ms, PT0.12S",
    "8ms, PT0.008S",
    "1s, PT1S",
    "6m0s, PT6M",
    "1m26.4s, PT1M26.4S",
    "1h2m3s, PT1H2M3S",
    "19.999s, PT19.999S",
    "1.984999999s, PT1.984999999S",
    "500us, PT0.0005S",
    "500µs, PT0.0005S",
    "7ns, PT0.000000007S",
    "0s, PT0S",
    "0, PT0S",
    "2, PT2S",
    "2.5, PT2.5S",
    "24h0m0s, PT24H",
    "1d, PT24H",
    "57.238747106s, PT57.238747106S",
  })
  void a_duration(String text, String duration) {
    assertThat(WireDurations.parse(text)).contains(Duration.parse(duration));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "-1s", "s", "1x", "1s2", "1.s", "1 s", "NaN", "s1s", "1s 2s"})
  void no_duration(String text) {
    assertThat(WireDurations.parse(text)).isEmpty();
  }

  @Test
  void what_is_absurd_is_none_or_finite() {
    assertThat(WireDurations.parse("9".repeat(60) + "s")).isEmpty();
    assertThat(WireDurations.parse("9".repeat(1_000))).isEmpty();
    assertThat(WireDurations.parse("999999999999999h")).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-11-15T08:20:14Z | PT30S",
        "2026-11-15T09:20:14.5+01:00 | PT30.5S",
        "2026-11-15T08:19:41Z | PT0S",
        "2026-11-15T08:20:14Z, 2026-11-15T08:20:14Z | PT30S",
        "Sun, 15 Nov 2026 08:20:14 GMT | PT30S",
        "1794730814 | PT30S",
        "1794730814500 | PT30.5S",
        "1763194813.9 | PT0S",
        "30 | PT30S",
        "30s | PT30S",
      })
  void a_moment(String text, String wait) {
    assertThat(new ServerTime(ReplyHeads.of(200)).until(text)).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "soon", "2026-11-15", "2026-99-99T00:00:00Z", "Sun, 15 Nov", "-2026"})
  void no_moment(String text) {
    assertThat(new ServerTime(ReplyHeads.of(200)).until(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // a day in winter, a day in summer, and the one with an hour more
    "2026-01-15T07:59:59Z, PT1S",
    "2026-07-15T07:00:00Z, PT24H",
    "2026-11-01T07:00:00Z, PT25H",
  })
  void google_s_day_ends_in_california(String now, String left) {
    assertThat(
            new ServerTime(new ReplyHead(200, Map.of(), Instant.parse(now))).untilPacificMidnight())
        .isEqualTo(Duration.parse(left));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4000 | 4000",
        "30,000 | 30000",
        "1,234,567 | 1234567",
        "59.7 | 59",
        "4000, 4000 | 4000",
        "4000,4000 | 4000",
        "100,100 | 100",
        "100;w=60 | 100",
        "30,000.5 | 30000",
      })
  void a_count(String text, long count) {
    assertThat(WireNumbers.count(text)).hasValue(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1e3", "NaN", "0x1", "1.2.3", ".5", "ten", ",", "٣"})
  void no_count(String text) {
    assertThat(WireNumbers.count(text)).isEmpty();
  }
}
