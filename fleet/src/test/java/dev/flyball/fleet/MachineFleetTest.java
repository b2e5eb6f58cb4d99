package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Real sockets and a real lock. */
class MachineFleetTest {
  private static final LaneId LANE = LaneId.of("provider", "model");

  private static Replica replica(CountDownLatch shares) {
    return new Replica(
        Time.system(),
        "one",
        "one",
        1,
        standing -> {
          if (standing == Replica.Standing.SHARING) {
            shares.countDown();
          }
        });
  }

  /** Not below the folder of the build, whose path may be too long for a socket. */
  private static Path folder() throws IOException {
    return Files.createTempDirectory("fb");
  }

  private static String ask(Replica replica) throws InterruptedException {
    try (var flyball = Flyball.builder().sharedLimit(replica).build()) {
      return flyball.answer(Call.to(LANE), attempt -> Reply.answered("an answer", Usage.of(1, 1)));
    }
  }

  @Test
  void two_share_and_when_the_keeper_goes_the_other_keeps() throws Exception {
    var folder = folder();
    var bothShare = new CountDownLatch(2);
    var again = new CountDownLatch(2);
    var first = replica(bothShare);
    var second =
        new Replica(
            Time.system(),
            "two",
            "two",
            1,
            standing -> {
              if (standing == Replica.Standing.SHARING) {
                bothShare.countDown();
                again.countDown();
              }
            });
    var keeper = MachineFleet.join(folder, Time.system(), "one", first);
    try {
      assertThat(keeper.keeps()).isTrue();
      assertThat(first.standing()).isEqualTo(Replica.Standing.ALONE);
      try (var other = MachineFleet.join(folder, Time.system(), "two", second)) {
        assertThat(bothShare.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.keeps()).isFalse();
        assertThat(ask(first)).isEqualTo("an answer");
        assertThat(ask(second)).isEqualTo("an answer");
        keeper.close();
        assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.keeps()).isTrue();
        assertThat(ask(second)).isEqualTo("an answer");
      }
    } finally {
      keeper.close();
    }
    assertThat(MachineFleet.look(folder, java.time.Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void a_path_that_is_too_long_for_a_socket_is_said() throws IOException {
    var folder = Files.createDirectories(folder().resolve("x".repeat(120)));
    assertThatThrownBy(
            () -> MachineFleet.join(folder, Time.system(), "one", replica(new CountDownLatch(1))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at most 100 bytes");
  }
}
