package dev.flyball.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Tenant;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two to four keys, each with a limit of its own, of which some are parked or refused at some
 * moment: all from a seed, in virtual time. Whatever happens, each call ends once, and well if one
 * of its keys works.
 */
class SeveralLanesWorldsTest {
  private static final int SEEDS = 250;
  private static final int CALLS = 80;
  private static final Account RUN = Account.of("run");

  /** A key as its provider sees it: a bucket, and perhaps an end. */
  private static final class Key {
    final double perSecond;
    final double burst;
    final double parkedAt;
    final double refusedAt;
    double level;
    double seen;

    Key(SplittableRandom random, boolean works) {
      perSecond = 2 + random.nextDouble() * 30;
      burst = 1 + random.nextInt(20);
      level = burst;
      parkedAt = !works && random.nextBoolean() ? random.nextDouble() * 3 : Double.MAX_VALUE;
      refusedAt =
          !works && parkedAt == Double.MAX_VALUE ? random.nextDouble() * 3 : Double.MAX_VALUE;
    }

    @Nullable Reply<String> refuses(double now) {
      if (now >= refusedAt) {
        return new Reply.Rejected<>("401", "look at the key", true, Optional.empty(), Usage.NONE);
      }
      if (now >= parkedAt) {
        double left = parkedAt + 3_600 - now;
        if (left > 0) {
          return Reply.throttled(
              Signals.NONE.retryAfter(Duration.ofMillis(Math.round(left * 1e3))));
        }
      }
      level = Math.min(burst, level + (now - seen) * perSecond);
      seen = now;
      if (level < 1) {
        double wait = (1 - level) / perSecond;
        return Reply.throttled(
            Signals.NONE.retryAfter(Duration.ofNanos(Math.round(wait * 1e9) + 1)));
      }
      level--;
      return null;
    }
  }

  /** One seed. */
  private static final class World {
    final long seed;
    final SplittableRandom random;
    final VirtualTime time = new VirtualTime();
    final Map<LaneId, Key> keys = new HashMap<>();
    final Flyball flyball;
    final List<Actor> cast = new ArrayList<>();

    World(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      var builder = Flyball.builder().time(time).random(new SplittableRandom(seed));
      if (random.nextInt(3) == 0) {
        builder.mostInFlightInAll(1 + random.nextInt(6));
      }
      if (random.nextInt(3) == 0) {
        builder.maxWait(Duration.ofMinutes(30));
      }
      flyball = builder.build().budget(RUN, Budget.tokens(1_000_000));
      int count = 2 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        keys.put(LaneId.of("world", "key-" + i), new Key(random, i == 0));
      }
    }

    /** A call that names the key that works, and others, in any order. */
    Call call(int number) {
      var order = new ArrayList<LaneId>();
      for (int i = 0; i < keys.size(); i++) {
        order.add(random.nextInt(order.size() + 1), LaneId.of("world", "key-" + i));
      }
      var call =
          Call.to(
                  order.getFirst(),
                  order.subList(1, order.size()).toArray(new LaneId[order.size() - 1]))
              .named("call-" + number)
              .estimated(Estimate.of(10 + random.nextInt(100), 100))
              .priority(random.nextBoolean() ? Priority.NORMAL : Priority.BULK)
              .on(new Tenant("tenant-" + random.nextInt(2), 1))
              .paidBy(RUN);
      return random.nextInt(4) == 0 ? call.sharing("prefix-" + random.nextInt(2)) : call;
    }

    void run() {
      for (int i = 0; i < CALLS; i++) {
        var actor = new Actor(this, call(i), random.nextInt(20) == 0);
        cast.add(actor);
        time.in(random.nextDouble() * 4, actor::enter);
      }
      while (cast.stream().anyMatch(actor -> actor.ending == null) && time.step(1e7)) {}
      for (var actor : cast) {
        assertThat(actor.ending).as("seed %s, %s", seed, actor.call).isNotNull();
        assertThat(actor.endings).as("seed %s, %s", seed, actor.call).isEqualTo(1);
        if (!actor.fickle) {
          assertThat(actor.ending)
              .as("seed %s, %s", seed, actor.call)
              .isInstanceOf(Outcome.Done.class);
        }
      }
      assertThat(time.seconds())
          .as("seed %s: the key that works does it all", seed)
          .isLessThan(900);
      Stage.assertClean(flyball);
    }
  }

  /** One call and whoever made it. */
  private static final class Actor {
    final World world;
    final Call call;
    final boolean fickle;
    @Nullable Waiter<String> waiter;
    @Nullable Outcome<String> ending;
    int endings;
    int attempts;

    Actor(World world, Call call, boolean fickle) {
      this.world = world;
      this.call = call;
      this.fickle = fickle;
    }

    void enter() {
      waiter = world.flyball.enter(call, this::look);
      look();
      if (fickle) {
        world.time.in(world.random.nextDouble() * 3, this::changeMind);
      }
    }

    private void changeMind() {
      if (ending == null && waiter != null) {
        end(new Outcome.Refused<>(new Refusal.Withdrawn(), attempts));
        waiter.withdraw();
      }
    }

    private void end(Outcome<String> outcome) {
      ending = outcome;
      endings++;
    }

    private void look() {
      if (waiter == null || ending != null) {
        return;
      }
      switch (waiter.admission()) {
        case Admission.Wait<String> wait -> {}
        case Admission.Refused<String>(var refused) -> end(refused);
        case Admission.Granted<String>(var permit) -> {
          if (permit.number() > attempts) {
            attempts = permit.number();
            send(permit);
          }
        }
      }
    }

    private void send(Permit<String> permit) {
      var key = world.keys.get(permit.lane());
      var refusal = key == null ? null : key.refuses(world.time.seconds());
      Reply<String> reply = refusal;
      if (reply == null) {
        reply =
            world.random.nextInt(50) == 0
                ? new Reply.Broken<>("reset", true)
                : Reply.answered("ok", Usage.of(10, 50));
      }
      var came = reply;
      world.time.in(
          refusal != null ? 0.02 : 0.05 + world.random.nextDouble() * 0.5,
          () -> {
            if (ending == null
                && permit.settle(came) instanceof NextStep.Ended<String>(var outcome)) {
              end(outcome);
            }
            look();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void one_key_that_works_answers_everything(int part) {
    for (long seed = part; seed < SEEDS; seed += 4) {
      new World(seed).run();
    }
  }
}
