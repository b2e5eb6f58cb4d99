package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Replicas over a store in which something goes wrong, in virtual time, each world from its seed.
 * {@code -Dfleet.worlds=1000} runs so many, with {@code -Dfleet.world=SEED} one of them again.
 */
@EnabledIfSystemProperty(named = "fleet.worlds", matches = "\\d+")
class FaultWorldsTest {
  private static final int[] REPLICAS = {2, 3, 8, 30};
  private static final double[][] LIMITS = {{10, 10}, {20, 100}, {50, 50}, {100, 100}};

  /** What goes wrong. */
  private enum Fault {
    NOTHING(3),
    /** Messages take up to 50 ms longer. */
    SLOW(3),
    /** One or five of a hundred messages are lost, and as many come twice. */
    LOSS(3),
    /** The store forgets everything, again and again. */
    FLUSHED(3),
    /** It is away for a second, and comes back empty. */
    RESTARTED(0),
    /** It is away for up to a minute. */
    AWAY(0),
    /** Processes are killed and begin again. */
    KILLS(0);

    /** The most 429s, in all; 0 for five a replica: who is cut off cannot know of the others. */
    final int refused;

    Fault(int refused) {
      this.refused = refused;
    }
  }

  private static World run(long seed, Fault fault) {
    var random = new SplittableRandom(seed);
    var limit = LIMITS[random.nextInt(LIMITS.length)];
    int replicas = REPLICAS[random.nextInt(REPLICAS.length)];
    var world = new World(seed, World.Limits.of(limit[0], limit[1]));
    var store = new RemoteWorld(world);
    world.total = (int) (limit[1] + limit[0] * (8 + random.nextInt(8)));
    for (int i = 0; i < replicas; i++) {
      var process = world.process(1);
      world.time.in(0.001 * i, () -> store.comes(process));
    }
    boolean uneven = random.nextBoolean();
    for (int i = 0; i < world.total; i++) {
      var process = world.processes.get(uneven && i % 2 == 0 ? 0 : i % replicas);
      var name = "call-" + i;
      world.time.in(2 + 0.001 * process.number, () -> process.enter(name));
    }
    begin(fault, world, store, random);
    world.run(900);
    return world;
  }

  private static void begin(Fault fault, World world, RemoteWorld store, SplittableRandom random) {
    switch (fault) {
      case NOTHING -> {}
      case SLOW -> store.slow = 0.05;
      case LOSS -> store.loss = random.nextBoolean() ? 0.01 : 0.05;
      case FLUSHED -> {
        for (double at = 3; at < 20; at += 1 + 3 * random.nextDouble()) {
          world.time.in(at, store::flush);
        }
      }
      case RESTARTED -> away(world, store, 4 + 4 * random.nextDouble(), 1, true);
      case AWAY ->
          away(world, store, 4 + 4 * random.nextDouble(), 2 + 58 * random.nextDouble(), false);
      case KILLS -> {
        for (double at = 3; at < 15; at += 3 + random.nextDouble()) {
          var process = world.processes.get(random.nextInt(world.processes.size()));
          world.time.in(at, process::kill);
          world.time.in(
              at + 0.3,
              () -> {
                process.start();
                store.comes(process);
                process.goOn();
              });
        }
      }
    }
  }

  private static void away(
      World world, RemoteWorld store, double at, double seconds, boolean empty) {
    world.time.in(at, () -> store.up = false);
    world.time.in(
        at + seconds,
        () -> {
          store.up = true;
          if (empty) {
            store.flush();
          }
        });
  }

  @Test
  void whatever_goes_wrong_each_call_is_answered_once_and_the_limit_is_kept() {
    var one = Long.getLong("fleet.world");
    var seeds =
        one == null
            ? LongStream.rangeClosed(1, Long.getLong("fleet.worlds", 0))
            : LongStream.of(one);
    var faults = Fault.values();
    Map<Fault, int[]> refused = new EnumMap<>(Fault.class);
    seeds.forEach(
        seed -> {
          var fault = faults[(int) (seed % faults.length)];
          var world = run(seed, fault);
          var name = "world " + seed + ", " + fault + ", " + world.processes.size() + " replicas";
          assertThat(world.provider.answered).as(name).hasSize(world.total);
          assertThat(world.provider.answered.values()).as(name).allMatch(times -> times == 1);
          int most = fault.refused == 0 ? 5 * world.processes.size() : fault.refused;
          assertThat(world.provider.refused).as("429s in " + name).isLessThanOrEqualTo(most);
          var sum = refused.computeIfAbsent(fault, any -> new int[3]);
          sum[0]++;
          sum[1] += world.provider.refused;
          sum[2] = Math.max(sum[2], world.provider.refused);
        });
    refused.forEach(
        (fault, sum) ->
            System.out.printf(
                "%s: %d worlds, 429s %d in all, %d at most%n", fault, sum[0], sum[1], sum[2]));
  }
}
