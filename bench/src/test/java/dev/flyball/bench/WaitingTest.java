package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The program that lets calls wait, with fewer of them. */
final class WaitingTest {
  private static final int CALLS = 10_000;

  @Test
  void calls_that_block_their_threads_all_end_and_leave_nothing() throws InterruptedException {
    var seen = Waiting.inThreads(CALLS);
    assertThat(seen.cancelled()).isEqualTo(CALLS / 2);
    assertThat(seen.drained()).isEqualTo(CALLS / 2);
    assertThat(seen.left()).isZero();
    assertThat(seen.bytesEach()).as("frames of cold code included").isBetween(500L, 6_000L);
  }

  @Test
  void calls_without_threads_take_little_and_leave_nothing() throws InterruptedException {
    var seen = Waiting.withoutThreads(CALLS);
    assertThat(seen.cancelled()).isEqualTo(CALLS / 2);
    assertThat(seen.drained()).isEqualTo(CALLS / 2);
    assertThat(seen.left()).isZero();
    assertThat(seen.bytesEach()).isBetween(100L, 400L);
  }
}
