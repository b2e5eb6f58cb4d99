package dev.flyball.simulator.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chance that a seed decides. */
final class RandomDrawTest {
  @Test
  void one_seed_s_chance_has_nothing_to_do_with_another_s() {
    List<Double> all = new ArrayList<>();
    for (long seed = 0; seed < 10; seed++) {
      for (RandomDraw.Purpose purpose : RandomDraw.Purpose.values()) {
        all.add(RandomDraw.of(seed, purpose, "k", "m", 0, 0).share());
      }
    }
    assertThat(all).doesNotHaveDuplicates();
  }
}
