package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Room that several processes share, in a real Redis. */
class SharedSlotsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static StartedRedis redis;

  @BeforeAll
  static void start() throws IOException {
    redis = new StartedRedis();
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
  }

  private final String name = "test" + UUID.randomUUID().toString().replace("-", "");

  private SharedSlots process(int limit, Duration lease) throws IOException {
    return SharedSlots.at(redis.place(), name, limit, lease);
  }

  @Test
  void no_more_are_let_in_than_there_is_room_for_whoever_asks() throws IOException {
    try (var one = process(2, LONG);
        var two = process(2, LONG)) {
      assertThat(one.take("a")).isEqualTo(new SharedSlots.Taken());
      assertThat(two.take("b")).isEqualTo(new SharedSlots.Taken());
      assertThat(one.take("c")).isEqualTo(new SharedSlots.Full(2, 2));
      assertThat(two.take("b")).as("the same again").isEqualTo(new SharedSlots.Taken());
      two.giveBack("b");
      two.giveBack("b");
      assertThat(one.take("c")).isEqualTo(new SharedSlots.Taken());
      assertThat(two.take("d")).isEqualTo(new SharedSlots.Full(2, 2));
    }
  }

  @Test
  void what_is_held_is_renewed_and_what_a_dead_process_held_is_free_after_its_lease()
      throws IOException {
    try (var alive = process(2, SHORT)) {
      var dead = process(2, SHORT);
      assertThat(alive.take("a")).isEqualTo(new SharedSlots.Taken());
      assertThat(dead.take("b")).isEqualTo(new SharedSlots.Taken());
      dead.die();
      long died = System.nanoTime();
      while (alive.take("c") instanceof SharedSlots.Full) {
        assertThat(System.nanoTime() - died).isLessThan(30_000_000_000L);
      }
      assertThat(alive.take("d"))
          .as("the first is still held")
          .isEqualTo(new SharedSlots.Full(2, 2));
    }
  }

  @Test
  void without_redis_each_has_its_part_and_afterwards_all_is_counted_again() throws IOException {
    try (var own = new StartedRedis()) {
      var one = SharedSlots.at(own.place(), name, 4, Duration.ofMillis(600));
      var two = SharedSlots.at(own.place(), name, 4, Duration.ofMillis(600));
      assertThat(one.take("a")).isEqualTo(new SharedSlots.Taken());
      assertThat(two.take("b")).isEqualTo(new SharedSlots.Taken());
      assertThat(one.take("a")).isEqualTo(new SharedSlots.Taken());
      own.stop();
      assertThat(one.take("c")).isEqualTo(new SharedSlots.Taken());
      assertThat(one.take("d")).isEqualTo(new SharedSlots.Full(2, 2));
      assertThat(one.isAway()).isTrue();
      own.start();
      while (one.isAway() || two.isAway()) {
        one.take("c");
        two.take("b");
      }
      assertThat(two.take("e")).isEqualTo(new SharedSlots.Taken());
      while (!(two.take("f") instanceof SharedSlots.Full)) {
        // What the first held while nobody could be asked is counted when it renews its leases.
        two.giveBack("f");
      }
      one.close();
      two.close();
    }
  }

  @Test
  void the_limit_holds_over_ten_thousand_random_endings_and_kills() throws IOException {
    int limit = 7;
    var random = new SplittableRandom(1);
    Map<SharedSlots, List<String>> running = new HashMap<>();
    var processes = new ArrayList<SharedSlots>();
    for (int i = 0; i < 3; i++) {
      processes.add(process(limit, LONG));
      running.put(processes.get(i), new ArrayList<>());
    }
    for (int step = 0; step < 10_000; step++) {
      int number = random.nextInt(processes.size());
      var process = processes.get(number);
      var own = running.computeIfAbsent(process, fresh -> new ArrayList<>());
      int all = running.values().stream().mapToInt(List::size).sum();
      if (step % 50 == 49) {
        // Killed; and its leases have ended, as they do by themselves.
        process.die();
        running.remove(process);
        own.forEach(task -> redis.command("ZREM", "flyball:1:{flyball}:slots:" + name, task));
        processes.set(number, process(limit, LONG));
        running.put(processes.get(number), new ArrayList<>());
      } else if (random.nextInt(5) < 3) {
        var task = "task-" + step;
        var answer = process.take(task);
        assertThat(answer instanceof SharedSlots.Taken)
            .as("%d of %d", all, limit)
            .isEqualTo(all < limit);
        if (answer instanceof SharedSlots.Taken) {
          own.add(task);
        }
      } else if (!own.isEmpty()) {
        process.giveBack(own.remove(random.nextInt(own.size())));
      }
    }
    processes.forEach(SharedSlots::close);
  }
}
