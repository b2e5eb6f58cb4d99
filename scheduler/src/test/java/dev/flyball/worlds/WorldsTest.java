package dev.flyball.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of made-up worlds. {@code -Dworlds=N} runs the first N (2,000), {@code -Dworlds.seed=N}
 * runs that one alone.
 */
class WorldsTest {
  @Test
  void no_world_breaks_an_invariant() {
    var alone = Long.getLong("worlds.seed");
    var seeds =
        alone == null ? LongStream.range(0, Long.getLong("worlds", 2_000)) : LongStream.of(alone);
    var failures = new ArrayList<String>();
    seeds.forEach(seed -> failures.addAll(failures(seed)));
    assertThat(failures).isEmpty();
  }

  private static List<String> failures(long seed) {
    var replay = "mvn -pl scheduler verify -Dtest=WorldsTest -Dworlds.seed=" + seed;
    var made = Worlds.of(seed);
    try {
      return made.complaints().stream()
          .map(complaint -> complaint + "\n    in " + made + "\n    again: " + replay)
          .toList();
    } catch (RuntimeException | AssertionError broken) {
      throw new AssertionError(made + "\n    again: " + replay, broken);
    }
  }
}
