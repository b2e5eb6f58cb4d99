package dev.flyball.limit.level;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizedPauseTest {
  private final SizedPause pause = new SizedPause();

  @Test
  void it_holds_that_size_and_larger_and_lets_smaller_ones_go() {
    pause.ask(1_000, 7, 0);
    assertThat(pause.availableAt(1_000, 0)).isEqualTo(7);
    assertThat(pause.availableAt(9_000, 0)).isEqualTo(7);
    assertThat(pause.availableAt(999, 0)).isZero();
    assertThat(pause.availableAt(1_000, 8)).isEqualTo(8);
  }

  @Test
  void a_shorter_wait_of_a_smaller_call_is_not_forgotten() {
    pause.ask(50, 5, 0);
    pause.ask(100, 10, 0);
    assertThat(pause.availableAt(50, 0)).isGreaterThanOrEqualTo(5);
    assertThat(pause.availableAt(100, 0)).isGreaterThanOrEqualTo(10);
    assertThat(pause.availableAt(49, 0)).isZero();
  }
}
