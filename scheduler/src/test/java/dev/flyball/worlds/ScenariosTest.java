package dev.flyball.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How near the least possible time each kind of provider lets us come, and at how many 429s. */
class ScenariosTest {
  private static final int SEEDS = 11;

  static List<Scenarios.Row> rows() {
    return Scenarios.ROWS;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comes_near_the_least_possible_time(Scenarios.Row row) {
    var results =
        IntStream.range(0, SEEDS)
            .mapToObj(seed -> new World(row.scenario(), row.jobs(), seed).run(100_000))
            .toList();
    double ratio = median(results.stream().mapToDouble(World.Result::ratio).toArray());
    double throttles = median(results.stream().mapToDouble(World.Result::throttles).toArray());
    System.out.printf("%-40s %.3f / %.0f%n", row.scenario().name(), ratio, throttles);
    assertThat(results).allSatisfy(r -> assertThat(r.answered()).isEqualTo(row.jobs().size()));
    assertThat(ratio).as("× least time").isLessThanOrEqualTo(row.ratio());
    assertThat(throttles).as("429s").isLessThanOrEqualTo(row.throttles());
  }

  private static double median(double... values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
