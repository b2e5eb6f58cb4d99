package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many clients at once on a small account; the long form is {@code bench/run crowd}. */
@Timeout(120)
final class CrowdTest {
  private static final int CLIENTS = 200;
  private static final int EACH = 2;
  private static final int PER_SECOND = 100;
  private static final int BURST = 10;

  @Test
  void no_client_sees_a_429_and_none_is_far_ahead_of_another() throws Exception {
    var account =
        Settings.of("unlimited")
            .limit("requests=" + 60 * PER_SECOND + "/min")
            .burst("requests=" + BURST)
            .latency(Latency.parse("50ms"));
    var answered = Collections.synchronizedList(new ArrayList<Integer>());
    long began = System.nanoTime();
    try (var running = RunningGateway.before(account);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var crowd = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        crowd.add(
            () -> {
              for (int n = 0; n < EACH; n++) {
                var request =
                    running.post("/v1/chat/completions", CHAT).version(HttpClient.Version.HTTP_1_1);
                var reply = running.send(request);
                assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
                answered.add(number);
              }
              return true;
            });
      }
      for (var each : threads.invokeAll(crowd)) {
        assertThat(each.get()).isTrue();
      }
      assertThat(running.simulator.stats().answered()).isEqualTo(CLIENTS * EACH);
      long refused =
          running.simulator.stats().rejected().values().stream().mapToLong(Long::longValue).sum();
      assertThat(refused).as("attempts that the account turned away").isLessThanOrEqualTo(40);
    }
    assertThat(answered).hasSize(CLIENTS * EACH);
    // All came at once and ask again when they are answered: whoever has a second answer before
    // another has a first went past somebody who waited longer.
    var first = IntStream.range(0, CLIENTS).map(answered::indexOf).max().orElseThrow();
    assertThat(first).as("the place of the last first answer").isLessThan(CLIENTS * 3 / 2);
    var took = Duration.ofNanos(System.nanoTime() - began);
    var least = Duration.ofMillis(1_000L * (CLIENTS * EACH - BURST) / PER_SECOND);
    assertThat(took).isGreaterThan(least.multipliedBy(9).dividedBy(10));
    // Tests share their machine; how near it comes is for the bench.
    assertThat(took).isLessThan(least.multipliedBy(3).plusSeconds(10));
  }
}
