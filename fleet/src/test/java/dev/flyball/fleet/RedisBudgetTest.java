package dev.flyball.fleet;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.scheduler.Flyball.SharedBudget.Room;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Money that several processes spend together, in a real Redis. */
@Timeout(120)
class RedisBudgetTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1_500);
  private static StartedRedis redis;

  @BeforeAll
  static void start() throws IOException {
    redis = new StartedRedis();
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
  }

  /** A process, and a way to wait for it. */
  private static final class Spender implements AutoCloseable {
    final RedisBudget budget;
    final Semaphore told = new Semaphore(0);
    final List<String> news = new CopyOnWriteArrayList<>();

    Spender(StartedRedis at, String scope, long limit, Duration lease) throws IOException {
      budget = RedisBudget.at(at.place(), scope, limit, news::add, lease);
      budget.whenRoom(told::release);
    }

    /** Asks until there is an answer. */
    Room hold(long micros) throws InterruptedException {
      while (true) {
        var room = budget.hold(micros);
        if (!(room instanceof Room.Later)) {
          return room;
        }
        told.tryAcquire(20, MILLISECONDS);
      }
    }

    @Override
    public void close() {
      budget.close();
    }
  }

  private final String scope = "test" + UUID.randomUUID();
  private final List<Spender> spenders = new ArrayList<>();

  private Spender spender(long limit, Duration lease) throws IOException {
    var spender = new Spender(redis, scope, limit, lease);
    spenders.add(spender);
    return spender;
  }

  @AfterEach
  void close() {
    spenders.forEach(Spender::close);
  }

  @Test
  void eight_processes_spend_it_to_the_end_and_not_more() throws Exception {
    long limit = 1_000_000;
    var out = new AtomicLong();
    var most = new AtomicLong();
    var spent = new AtomicLong();
    var ends = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        var spender = spender(limit, LONG);
        for (int worker = 0; worker < 4; worker++) {
          var random = new SplittableRandom(10L * i + worker);
          ends.add(
              threads.submit(
                  () -> {
                    while (true) {
                      long cost = 1 + random.nextLong(2_000);
                      if (!(spender.hold(2_000) instanceof Room.Held)) {
                        return null;
                      }
                      most.accumulateAndGet(spent.get() + out.addAndGet(2_000), Math::max);
                      spent.addAndGet(cost);
                      out.addAndGet(-2_000);
                      spender.budget.settle(2_000, cost);
                    }
                  }));
        }
      }
      for (var end : ends) {
        end.get();
      }
    }
    assertThat(spent.get()).isLessThanOrEqualTo(limit).isGreaterThan(limit - 2_000);
    // A call that has ended is counted as spent for a moment before it is not as held.
    assertThat(most.get()).isLessThanOrEqualTo(limit + 32 * 2_000L);
  }

  @Test
  void what_a_dead_process_held_comes_back_and_what_it_spent_does_not() throws Exception {
    var dead = new Spender(redis, scope, 1_000, SHORT);
    assertThat(dead.hold(300)).isEqualTo(new Room.Held());
    dead.budget.settle(300, 300);
    assertThat(dead.hold(600)).isEqualTo(new Room.Held());
    var alive = spender(1_000, LONG);
    while (alive.budget.spentByAll() < 300) {
      assertThat(alive.budget.hold(500)).isEqualTo(new Room.Later());
    }
    dead.budget.die();
    assertThat(alive.hold(500)).isEqualTo(new Room.Held());
    alive.budget.settle(500, 450);
    assertThat(alive.hold(300)).isEqualTo(new Room.Spent(250));
  }

  @Test
  void what_others_hold_is_waited_for() throws Exception {
    var one = spender(1_000, LONG);
    var other = spender(1_000, LONG);
    assertThat(one.hold(900)).isEqualTo(new Room.Held());
    assertThat(other.budget.hold(200)).isEqualTo(new Room.Later());
    one.budget.settle(900, 100);
    assertThat(other.hold(200)).isEqualTo(new Room.Held());
    assertThat(one.hold(600)).isEqualTo(new Room.Held());
  }

  @Test
  void a_redis_that_was_emptied_is_told_again_what_was_spent() throws Exception {
    try (var own = new StartedRedis();
        var one = new Spender(own, scope, 1_000, LONG)) {
      assertThat(one.hold(600)).isEqualTo(new Room.Held());
      one.budget.settle(600, 600);
      while (one.budget.hold(500) instanceof Room.Later) {
        one.told.tryAcquire(20, MILLISECONDS);
      }
      own.command("FLUSHALL");
      try (var other = new Spender(own, scope, 1_000, LONG)) {
        while (other.budget.spentByAll() < 600) {
          // The first says it within a second.
          assertThat(other.budget.hold(2_000)).isNotEqualTo(new Room.Held());
        }
        assertThat(other.hold(500)).isEqualTo(new Room.Spent(400));
      }
    }
  }

  @Test
  void without_redis_calls_wait_and_then_go_on() throws Exception {
    try (var own = new StartedRedis();
        var one = new Spender(own, scope, 1_000, LONG)) {
      assertThat(one.hold(10)).isEqualTo(new Room.Held());
      own.stop();
      while (one.news.isEmpty()) {
        var unused = one.budget.hold(900);
      }
      assertThat(one.budget.hold(900)).isEqualTo(new Room.Later());
      own.start();
      assertThat(one.hold(900)).isEqualTo(new Room.Held());
      assertThat(one.news).hasSize(2);
    }
  }
}
