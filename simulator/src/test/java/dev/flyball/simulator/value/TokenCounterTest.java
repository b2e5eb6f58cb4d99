package dev.flyball.simulator.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Texts of so many tokens. */
final class TokenCounterTest {
  @Test
  void half_a_pair_of_surrogates_can_be_cut() {
    assertThat(TokenCounter.cut("\ud800".repeat(20), 8, "m")).isNotEmpty();
  }
}
