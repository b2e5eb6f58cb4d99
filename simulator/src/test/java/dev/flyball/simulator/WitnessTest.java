package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes the simulator fit to judge others: over the wire, and by its ledger alone. */
final class WitnessTest {
  private static String prompt(int i) {
    return Http.prompt("claude-sonnet-4-5", 400, "Question " + i + " " + "x".repeat(i % 97));
  }

  private static void all(int threads, int count, Asking each) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        tasks.add(
            () -> {
              each.ask(number);
              return null;
            });
      }
      for (Future<Void> done : pool.invokeAll(tasks)) {
        done.get();
      }
    }
  }

  private interface Asking {
    void ask(int number) throws Exception;
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic-tier1", "anthropic-2025", "groq", "azure"})
  void from_the_ledger_alone_no_limit_ever_gave_more_than_it_had(String profile) throws Exception {
    Settings settings =
        Settings.of(profile)
            .latency(Latency.parse("500ms+10ms~0.5"))
            .answers(Answers.lorem())
            .fault("529:share=0.05")
            .fault("cut:share=0.05,after=5")
            .foreign(0.2)
            .limit("requests=50/min")
            .speed(100);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      boolean claude = profile.startsWith("anthropic");
      all(
          16,
          300,
          i -> {
            try {
              String body = prompt(i);
              if (claude) {
                http.message(i % 2 == 0 ? Http.stream(body) : body);
              } else {
                http.openai("/v1/chat/completions", i % 2 == 0 ? Http.stream(body) : body);
              }
            } catch (IOException e) {
              // Cut, as was asked for.
            }
          });

      Map<String, List<JsonNode>> byLimit = new HashMap<>();
      for (JsonNode line : http.ledger()) {
        if (line.has("limit") && !line.path("what").asText().equals("rejected")) {
          String name = line.path("scope").asText() + line.path("dimension") + line.path("per");
          byLimit.computeIfAbsent(name, key -> new ArrayList<>()).add(line);
        }
      }
      assertThat(byLimit.size()).isGreaterThanOrEqualTo(2);
      byLimit.forEach(WitnessTest::holds);
      assertThat(simulator.stats().inFlight()).isZero();
      assertThat(simulator.stats().throttled()).isPositive();
    }
  }

  /** A bucket or window kept from the lines, which must agree with each line's level. */
  private static void holds(String name, List<JsonNode> lines) {
    JsonNode first = lines.getFirst();
    boolean bucket = first.path("kind").asText().equals("bucket");
    BigInteger amount = BigInteger.valueOf(first.path("limit").asLong());
    long seconds =
        Map.of("second", 1L, "minute", 60L, "hour", 3_600L, "day", 86_400L)
            .getOrDefault(first.path("per").asText(), 0L);
    BigInteger period = BigInteger.valueOf(seconds * 1_000_000);
    long window = first.path("kind").asText().equals("subwindow") ? 10 : seconds;
    BigInteger full = BigInteger.valueOf(first.path("burst").asLong()).multiply(period);
    BigInteger level = full;
    long at = first.path("atMicros").asLong();
    for (JsonNode line : lines) {
      long now = line.path("atMicros").asLong();
      assertThat(now).as(name).isGreaterThanOrEqualTo(at);
      if (bucket) {
        level = level.add(amount.multiply(BigInteger.valueOf(now - at))).min(full);
      } else if (now / (window * 1_000_000) > at / (window * 1_000_000)) {
        level = full;
      }
      at = now;
      BigInteger moved = BigInteger.valueOf(line.path("amount").asLong()).multiply(period);
      switch (line.path("what").asText()) {
        case "refunded" -> {
          // What was taken from a window that is over does not come back.
          BigInteger back = level.add(moved).min(full);
          boolean came = whole(back, period).equals(line.path("level").bigIntegerValue());
          level = bucket || came ? back : level;
        }
        case "charged", "foreign" -> {
          assertThat(level).as("%s at %s", name, line).isGreaterThanOrEqualTo(moved);
          level = level.subtract(moved);
        }
        case "debited" -> level = level.subtract(moved);
        default -> throw new AssertionError(line);
      }
      assertThat(whole(level, period))
          .as("%s at %s", name, line)
          .isEqualTo(line.path("level").bigIntegerValue());
    }
  }

  /** In whole units, rounded down. */
  private static BigInteger whole(BigInteger parts, BigInteger period) {
    BigInteger[] both = parts.divideAndRemainder(period);
    return both[1].signum() < 0 ? both[0].subtract(BigInteger.ONE) : both[0];
  }

  @Test
  void one_thread_and_sixty_four_get_the_same_answers_faults_and_usage() throws Exception {
    Map<Integer, String> one = outcomes(1);

    assertThat(outcomes(64)).isEqualTo(one);
    assertThat(one.values().stream().filter(each -> each.startsWith("529")).count())
        .isBetween(10L, 60L);
  }

  private static Map<Integer, String> outcomes(int threads) throws Exception {
    Settings settings =
        Settings.of("unlimited")
            .latency(Latency.parse("5ms~0.5"))
            .answers(Answers.lorem())
            .fault("529:share=0.1")
            .fault("truncated:share=0.1")
            .fault("no-usage:share=0.1")
            .seed(11);
    Map<Integer, String> outcomes = new TreeMap<>();
    String[] all = new String[300];
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      all(
          threads,
          all.length,
          i -> {
            Http.Reply reply = http.message(prompt(i));
            // The names of requests are not the same, and need not be.
            all[i] =
                reply.status()
                    + reply.text().replaceAll("\"request_id\":\"[^\"]*\"|\"id\":\"[^\"]*\"", "");
          });
    }
    for (int i = 0; i < all.length; i++) {
      outcomes.put(i, all[i]);
    }
    return outcomes;
  }

  @Test
  void two_long_streams_pass_while_something_is_left_and_the_third_does_not() throws Exception {
    String body = Http.stream(Http.prompt("claude-sonnet-4-5", 8_000, "Hi"));
    for (String profile : List.of("anthropic-tier1", "anthropic-2025")) {
      Settings settings = Settings.of(profile).latency(Latency.NONE);
      List<Integer> statuses = new ArrayList<>();
      try (Simulator simulator = Simulator.start(settings, 0)) {
        Http http = new Http(simulator);
        for (int i = 0; i < 3; i++) {
          statuses.add(http.message(body, "x-sim-output-tokens", "5000").status());
        }
      }
      // What was asked for counted then, and does not count now.
      assertThat(statuses)
          .isEqualTo(profile.endsWith("2025") ? List.of(200, 429, 429) : List.of(200, 200, 429));
    }
  }

  @Test
  void at_twenty_times_the_speed_the_same_work_takes_a_twentieth_of_the_time() throws Exception {
    Settings settings =
        Settings.of("unlimited")
            .limit("requests=600/min")
            .burst("requests=100")
            .latency(Latency.parse("200ms"))
            .speed(20);
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      long outerStart = System.nanoTime();
      long start = clock(http);
      long innerStart = System.nanoTime();
      all(
          8,
          300,
          i -> {
            Http.Reply reply = http.message(prompt(i));
            while (reply.status() == 429) {
              LockSupport.parkNanos(Long.parseLong(reply.header("retry-after-ms")) * 1_000_000);
              reply = http.message(prompt(i));
            }
          });
      long innerEnd = System.nanoTime();
      long end = clock(http);
      long outerEnd = System.nanoTime();

      // Its clock, against ours before and after it was asked.
      assertThat(end - start)
          .isBetween((innerEnd - innerStart) * 20 / 1_000, (outerEnd - outerStart) * 20 / 1_000);
      List<Long> admitted =
          http.ledger().stream()
              .filter(line -> line.path("what").asText().equals("admitted"))
              .map(line -> line.path("atMicros").asLong())
              .toList();
      // A hundred at once and then ten a second; how much later the last comes is the caller's.
      assertThat(admitted).hasSize(300);
      assertThat(admitted.getLast() - admitted.getFirst()).isBetween(20_000_000L, end - start);
    }
  }

  private static long clock(Http http) throws Exception {
    return http.send("GET", "/__sim/clock", "").json().path("atMicros").asLong();
  }
}
