package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchReportTest {
  @Test
  void a_table_is_aligned_and_numbers_are_to_the_right() {
    var report =
        new BenchReport("Title")
            .say("Words.")
            .table(
                List.of("who", "429s"),
                List.of(List.of("flyball", "0"), List.of("somebody else", "1,439")));
    assertThat(report.toString())
        .startsWith("# Title\n")
        .endsWith(
            """
            Words.

            | who           |  429s |
            |---------------|------:|
            | flyball       |     0 |
            | somebody else | 1,439 |
            """);
  }
}
