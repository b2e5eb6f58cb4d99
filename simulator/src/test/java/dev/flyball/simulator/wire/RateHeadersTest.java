package dev.flyball.simulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times as headers write them. */
final class RateHeadersTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "8, 8ms",
    "1000, 1s",
    "1574, 1.574s",
    "86400, 1m26.4s",
    "360000, 6m0s",
    "3603000, 1h0m3s"
  })
  void durations_are_written_as_go_does(long millis, String text) {
    assertThat(RateHeaders.goDuration(millis * 1_000)).isEqualTo(text);
  }
}
